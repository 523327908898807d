import type { Kysely, Transaction } from 'kysely';
import type { DocumentChange, NewDocument, Storage } from 'sri-core';
import { changeUnderLock } from './change-under-lock.js';
import { findContents, packAll, unpackContents } from './contents.js';
import { CORE_MIGRATIONS } from './core-migrations.js';
import { findByAccessKeys, findByIdempotencyKey, findDocumentId, isIn, isStorable } from './documents.js';
import { findFailed } from './failed-documents.js';
import { readFigures } from './figures.js';
import { readEvents, readResponses } from './history.js';
import { changeHostState, readHostState } from './hosts.js';
import { extendLease, findTurns, nextReadyAt, returnJob, takeJobs } from './jobs.js';
import { createKeyedReads } from './keyed-reads.js';
import { listDocuments } from './list-documents.js';
import { runMigrations } from './migrator.js';
import { findDocumentsThatModify } from './modifying-documents.js';
import type { CoreTables } from './schema.js';
import { moveNextSequential, readNextSequential, skipTakenNumbers } from './sequentials.js';
import { type CommitContext, createSharedCommits } from './shared-commits.js';
import { requireConsecutive } from './store-documents.js';
import { storeUnderLock } from './store-under-lock.js';
import { createStrayJobs } from './stray-jobs.js';
import type { DialectTraits } from './traits.js';
import { createSession, translateFailure } from './transaction.js';

/** What core is about to commit: documents that are stored, or the change of one. */
export interface Commit {
  readonly stored?: readonly NewDocument[];
  readonly change?: DocumentChange;
}

/**
 * Writes an application's own rows in the transaction that commits core's, after them. Throwing undoes both, and the
 * error reaches the caller of the storage. It may run again when the transaction has to be repeated, for the database or
 * for others that share it, so that it does nothing outside of it; and it uses the handle it is given, never the storage.
 *
 * @param commits all that share the transaction, be they of several issuers: those of one stand together, in the order
 * in which they came, and issuers in the order of their ids. Rows that issuers have in common are locked in one order,
 * whoever has them, so that no two transactions wait for each other.
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

  /**
   * Brings core's tables up to date. Any number of processes may call it at once.
   *
   * @throws SchemaTooNewError when a newer version has migrated the database.
   */
  migrate(): Promise<void>;

  /**
   * Whether what is written is kept, as far as it can be told without writing: a SQLite file is undamaged and at its place.
   *
   * @throws StorageUnavailableError
   */
  requireSound(): void;

  /**
   * A read of the application's own, repeated when the connection turns out to be dead.
   *
   * @throws StorageUnavailableError when the database is to blame; else what `work` threw.
   */
  read<T>(work: (handle: Kysely<CoreTables & Tables>) => Promise<T>): Promise<T>;

  /**
   * One transaction of the application's own. `work` may run again when the database asks for it.
   *
   * @throws StorageUnavailableError when nothing was done and the database is to blame; else what `work` threw.
   */
  transaction<T>(work: (transaction: Transaction<CoreTables & Tables>) => Promise<T>): Promise<T>;
}

/** The storage over any database that Kysely and the traits describe. */
export function createKyselyStorage<Tables>(parts: {
  readonly kysely: Kysely<CoreTables>;
  readonly traits: DialectTraits;
  readonly joinCommit: JoinCommit<Tables> | undefined;
  readonly busyWaitMs?: number;
  readonly requireSound?: () => void;
}): KyselyStorage<Tables> {
  const { kysely, traits, joinCommit } = parts;
  const session = createSession(kysely, traits, parts.busyWaitMs);
  const committing: CommitContext = {
    session,
    traits,
    join: async (commits, transaction) => joinCommit?.(commits, joined<Tables>(transaction)),
  };
  const commits = createSharedCommits(committing);
  const documents = createKeyedReads((keys) => session.read((db) => findByAccessKeys(db, traits, keys)));
  const contents = createKeyedReads((keys) => session.read((db) => findContents(db, traits, keys)));
  const strays = createStrayJobs(session);
  /** The issuer served last by this process; the next claim begins behind it. */
  let lastServed = '';

  return {
    kysely: withTables<Tables>(kysely),
    traits,
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

    nextSequential: (counter) => session.read((db) => readNextSequential(db, counter)),
    setNextSequential: (counter, next) =>
      session.write((transaction) => moveNextSequential(transaction, counter, next)),

    async storeDocuments(batch) {
      if (batch.documents.length === 0) return { kind: 'stored' };
      requireConsecutive(batch);
      session.requireOutside();
      const outcome = await commits.store({ batch, contents: await packAll(batch.documents) });
      if (outcome.kind === 'numberTaken') {
        return { kind: 'counterMoved', nextSequential: await skipTakenNumbers(session, batch.counter) };
      }
      return outcome;
    },
    storeUnderLock: (counter, build) => storeUnderLock(committing, counter, build),
    async changeDocument(change) {
      try {
        return await commits.change(change);
      } catch (error) {
        if (!change.takes || traits.classify(error) !== 'duplicate') throw error;
        await skipTakenNumbers(session, change.takes.counter);
        return 'counterMoved';
      }
    },
    changeUnderLock: (counter, build) => changeUnderLock(committing, counter, build),

    async findDocument(scope, accessKey) {
      if (!isStorable(accessKey)) return null;
      session.requireOutside();
      const found = await documents.ask(accessKey);
      return found && found.issuerId === scope.issuerId && found.environment === scope.environment ? found : null;
    },
    findByIdempotencyKey: (scope, idempotencyKey) =>
      session.read((db) => findByIdempotencyKey(db, scope, idempotencyKey)),
    listDocuments: (scope, query) => session.read((db) => listDocuments(db, traits, scope, query)),
    documentFigures: (scope, query) => session.read((db) => readFigures(db, scope, query)),
    documentsThatModify: (issuerIds, modified, query) =>
      session.read((db) => findDocumentsThatModify(db, traits, issuerIds, modified, query.types)),
    failedDocuments: (scope, query) => session.read((db) => findFailed(db, scope, query)),
    async readContents(scope, accessKey) {
      if (!isStorable(accessKey)) return null;
      session.requireOutside();
      const packed = await contents.ask(accessKey);
      return packed && isIn(scope, packed) ? unpackContents(packed) : null;
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
        const turns = await session.read((db) => findTurns(db, now, { limit, after: lastServed, inTurns }));
        lastServed = turns.at(-1)?.issuerId ?? lastServed;
        const ids = turns.map((turn) => turn.documentId);
        const terms = { now, leaseMs, dueOnly: true };
        const claimed =
          ids.length > 0 ? await session.write((transaction) => takeJobs(transaction, traits, ids, terms)) : [];
        // Others took all that was found just now; there may be more behind it.
        if (claimed.length > 0 || ids.length === 0 || attempt === CLAIM_ATTEMPTS) return claimed;
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
    releaseJob: (claimed) => session.write((transaction) => returnJob(transaction, claimed)),
    readHostState: (environment) => session.read((db) => readHostState(db, environment)),
    changeHostState: (environment, noted) =>
      session.write((transaction) => changeHostState(transaction, environment, noted)),
    nextDueAt: () => session.read(nextReadyAt),
  };
}

// --- internal ---

const CLAIM_ATTEMPTS = 3;

/** Core knows nothing of the application's tables, and the database does: the type is all that changes. */
function withTables<Tables>(handle: unknown): Kysely<CoreTables & Tables> {
  return handle as Kysely<CoreTables & Tables>;
}

/** As `withTables`, for a transaction. */
function joined<Tables>(transaction: unknown): Transaction<CoreTables & Tables> {
  return transaction as Transaction<CoreTables & Tables>;
}
