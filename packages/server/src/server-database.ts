import type { Transaction } from 'kysely';
import { type Clock, type Counter, DOCUMENT_TYPES, type DocumentChange } from 'sri-core';
import { type CoreTables, type KyselyStorage, lockCounter, moveNextSequential } from 'sri-storage-adapters';
import { recordCounterMove } from './issuers/counter-move-rows.js';
import type { ServerDatabase, ServerTables, Tables } from './platform/database/tables.js';

/** The server's writes within a change of core's, in its transaction. */
export type AlsoWrites = WeakMap<DocumentChange, (tables: Tables) => Promise<void>>;

/** The server's own handle on a storage, next to core's. */
export function toServerDatabase(
  storage: KyselyStorage<ServerTables>,
  alsoWrites: AlsoWrites,
  clock: Clock,
): ServerDatabase {
  return {
    traits: storage.traits,
    read: (work) => storage.read(work),
    transaction: (work) => storage.transaction((transaction) => work(transaction)),
    changeDocument(change, also) {
      alsoWrites.set(change, also);
      return storage.changeDocument(change);
    },
    async setFirstSequential(tables, counter, first) {
      await moveCounter(tables, counter, { next: first, now: clock.now() });
    },
    async withCountersLocked(tables, issuerId, work) {
      // A request that creates a document holds one of them from the beginning of the transaction to its end.
      for (const environment of ['production', 'sandbox'] as const) {
        for (const documentType of DOCUMENT_TYPES) {
          await lockCounter(coreTransaction(tables), { issuerId, environment, documentType });
        }
      }
      return work();
    },
  };
}

/** Moves a counter forward and records it. @returns false, with nothing changed, if it is behind `next`. */
export async function moveCounter(
  tables: Tables,
  counter: Counter,
  move: { readonly next: number; readonly now: Date },
): Promise<boolean> {
  const moved = await moveNextSequential(coreTransaction(tables), counter, move.next);
  if (moved) await recordCounterMove(tables, counter, move);
  return moved;
}

// --- internal ---

/** Core's counters do not know the server's tables, but the database does: only the type changes. */
function coreTransaction(transaction: unknown): Transaction<CoreTables> {
  return transaction as Transaction<CoreTables>;
}
