import type { Kysely, Transaction } from 'kysely';
import type { DocumentChange, NewDocument, StoreOutcome } from 'sri-core';
import { applyChanges, type ChangeOutcome, type LeasingChange, wasApplied } from '../documents/change-document.js';
import { findObstacle, insertBatches, type PackedDocuments, wasStored } from '../documents/store-documents.js';
import type { FigureParts } from '../lists/figure-parts.js';
import { moveFigures } from '../lists/figures.js';
import type { CoreTables } from '../sql/schema.js';
import type { DialectTraits } from '../sql/traits.js';
import type { Session } from '../sql/transaction.js';
import { createCommitQueue, type Queued } from './commit-queue.js';

/** Dependencies of commits. */
export interface CommitContext {
  readonly session: Session;
  readonly traits: DialectTraits;
  readonly parts: FigureParts;
  /** The last step before the figures, whose rows are locked as briefly as possible. */
  readonly join: (commits: readonly JoinedCommit[], transaction: Transaction<CoreTables>) => Promise<void>;
}

/** The writes that the application adds rows to. */
export type JoinedCommit = { readonly stored: readonly NewDocument[] } | { readonly change: DocumentChange };

/** The writes of this process, which share their commits. */
export interface SharedCommits {
  /** @throws the error of its own commit, such as an error of `joinCommit`. */
  change(change: LeasingChange): Promise<ChangeOutcome>;
  /** `numberTaken`: the counter is at numbers in use. */
  store(store: PackedDocuments): Promise<StoreOutcome | NumberTaken>;
}

/**
 * Commits simultaneous writes together. Writes of one issuer would wait for each other otherwise, because they change
 * the same figures. A database with one writer serializes all writes. New documents of several issuers share one flush
 * to disk.
 */
export function createSharedCommits(context: CommitContext): SharedCommits {
  const { session, traits } = context;
  const open = (atOnce: number) =>
    createCommitQueue<Member, CommitOutcome>({ atOnce, commit: (members) => commitTogether(context, members) });
  const queue = open(traits.writers);
  const storing = traits.writers > 1 ? open(STORING_AT_ONCE) : queue;

  return {
    async change(change) {
      session.requireOutside();
      const { document, takes } = change;
      const place = { owner: document.issuerId, subject: document.id, size: 1, isAlone: takes !== undefined };
      const outcome = await queue.submit({ ...place, change });
      if (typeof outcome !== 'string') throw new TypeError('A change was answered as new documents.');
      return outcome;
    },
    async store({ batch, contents }) {
      session.requireOutside();
      const { counter, documents } = batch;
      const subject = documents[0]?.document.id ?? '';
      // With several writers, a batch waits for the numbers before its own in the database, not in the queue.
      const owner = traits.writers > 1 ? subject : counter.issuerId;
      const place = { owner, subject, size: documents.length, isAlone: false };
      const outcome = await storing.submit({ ...place, batch, contents });
      if (typeof outcome !== 'object') throw new TypeError('New documents were answered as a change.');
      return outcome;
    },
  };
}

// --- internal ---

/** While one commit of new documents ends, the next one begins. More would have fewer documents each. */
const STORING_AT_ONCE = 2;

/** The counter is at numbers in use. */
interface NumberTaken {
  readonly kind: 'numberTaken';
}

interface QueuedChange extends Queued {
  readonly change: LeasingChange;
}

interface QueuedStore extends Queued, PackedDocuments {}

type Member = QueuedChange | QueuedStore;
type CommitOutcome = ChangeOutcome | StoreOutcome | NumberTaken;

/**
 * Commits changes and batches in one transaction, each under its own conditions. Locks are taken in one order: counters,
 * documents, jobs, rows of the application, figures.
 *
 * @throws when one of several writes rolls back the transaction. Alone, that write gets its own error.
 */
function commitTogether(context: CommitContext, members: readonly Member[]): Promise<readonly CommitOutcome[]> {
  const { session, traits, join } = context;
  const stores = members.filter((member) => 'batch' in member);
  const changes = members.filter((member) => 'change' in member).map(({ change }) => change);
  return session.write<readonly CommitOutcome[]>(
    async (transaction, undo) => {
      const stored = await insertBatches(transaction, traits, stores);
      if (!stored) {
        const [store] = stores;
        if (!store || members.length > 1) throw new Error('Something of one of several batches is there already.');
        return undo([(await findObstacle(transaction, store.batch.documents)) ?? { kind: 'numberTaken' }]);
      }
      const changed = await applyChanges(transaction, traits, changes);
      const outcomes = members.map((member) => outcomeOf(member, changed, stored));
      if (!outcomes.some(isDone)) return undo(outcomes);
      // The application locks rows of several issuers in one order.
      const done = members
        .filter((_, index) => isDone(outcomes[index]))
        .toSorted((a, b) => (issuerOf(a) < issuerOf(b) ? -1 : issuerOf(a) > issuerOf(b) ? 1 : 0));
      const joining = done.map((member) =>
        'change' in member ? { change: member.change } : { stored: member.batch.documents },
      );
      await join(joining, transaction);
      await moveFigures(transaction, movesOf(done), context);
      return outcomes;
    },
    { confirm: (outcomes) => session.read((db) => confirmAll(db, members, outcomes)) },
  );
}

function issuerOf(member: Member): string {
  return ('change' in member ? member.change.document : member.batch.counter).issuerId;
}

/** The outcome of each write, when an earlier attempt may have committed it. */
async function confirmAll(
  db: Kysely<CoreTables>,
  members: readonly Member[],
  outcomes: readonly CommitOutcome[],
): Promise<readonly CommitOutcome[]> {
  const confirmed = [...outcomes];
  for (const [index, member] of members.entries()) {
    if (isDone(outcomes[index])) continue;
    if ('batch' in member) {
      if (await wasStored(db, member.batch)) confirmed[index] = { kind: 'stored' };
    } else if (await wasApplied(db, member.change)) {
      confirmed[index] = 'applied';
    }
  }
  return confirmed;
}

function outcomeOf(
  member: Member,
  changed: ReadonlyMap<DocumentChange, ChangeOutcome>,
  stored: ReadonlyMap<PackedDocuments, StoreOutcome>,
): CommitOutcome {
  const outcome = 'change' in member ? changed.get(member.change) : stored.get(member);
  if (outcome === undefined) throw new Error('A write was left out of its commit.');
  return outcome;
}

function isDone(outcome: CommitOutcome | undefined): boolean {
  return typeof outcome === 'object' ? outcome.kind === 'stored' : outcome === 'applied';
}

/** The documents that leave and enter the figures. */
function movesOf(done: readonly Member[]) {
  const moved = done.flatMap((member) => ('change' in member ? [member.change] : []));
  const added = done.flatMap((member) => ('batch' in member ? member.batch.documents : []));
  return {
    gone: moved.map(({ document }) => document),
    come: [...moved.map(({ document, set }) => ({ ...document, ...set })), ...added.map(({ document }) => document)],
  };
}
