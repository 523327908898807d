import type { Counter, DocumentChange } from 'sri-core';
import { applyChanges, type ChangeOutcome, wasApplied } from '../documents/change-document.js';
import { moveFigures } from '../lists/figures.js';
import { lockCounter, skipTakenNumbers } from '../sequentials.js';
import type { CommitContext } from './shared-commits.js';

/**
 * Locks a counter, builds a change that takes its next number, and applies it, in one transaction. No other writer can take
 * the number.
 *
 * @throws the error of `build`; then nothing is changed.
 */
export async function changeUnderLock(
  context: CommitContext,
  counter: Counter,
  build: (sequential: number) => Promise<DocumentChange>,
): Promise<ChangeOutcome> {
  const { session, traits, join } = context;
  const built: { change?: DocumentChange; failure?: { readonly error: unknown } } = {};
  const apply = () =>
    session.write<ChangeOutcome>(
      async (transaction, undo) => {
        // The connection broke during the rollback of a failed `build`: nothing is built again.
        if (built.failure) return undo('stale');
        const sequential = await lockCounter(transaction, counter);
        try {
          // Built once: after a commit in doubt, the retry recognizes the change.
          built.change ??= await build(sequential);
        } catch (error) {
          // Errors of `build` are never retried; failures of the database are.
          built.failure = { error };
          return undo('stale');
        }
        const { change } = built;
        const outcome = (await applyChanges(transaction, traits, [change])).get(change);
        if (outcome !== 'applied') return undo(outcome ?? 'stale');
        await join([{ change }], transaction);
        const { document, set } = change;
        await moveFigures(transaction, { gone: [document], come: [{ ...document, ...set }] }, context);
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
