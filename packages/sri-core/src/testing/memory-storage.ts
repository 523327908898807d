import { FIRST_SEQUENTIAL } from '../sequential.js';
import type {
  ClaimedJob,
  Counter,
  DocumentChange,
  DocumentContents,
  DocumentEvent,
  IssuersScope,
  NewDocument,
  NewDocuments,
  Scope,
  SriResponse,
  Storage,
  StoredDocument,
  StoreOutcome,
  WalkCursor,
} from '../storage.js';
import { sumFigures } from './memory-figures.js';
import { MemoryJobs } from './memory-jobs.js';
import { matcherOf, selectPage } from './memory-list.js';

/** A volatile storage for tests, demonstrations and trials. It keeps every other promise of the port. */
export function createMemoryStorage(): Storage {
  const counters = new Map<string, number>();
  const entries = new Map<string, Entry>();
  /** Current and former access keys, to document ids. */
  const accessKeys = new Map<string, string>();
  const idempotencyKeys = new Map<string, string>();
  const jobs = new MemoryJobs();
  const hosts = new Map<string, { readonly state: string; readonly revision: number }>();
  /** Locked counters, with the end of each lock. A caller that finds no lock continues in the same tick. */
  const kept = new Map<string, Promise<void>>();

  function show(entry: Entry): StoredDocument {
    return { ...entry.document, job: jobs.of(entry.document.id) };
  }

  function showAmong(scope: Scope | IssuersScope): StoredDocument[] {
    const issuerIds = 'issuerIds' in scope ? scope.issuerIds : [scope.issuerId];
    return [...entries.values()]
      .filter(({ document }) => document.environment === scope.environment && issuerIds.includes(document.issuerId))
      .map(show);
  }

  const hasKey = ({ id }: StoredDocument, accessKey: string) => accessKeys.get(accessKey) === id;

  function find(scope: Scope, accessKey: string): Entry | null {
    const entry = entries.get(accessKeys.get(accessKey) ?? '');
    return entry && isIn(scope, entry.document) ? entry : null;
  }

  function refusal(batch: NewDocuments): StoreOutcome | null {
    const stands = counters.get(counterName(batch.counter)) ?? FIRST_SEQUENTIAL;
    if (stands !== batch.firstSequential) return { kind: 'counterMoved', nextSequential: stands };
    const seen = new Set<string>();
    for (const [index, { document }] of batch.documents.entries()) {
      const bound = document.idempotencyKey === null ? null : bindingName(document, document.idempotencyKey);
      if (bound !== null && (idempotencyKeys.has(bound) || seen.has(bound))) {
        return { kind: 'idempotencyKeyTaken', index };
      }
      if (accessKeys.has(document.accessKey) || seen.has(document.accessKey)) return { kind: 'accessKeyTaken', index };
      if (bound !== null) seen.add(bound);
      seen.add(document.accessKey);
    }
    return null;
  }

  function store(entry: Entry): void {
    const { document } = entry;
    entries.set(document.id, entry);
    accessKeys.set(document.accessKey, document.id);
    if (document.idempotencyKey !== null) {
      idempotencyKeys.set(bindingName(document, document.idempotencyKey), document.id);
    }
    jobs.set(document.id, document.issuerId, document.job);
  }

  function storeBatch(batch: NewDocuments): StoreOutcome {
    if (batch.documents.length === 0) return { kind: 'stored' };
    const refused = refusal(batch);
    if (refused) return refused;
    const added = batch.documents.map(toEntry);
    counters.set(counterName(batch.counter), batch.firstSequential + added.length);
    for (const entry of added) store(entry);
    const leases = batch.documents.flatMap(({ document: { id, createdAt }, leaseMs }) => {
      const taken = leaseMs === undefined ? null : jobs.take(id, createdAt, leaseMs);
      return taken ? [[id, taken.lease] as const] : [];
    });
    return { kind: 'stored', ...(leases.length > 0 && { leases: new Map(leases) }) };
  }

  /** Applies a change if its conditions hold. */
  function apply({ document, set, contents, events, responses, job, lease, at, takes }: DocumentChange): ChangeOutcome {
    const counter = takes ? counterName(takes.counter) : '';
    const entry = entries.get(document.id);
    if (lease && !jobs.holds(lease)) return 'leaseLost';
    if (!entry || !isIn(document, entry.document) || entry.document.revision !== document.revision) return 'stale';
    if (takes && (counters.get(counter) ?? FIRST_SEQUENTIAL) !== takes.sequential) return 'counterMoved';
    if (set.accessKey && (accessKeys.get(set.accessKey) ?? document.id) !== document.id) {
      throw new Error('The access key belongs to another document.');
    }

    if (takes) counters.set(counter, takes.sequential + 1);
    if (set.accessKey) accessKeys.set(set.accessKey, document.id);
    entries.set(document.id, {
      document: { ...entry.document, ...set, updatedAt: at, revision: document.revision + 1 },
      contents: { ...entry.contents, ...copy(contents ?? {}) },
      events: [...entry.events, ...copy(events)],
      responses: [...entry.responses, ...copy(responses)],
    });
    if (job !== undefined) jobs.set(document.id, document.issuerId, job);
    return 'applied';
  }

  /** Locks a counter for the duration of a call. */
  async function keeping<T>(counter: Counter, work: (next: number) => Promise<T>): Promise<T> {
    const name = counterName(counter);
    while (kept.has(name)) await kept.get(name);
    const end = Promise.withResolvers<void>();
    kept.set(name, end.promise);
    try {
      return await work(counters.get(name) ?? FIRST_SEQUENTIAL);
    } finally {
      kept.delete(name);
      end.resolve();
    }
  }

  function claim(documentId: string, now: Date, leaseMs: number): ClaimedJob | null {
    const entry = entries.get(documentId);
    const taken = jobs.take(documentId, now, leaseMs);
    return entry && taken ? { ...taken, document: show(entry) } : null;
  }

  return {
    async nextSequential(counter) {
      return counters.get(counterName(counter)) ?? FIRST_SEQUENTIAL;
    },

    async setNextSequential(counter, next) {
      const name = counterName(counter);
      while (kept.has(name)) await kept.get(name);
      const stands = counters.get(name) ?? FIRST_SEQUENTIAL;
      if (next < stands) return false;
      counters.set(name, next);
      return true;
    },

    async storeDocuments(batch) {
      const name = counterName(batch.counter);
      while (kept.has(name)) await kept.get(name);
      return storeBatch(batch);
    },

    storeUnderLock: (counter, build) =>
      keeping(counter, async (firstSequential) =>
        storeBatch({ counter, firstSequential, documents: await build(firstSequential) }),
      ),

    async findDocument(scope, accessKey) {
      const entry = find(scope, accessKey);
      return entry && show(entry);
    },

    async findByIdempotencyKey(scope, idempotencyKey) {
      const entry = entries.get(idempotencyKeys.get(bindingName(scope, idempotencyKey)) ?? '');
      return entry ? show(entry) : null;
    },

    async readContents(scope, accessKey) {
      const entry = find(scope, accessKey);
      return entry && { ...copy(entry.contents), revision: entry.document.revision };
    },

    async listDocuments(scope, query) {
      return selectPage(showAmong(scope), query, hasKey);
    },

    async walkDocuments(scope, filter, from) {
      const sorted = showAmong(scope)
        .filter((document) => !from || byIssue(from, document) < 0)
        .toSorted(byIssue);
      const read = sorted.slice(0, STEP);
      const last = read.at(-1);
      return { documents: read.filter(matcherOf(filter, hasKey)), next: last && sorted.length > STEP ? last : null };
    },

    async documentFigures(scope, query = {}) {
      return sumFigures(showAmong(scope), query);
    },

    async documentsThatModify(issuerIds, { environment, documentType, number }, { types }) {
      return [...entries.values()]
        .map(show)
        .filter(
          ({ documentType: type, issuerId, environment: world, status, modifies }) =>
            types.includes(type) &&
            status === 'AUTHORIZED' &&
            world === environment &&
            issuerIds.includes(issuerId) &&
            modifies?.documentType === documentType &&
            modifies.number === number,
        )
        .toSorted((a, b) => byAge(b, a));
    },

    async failedDocuments(scope, { operation, limit }) {
      const failed = showAmong(scope)
        .filter(({ job }) => job?.status === 'FAILED' && !job.running)
        .filter(({ job }) => operation === undefined || job?.operation === operation)
        .toSorted(byAge);
      return { documents: failed.slice(0, limit), total: failed.length };
    },

    async documentEvents(scope, accessKey) {
      return copy(find(scope, accessKey)?.events ?? []);
    },

    async sriResponses(scope, accessKey) {
      return copy(find(scope, accessKey)?.responses ?? [])
        .toReversed()
        .slice(0, MOST_RESPONSES);
    },

    async changeDocument(change) {
      const { takes } = change;
      const name = takes ? counterName(takes.counter) : '';
      while (kept.has(name)) await kept.get(name);
      return apply(change);
    },

    async changeAndClaim(change, leaseMs) {
      const { document, at } = change;
      if (document.job) throw new Error('The document has a job already.');
      if (apply(change) !== 'applied') return 'stale';
      return jobs.take(document.id, at, leaseMs)?.lease ?? 'stale';
    },

    changeUnderLock: (counter, build) => keeping(counter, async (sequential) => apply(await build(sequential))),

    async claimJobs({ now, limit, leaseMs, longestMs, inTurns }) {
      if (longestMs) jobs.endStrays(now, longestMs);
      const issuerIds = jobs.readyIssuers(now);
      return jobs
        .turns(now, limit, inTurns ? await inTurns(issuerIds.slice(0, MOST_ORDERED)) : issuerIds)
        .map((documentId) => claim(documentId, now, leaseMs))
        .filter((claimed) => claimed !== null);
    },

    async claimJobOf(document, { now, leaseMs }) {
      const entry = entries.get(document.id);
      return entry && isIn(document, entry.document) ? claim(document.id, now, leaseMs) : null;
    },

    async renewLease(lease, until) {
      return jobs.renew(lease, until);
    },

    async readHostState(environment) {
      return hosts.get(environment) ?? null;
    },

    async changeHostState(environment, { state, revision }) {
      if ((hosts.get(environment)?.revision ?? 0) !== revision) return false;
      hosts.set(environment, { state, revision: revision + 1 });
      return true;
    },

    async releaseJob({ lease, job }) {
      jobs.release(lease, job);
    },

    async nextDueAt() {
      return jobs.nextDueAt();
    },
  };
}

// --- internal ---

const MOST_RESPONSES = 1_000;

/** The documents that a step of a walk reads. */
const STEP = 500;

/** The issuers that the caller of a claim orders. */
const MOST_ORDERED = 256;

type ChangeOutcome = Awaited<ReturnType<Storage['changeDocument']>>;

interface Entry {
  readonly document: StoredDocument;
  readonly contents: DocumentContents;
  readonly events: readonly DocumentEvent[];
  /** Oldest first. */
  readonly responses: readonly SriResponse[];
}

function toEntry({ document, contents, events }: NewDocument): Entry {
  return { document, contents: copy(contents), events: copy(events), responses: [] };
}

/** Copies data, so that later changes by the caller do not affect the storage. */
function copy<T>(value: T): T {
  return structuredClone(value);
}

function isIn(scope: Scope, document: Scope): boolean {
  return document.issuerId === scope.issuerId && document.environment === scope.environment;
}

function counterName(counter: Counter): string {
  return JSON.stringify([counter.issuerId, counter.environment, counter.documentType]);
}

function bindingName(scope: Scope, idempotencyKey: string): string {
  return JSON.stringify([scope.issuerId, scope.environment, idempotencyKey]);
}

function byIssue(a: WalkCursor, b: WalkCursor): number {
  if (a.issueDate !== b.issueDate) return a.issueDate < b.issueDate ? -1 : 1;
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function byAge(a: StoredDocument, b: StoredDocument): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);
}
