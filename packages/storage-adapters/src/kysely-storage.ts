import type { Kysely, Transaction } from 'kysely';
import type { DocumentChange, Job, NewDocument, Occupancies, Storage, StoreOutcome } from 'sri-core';
import { changeUnderLock } from './commits/change-under-lock.js';
import { type CommitContext, createSharedCommits } from './commits/shared-commits.js';
import { storeUnderLock } from './commits/store-under-lock.js';
import { leaseOf } from './documents/change-document.js';
import { findContents, packAll, unpackInTurn } from './documents/contents.js';
import { extendLease, findTurns, nextReadyAt, returnJob, takeJobs } from './documents/document-jobs.js';
import { findFailed } from './documents/failed-documents.js';
import {
  findByAccessKeys,
  findByIdempotencyKey,
  findDocumentId,
  isIn,
  isStorable,
} from './documents/find-documents.js';
import { readEvents, readResponses } from './documents/history.js';
import { findDocumentsThatModify } from './documents/modifying-documents.js';
import { requireConsecutive } from './documents/store-documents.js';
import { changeHostState, readHostState } from './hosts.js';
import { createDueMark } from './jobs/due-mark.js';
import { newLeases } from './jobs/job-rows.js';
import { createStrayJobs } from './jobs/stray-jobs.js';
import { createFigureParts } from './lists/figure-parts.js';
import { readFigures } from './lists/figures.js';
import { listDocuments } from './lists/list-documents.js';
import { walkDocuments } from './lists/walk-documents.js';
import { CORE_MIGRATIONS } from './migrations/core-migrations.js';
import { runMigrations } from './migrations/migrator.js';
import { counterName, moveNextSequential, readAllSequentials, skipTakenNumbers } from './sequentials.js';
import { createKeyedReads } from './sql/keyed-reads.js';
import type { CoreTables } from './sql/schema.js';
import type { DialectTraits } from './sql/traits.js';
import { createSession, translateFailure } from './sql/transaction.js';

/** A write of core: new documents, or the change of one. */
export interface Commit {
  readonly stored?: readonly NewDocument[];
  readonly change?: DocumentChange;
}

/**
 * Writes rows of the application in core's transaction, after core's rows. An error rolls back both and reaches the caller
 * of the storage. A retry of the transaction runs it again, so it must have no effect outside the transaction. It uses the
 * given handle, never the storage.
 *
 * @param commits the writes that share the transaction, of one or several issuers. Writes of an issuer are adjacent and in
 * their order; issuers are in the order of their ids. The application locks rows of several issuers in one order, so that no
 * deadlock is possible.
 */
export type JoinCommit<Tables> = (
  commits: readonly Commit[],
  transaction: Transaction<CoreTables & Tables>,
) => Promise<void>;

/**
 * A storage over a database that the application shares.
 *
 * @typeParam Tables the application's own tables.
 */
export interface KyselyStorage<Tables = unknown> extends Storage {
  /** The handle itself; `read` and `transaction` know about faults of the database. */
  readonly kysely: Kysely<CoreTables & Tables>;
  readonly traits: DialectTraits;
  /** The bounded caches of this process: counted `figures`, and prepared `statements` on PostgreSQL. */
  readonly occupancies: Occupancies;

  /**
   * Brings core's tables up to date. Any number of processes may call it at once.
   *
   * @throws SchemaTooNewError when a newer version has migrated the database.
   */
  migrate(): Promise<void>;

  /**
   * Checks, without writing, that writes are durable: a SQLite file is undamaged and in its place.
   *
   * @throws StorageUnavailableError
   */
  requireSound(): void;

  /**
   * Runs a read of the application. A read on a dead connection is retried.
   *
   * @throws StorageUnavailableError for a failure of the database; otherwise the error of `work`.
   */
  read<T>(work: (handle: Kysely<CoreTables & Tables>) => Promise<T>): Promise<T>;

  /**
   * Runs a transaction of the application. `work` may run again when the database requires a retry.
   *
   * @throws StorageUnavailableError for a failure of the database, with nothing done unless the answer to the commit was
   * lost; otherwise the error of `work`.
   */
  transaction<T>(work: (transaction: Transaction<CoreTables & Tables>) => Promise<T>): Promise<T>;
}

/** The storage over any database with a Kysely dialect and traits. */
export function createKyselyStorage<Tables>(parts: {
  readonly kysely: Kysely<CoreTables>;
  readonly traits: DialectTraits;
  readonly joinCommit: JoinCommit<Tables> | undefined;
  readonly busyWaitMs?: number;
  readonly requireSound?: () => void;
  readonly occupancies?: Occupancies;
  /** Called after a write that did not fail, with its number of documents. */
  readonly wrote?: (count: number) => void;
}): KyselyStorage<Tables> {
  const { kysely, traits, joinCommit } = parts;
  const session = createSession(kysely, traits, parts.busyWaitMs);
  const figureParts = createFigureParts(traits.figureParts);
  const committing: CommitContext = {
    session,
    traits,
    parts: figureParts,
    join: async (commits, transaction) => joinCommit?.(commits, joined<Tables>(transaction)),
  };
  const commits = createSharedCommits(committing);
  const documents = createKeyedReads((keys) => session.read((db) => findByAccessKeys(db, traits, keys)));
  const contents = createKeyedReads((keys) => session.read((db) => findContents(db, traits, keys)));
  const sequentials = createKeyedReads((names) => session.read((db) => readAllSequentials(db, traits, names)));
  const strays = createStrayJobs(session);
  const due = createDueMark();
  /** Writes, and notes when the jobs are due then, also the jobs of a commit in doubt. */
  async function noting<T>(
    written: readonly { readonly document: { readonly job?: Job | null } }[],
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      const outcome = await work();
      parts.wrote?.(written.length);
      return outcome;
    } finally {
      for (const { document } of written) due.stored(document.job?.dueAt);
    }
  }
  /** The issuer of this process's last claim. The next claim starts after it. */
  let lastServed = '';

  return {
    kysely: withTables<Tables>(kysely),
    traits,
    occupancies: { ...parts.occupancies, figures: figureParts.occupancy },
    async migrate() {
      await runMigrations(kysely, traits, CORE_MIGRATIONS);
    },
    requireSound() {
      try {
        parts.requireSound?.();
      } catch (error) {
        throw translateFailure(error, traits);
      }
    },
    read: (work) => session.read((db) => work(withTables<Tables>(db))),
    transaction: (work) => session.write((transaction) => work(joined<Tables>(transaction))),

    async nextSequential(counter) {
      session.requireOutside();
      return (await sequentials.ask(counterName(counter))) as number;
    },
    setNextSequential: (counter, next) =>
      session.write((transaction) => moveNextSequential(transaction, counter, next)),

    async storeDocuments(batch) {
      if (batch.documents.length === 0) return { kind: 'stored' };
      requireConsecutive(batch);
      session.requireOutside();
      const outcome = await noting(batch.documents, async () =>
        commits.store({ batch, contents: await packAll(batch.documents) }),
      );
      if (outcome.kind === 'numberTaken') {
        return { kind: 'counterMoved', nextSequential: await skipTakenNumbers(session, batch.counter) };
      }
      return withLeases(outcome, batch.documents);
    },
    async storeUnderLock(counter, build) {
      const built: NewDocument[] = [];
      const noted = async (first: number) => {
        const documents = await build(first);
        built.push(...documents);
        return documents;
      };
      return withLeases(await noting(built, () => storeUnderLock(committing, counter, noted)), built);
    },
    async changeDocument(change) {
      try {
        return await noting([{ document: change }], () => commits.change(change));
      } catch (error) {
        if (!change.takes || traits.classify(error) !== 'duplicate') throw error;
        await skipTakenNumbers(session, change.takes.counter);
        return 'counterMoved';
      }
    },
    async changeAndClaim(change, leaseMs) {
      if (change.document.job) throw new Error('The document has a job already.');
      const leasing = { ...change, leaseMs };
      const outcome = await noting([{ document: change }], () => commits.change(leasing));
      return outcome === 'applied' ? leaseOf(leasing) : 'stale';
    },
    changeUnderLock(counter, build) {
      const built: { readonly document: DocumentChange }[] = [];
      const noted = async (sequential: number) => {
        const change = await build(sequential);
        built.push({ document: change });
        return change;
      };
      return noting(built, () => changeUnderLock(committing, counter, noted));
    },

    async findDocument(scope, accessKey) {
      if (!isStorable(accessKey)) return null;
      session.requireOutside();
      const found = await documents.ask(accessKey);
      return found && found.issuerId === scope.issuerId && found.environment === scope.environment ? found : null;
    },
    findByIdempotencyKey: (scope, idempotencyKey) =>
      session.read((db) => findByIdempotencyKey(db, scope, idempotencyKey)),
    listDocuments: (scope, query) => session.read((db) => listDocuments(db, traits, scope, query)),
    walkDocuments: (scope, filter, from) => session.read((db) => walkDocuments(db, traits, scope, { filter, from })),
    documentFigures: (scope, query) => session.read((db) => readFigures(db, traits, scope, query)),
    documentsThatModify: (issuerIds, modified, query) =>
      session.read((db) => findDocumentsThatModify(db, traits, issuerIds, modified, query.types)),
    failedDocuments: (scope, query) => session.read((db) => findFailed(db, scope, query)),
    async readContents(scope, accessKey) {
      if (!isStorable(accessKey)) return null;
      session.requireOutside();
      const packed = await contents.ask(accessKey);
      return packed && isIn(scope, packed) ? { ...(await unpackInTurn(packed)), revision: packed.revision } : null;
    },
    documentEvents: (scope, accessKey) =>
      session.read(async (db) => {
        const documentId = await findDocumentId(db, scope, accessKey);
        return documentId === null ? [] : readEvents(db, documentId);
      }),
    sriResponses: (scope, accessKey) =>
      session.read(async (db) => {
        const documentId = await findDocumentId(db, scope, accessKey);
        return documentId === null ? [] : readResponses(db, documentId);
      }),

    async claimJobs(claim) {
      const { now, limit, leaseMs, inTurns } = claim;
      if (limit < 1) return [];
      await strays.look(claim);
      for (let attempt = 1; ; attempt += 1) {
        const { claimed, isOver } = await due.look(now, async (from) => {
          const { turns, ready } = await session.read((db) =>
            findTurns(db, now, { from, limit, after: lastServed, inTurns }),
          );
          lastServed = turns.at(-1)?.lane ?? lastServed;
          const ids = turns.map(({ id }) => id);
          const terms = { now, leaseMs, dueOnly: true };
          const claimed =
            ids.length > 0 ? await session.write((transaction) => takeJobs(transaction, traits, ids, terms)) : [];
          const oldestLeft = ready.oldestBeside(claimed.map(({ document }) => document.id));
          return { result: { claimed, isOver: ids.length === 0 }, oldestLeft };
        });
        // Other workers took all jobs of this query; there may be more.
        if (claimed.length > 0 || isOver || attempt === CLAIM_ATTEMPTS) return claimed;
      }
    },
    claimJobOf: (document, { now, leaseMs }) =>
      session.write(async (transaction, undo) => {
        const terms = { now, leaseMs, dueOnly: false };
        const [claimed] = await takeJobs(transaction, traits, [document.id], terms);
        if (!claimed) return null;
        const { issuerId, environment } = claimed.document;
        return issuerId === document.issuerId && environment === document.environment ? claimed : undo(null);
      }),
    renewLease: (lease, until) => session.write((transaction) => extendLease(transaction, lease, until)),
    releaseJob: (claimed) =>
      noting([{ document: claimed }], () => session.write((transaction) => returnJob(transaction, claimed))),
    readHostState: (environment) => session.read((db) => readHostState(db, environment)),
    changeHostState: (environment, noted) =>
      session.write((transaction) => changeHostState(transaction, environment, noted)),
    nextDueAt: () => session.read((db) => nextReadyAt(db, due.from())),
  };
}

// --- internal ---

const CLAIM_ATTEMPTS = 3;

function withLeases(outcome: StoreOutcome, added: readonly NewDocument[]): StoreOutcome {
  const leases = newLeases(added);
  return outcome.kind === 'stored' && leases.size > 0 ? { ...outcome, leases } : outcome;
}

/** Only the type changes: core does not know the tables of the application. */
function withTables<Tables>(handle: unknown): Kysely<CoreTables & Tables> {
  return handle as Kysely<CoreTables & Tables>;
}

/** As `withTables`, for a transaction. */
function joined<Tables>(transaction: unknown): Transaction<CoreTables & Tables> {
  return transaction as Transaction<CoreTables & Tables>;
}
