import type { Job, JobLease, StoredDocument } from '../storage.js';

/** The jobs of a memory storage, with their leases. Every method is one step, so no other call can interleave. */
export class MemoryJobs {
  readonly #entries = new Map<string, Entry>();
  /** One sequence for all leases: a later lease has a higher token. */
  #lastToken = 0;
  /** The last served issuer. The next claim starts after it, so that even claims of one job rotate. */
  #lastServed = '';

  /** The job fields of a document. */
  of(documentId: string): StoredDocument['job'] {
    const entry = this.#entries.get(documentId);
    return entry ? { ...entry.job, running: entry.lease !== null } : null;
  }

  /** Replaces the job, held or not; null ends it. */
  set(documentId: string, issuerId: string, job: Job | null): void {
    if (job) this.#entries.set(documentId, { issuerId, job: toJob(job), lease: null });
    else this.#entries.delete(documentId);
  }

  holds(lease: JobLease): boolean {
    return this.#entries.get(lease.documentId)?.lease?.token === lease.token;
  }

  /** Issuers with an available job, starting after the last served one. */
  readyIssuers(now: Date): readonly string[] {
    const issuers = [...this.#queues(now).keys()].toSorted();
    return [
      ...issuers.filter((issuerId) => issuerId > this.#lastServed),
      ...issuers.filter((issuerId) => issuerId <= this.#lastServed),
    ];
  }

  /** Documents in claim order: the first of each issuer before the second of any. */
  turns(now: Date, limit: number, issuerIds: readonly string[]): readonly string[] {
    const queues = this.#queues(now);
    const lines = issuerIds.map((issuerId) => (queues.get(issuerId) ?? []).toSorted(byReadiness));
    const rounds = Math.max(0, ...lines.map((line) => line.length));
    const turns = Array.from({ length: rounds }, (_, round) => lines.flatMap((line) => line.slice(round, round + 1)));
    const taken = turns.flat().slice(0, limit);
    const last = taken.at(-1);
    if (last) this.#lastServed = last[1].issuerId;
    return taken.map(([documentId]) => documentId);
  }

  /** @returns the job before the claim, and the lease; null without a job or when a worker holds it. */
  take(documentId: string, now: Date, leaseMs: number): { readonly job: Job; readonly lease: JobLease } | null {
    const entry = this.#entries.get(documentId);
    const heldMs = (entry?.lease?.until ?? 0) - now.getTime();
    if (!entry || (heldMs > 0 && heldMs <= STRAY_LEASES * leaseMs)) return null;
    this.#lastToken += 1;
    const token = this.#lastToken;
    const { job } = entry;
    this.#entries.set(documentId, {
      ...entry,
      job: { ...job, unconfirmed: job.unconfirmed || job.operation === 'SEND' },
      lease: { token, until: now.getTime() + leaseMs },
    });
    return { job, lease: { documentId, token } };
  }

  /** Makes jobs due whose time is beyond every regular delay. */
  endStrays(now: Date, longestMs: Readonly<Record<Job['status'], number>>): void {
    for (const [documentId, { issuerId, job, lease }] of this.#entries) {
      const far = now.getTime() + longestMs[job.status];
      const isFar = (time: number | undefined) => time !== undefined && time > far;
      if (isFar(lease?.until) || isFar(job.dueAt?.getTime())) this.set(documentId, issuerId, { ...job, dueAt: now });
    }
  }

  renew(lease: JobLease, until: Date): boolean {
    const entry = this.#entries.get(lease.documentId);
    if (!entry || !this.holds(lease)) return false;
    this.#entries.set(lease.documentId, { ...entry, lease: { token: lease.token, until: until.getTime() } });
    return true;
  }

  release(lease: JobLease, job: Job): void {
    const entry = this.#entries.get(lease.documentId);
    if (entry && this.holds(lease)) this.set(lease.documentId, entry.issuerId, job);
  }

  #queues(now: Date): ReadonlyMap<string, readonly [string, Entry][]> {
    const ready = [...this.#entries].filter(
      ([, entry]) => (readyAt(entry) ?? Number.POSITIVE_INFINITY) <= now.getTime(),
    );
    return Map.groupBy(ready, ([, { issuerId }]) => issuerId);
  }

  nextDueAt(): Date | null {
    const times = [...this.#entries.values()].map(readyAt).filter((time) => time !== null);
    return times.length > 0 ? new Date(Math.min(...times)) : null;
  }
}

// --- internal ---

/** A lease longer than this multiple of the requested time was written by a clock that ran ahead. */
const STRAY_LEASES = 10;

interface Entry {
  readonly issuerId: string;
  readonly job: Job;
  readonly lease: { readonly token: number; readonly until: number } | null;
}

/** The job without the document's own fields. */
function toJob({ operation, status, dueAt, attemptCount, lastError, unconfirmed }: Job): Job {
  return { operation, status, dueAt, attemptCount, lastError, unconfirmed };
}

/** When the job can be claimed: at its time, and not before its lease ends. */
function readyAt({ job, lease }: Entry): number | null {
  const dueAt = job.dueAt?.getTime() ?? null;
  if (!lease) return dueAt;
  return dueAt === null ? lease.until : Math.max(dueAt, lease.until);
}

function byReadiness([idA, a]: [string, Entry], [idB, b]: [string, Entry]): number {
  return (readyAt(a) ?? 0) - (readyAt(b) ?? 0) || (idA < idB ? -1 : 1);
}
