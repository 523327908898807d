import type { Kysely, Transaction } from 'kysely';
import type { DocumentChange, NewDocument, StoreOutcome } from 'sri-core';
import { applyChanges, type ChangeOutcome, isCounted, wasApplied } from './change-document.js';
import { createCommitQueue, type Queued } from './commit-queue.js';
import { moveFigures } from './figures.js';
import type { CoreTables } from './schema.js';
import { findObstacle, insertBatches, type PackedDocuments, wasStored } from './store-documents.js';
import type { DialectTraits } from './traits.js';
import type { Session } from './transaction.js';

/** What committing works with. */
export interface CommitContext {
  readonly session: Session;
  readonly traits: DialectTraits;
  /** Last step of the transaction but the figures, whose rows are to be locked as briefly as can be. */
  readonly join: (commits: readonly JoinedCommit[], transaction: Transaction<CoreTables>) => Promise<void>;
}

/** What the application joins rows to. */
export type JoinedCommit = { readonly stored: readonly NewDocument[] } | { readonly change: DocumentChange };

/** Writes of this process, which share their commits. */
export interface SharedCommits {
  /** @throws what its own commit threw, as `joinCommit` of the application may. */
  change(change: DocumentChange): Promise<ChangeOutcome>;
  /** `numberTaken`: the counter stands at numbers in use. */
  store(store: PackedDocuments): Promise<StoreOutcome | NumberTaken>;
}

/**
 * Commits what is written at the same time together. What one issuer writes would wait for itself otherwise, because all
 * of it changes the same figures; and a database with one writer is waited for by everybody. Where there are many, new
 * documents go by themselves: they come in batches already, and what the application counts them under, issuers may share.
 */
export function createSharedCommits(context: CommitContext): SharedCommits {
  const { session, traits } = context;
  const queue = createCommitQueue<Member, Outcome>({
    atOnce: traits.writers,
    commit: (members) => commitTogether(context, members),
  });

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
      const place = { owner: counter.issuerId, subject: documents[0]?.document.id ?? '', size: documents.length };
      const member = { ...place, isAlone: false, batch, contents };
      const [outcome] = traits.writers > 1 ? await commitTogether(context, [member]) : [await queue.submit(member)];
      if (typeof outcome !== 'object') throw new TypeError('New documents were answered as a change.');
      return outcome;
    },
  };
}

// --- internal ---

/** The counter stands at numbers in use. */
interface NumberTaken {
  readonly kind: 'numberTaken';
}

interface QueuedChange extends Queued {
  readonly change: DocumentChange;
}

interface QueuedStore extends Queued, PackedDocuments {}

type Member = QueuedChange | QueuedStore;
type Outcome = ChangeOutcome | StoreOutcome | NumberTaken;

/**
 * Any number of changes and batches in one transaction, each done or refused by its own conditions. Locks are taken in
 * one order: counters, documents, jobs, what the application joins, figures.
 *
 * @throws when the transaction is undone for the sake of one of several; by itself, that one is told why.
 */
function commitTogether(
  { session, traits, join }: CommitContext,
  members: readonly Member[],
): Promise<readonly Outcome[]> {
  const stores = members.filter((member) => 'batch' in member);
  const changes = members.filter((member) => 'change' in member).map(({ change }) => change);
  return session.write<readonly Outcome[]>(
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
      // Whoever joins rows that documents of an issuer share locks them in one order, whoever came first.
      const done = members
        .filter((_, index) => isDone(outcomes[index]))
        .toSorted((a, b) => (a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : 0));
      const joining = done.map((member) =>
        'change' in member ? { change: member.change } : { stored: member.batch.documents },
      );
      await join(joining, transaction);
      await moveFigures(transaction, movesOf(done), traits);
      return outcomes;
    },
    { confirm: (outcomes) => session.read((db) => confirmAll(db, members, outcomes)) },
  );
}

/** What became of each, when an earlier attempt may have done it. */
async function confirmAll(
  db: Kysely<CoreTables>,
  members: readonly Member[],
  outcomes: readonly Outcome[],
): Promise<readonly Outcome[]> {
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
): Outcome {
  const outcome = 'change' in member ? changed.get(member.change) : stored.get(member);
  if (outcome === undefined) throw new Error('A write was left out of its commit.');
  return outcome;
}

function isDone(outcome: Outcome | undefined): boolean {
  return typeof outcome === 'object' ? outcome.kind === 'stored' : outcome === 'applied';
}

/** What the figures lose and gain. */
function movesOf(done: readonly Member[]) {
  const moved = done.flatMap((member) => ('change' in member && isCounted(member.change.set) ? [member.change] : []));
  const added = done.flatMap((member) => ('batch' in member ? member.batch.documents : []));
  return {
    gone: moved.map(({ document }) => document),
    come: [...moved.map(({ document, set }) => ({ ...document, ...set })), ...added.map(({ document }) => document)],
  };
}
