import type { Counter, NewDocument, NewDocuments, StoreOutcome } from 'sri-core';
import { packAll } from '../documents/contents.js';
import { findObstacle, insertBatches, requireConsecutive, wasStored } from '../documents/store-documents.js';
import { moveFigures } from '../lists/figures.js';
import { holdCounter, skipTakenNumbers } from '../sequentials.js';
import type { ContentsTable } from '../sql/schema.js';
import type { CommitContext } from './shared-commits.js';

/**
 * Locks a counter, builds documents with its next numbers, and stores them, in one transaction. No other writer can take the
 * numbers.
 *
 * @throws the error of `build`; then nothing is stored.
 */
export async function storeUnderLock(
  context: CommitContext,
  counter: Counter,
  build: (firstSequential: number) => Promise<readonly NewDocument[]>,
): Promise<StoreOutcome> {
  const { session, traits, join } = context;
  const built: { batch?: NewDocuments; contents?: readonly ContentsTable[]; failure?: { readonly error: unknown } } =
    {};
  const outcome = await session.write<StoreOutcome | { readonly kind: 'numberTaken' }>(
    async (transaction, undo) => {
      // The connection broke during the rollback of a failed `build`: nothing is built again.
      if (built.failure) return undo({ kind: 'stored' });
      const firstSequential = await holdCounter(transaction, traits, counter);
      try {
        // Built once: after a commit in doubt, the retry recognizes the documents.
        built.batch ??= { counter, firstSequential, documents: await build(firstSequential) };
        requireConsecutive(built.batch);
      } catch (error) {
        // Errors of `build` are never retried; failures of the database are.
        built.failure = { error };
        return undo({ kind: 'stored' });
      }
      const { batch } = built;
      if (batch.documents.length === 0) return undo({ kind: 'stored' });
      if (batch.firstSequential !== firstSequential) {
        return undo({ kind: 'counterMoved', nextSequential: firstSequential });
      }
      built.contents ??= await packAll(batch.documents);
      const store = { batch, contents: built.contents };
      const stored = await insertBatches(transaction, traits, [store]);
      if (!stored) return undo((await findObstacle(transaction, batch.documents)) ?? { kind: 'numberTaken' });
      await join([{ stored: batch.documents }], transaction);
      await moveFigures(transaction, { gone: [], come: batch.documents.map(({ document }) => document) }, context);
      return { kind: 'stored' };
    },
    {
      confirm: async (outcome) => {
        const { batch } = built;
        const isThere = batch && batch.documents.length > 0 && (await session.read((db) => wasStored(db, batch)));
        return isThere ? { kind: 'stored' } : outcome;
      },
    },
  );
  if (built.failure) throw built.failure.error;
  if (outcome.kind === 'numberTaken') {
    return { kind: 'counterMoved', nextSequential: await skipTakenNumbers(session, counter) };
  }
  return outcome;
}
