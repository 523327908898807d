import type { Counter, DocumentChange } from 'sri-core';
import { applyChanges, type ChangeOutcome, isCounted, wasApplied } from './change-document.js';
import { moveFigures } from './figures.js';
import { lockCounter, skipTakenNumbers } from './sequentials.js';
import type { CommitContext } from './shared-commits.js';

/**
 * Applies a change that is built while the counter it takes a number of is kept from everybody else, in a transaction of
 * its own: nobody can take that number meanwhile, however fast others are.
 *
 * @throws what `build` threw; then nothing was changed.
 */
export async function changeUnderLock(
  { session, traits, join }: CommitContext,
  counter: Counter,
  build: (sequential: number) => Promise<DocumentChange>,
): Promise<ChangeOutcome> {
  const built: { change?: DocumentChange; failure?: { readonly error: unknown } } = {};
  const apply = () =>
    session.write<ChangeOutcome>(
      async (transaction, undo) => {
        const sequential = await lockCounter(transaction, counter);
        try {
          // Once: when the database asks for the transaction again, a commit in doubt is recognized by its change.
          built.change ??= await build(sequential);
        } catch (error) {
          // Kept apart from the database's own failures, after which the transaction may be repeated.
          built.failure = { error };
          return undo('stale');
        }
        const { change } = built;
        if (change.takes?.sequential !== sequential) return undo('counterMoved');
        const outcome = (await applyChanges(transaction, traits, [change])).get(change);
        if (outcome !== 'applied') return undo(outcome ?? 'stale');
        await join([{ change }], transaction);
        if (isCounted(change.set)) {
          const { document, set } = change;
          await moveFigures(transaction, { gone: [document], come: [{ ...document, ...set }] }, traits);
        }
        return 'applied';
      },
      {
        confirm: async (outcome) => {
          const { change } = built;
          const isThere = change && (await session.read((db) => wasApplied(db, change)));
          return isThere ? 'applied' : outcome;
        },
      },
    );
  try {
    const outcome = await apply();
    if (!built.failure) return outcome;
  } catch (error) {
    if (traits.classify(error) !== 'duplicate') throw error;
    await skipTakenNumbers(session, counter);
    return 'counterMoved';
  }
  throw built.failure.error;
}
