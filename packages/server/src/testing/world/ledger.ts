import { createHash } from 'node:crypto';
import type {
  ClaimedJob,
  Counter,
  DocumentChange,
  DocumentStatus,
  Job,
  JobLease,
  JobOperation,
  NewDocument,
  NewDocuments,
  Storage,
  StoreOutcome,
} from 'sri-core';
import { machine } from './simulated-machine.js';

/** The state of one document according to the commits of the world. */
interface Known {
  readonly id: string;
  readonly issuerId: string;
  status: DocumentStatus;
  accessKey: string;
  /** The token of the last claim. */
  token: number;
  /** The end of that claim, by the true time. */
  heldUntil: number;
  /** The number of claims of a submission. */
  attempts: number;
  /** The attempts of each process. An attempt without its lease may still run next to a later attempt. */
  readonly attemptsOf: Map<string, number[]>;
  /** The attempts that asked the SRI, and those that submitted the current bytes. */
  asked: Set<number>;
  submitted: Set<number>;
  /** The digests of every file signed for it. */
  readonly files: Set<string>;
  /** The digest of the last file. */
  file: string;
  /** Its job: empty, or its operation and status. */
  job: '' | ` ${JobOperation} ${Job['status']}`;
}

/**
 * A record of commits and submissions, separate from the database. It checks every commit and every submission at once.
 * A world ends at its first violation.
 */
export class Ledger {
  readonly #byId = new Map<string, Known>();
  readonly #byKey = new Map<string, Known>();
  /** The numbers of each counter, with the documents that have them. */
  readonly #numbers = new Map<string, Map<number, string>>();
  /** The idempotency keys of every issuer and environment. */
  readonly #orders = new Set<string>();
  readonly #quotas: ReadonlyMap<string, number>;
  /** Documents by issuer and environment. */
  readonly #created = new Map<string, number>();
  /** Whether the clocks of processes differ from the true time. */
  isSkewed = false;

  /** The violations found so far. */
  readonly violations: string[] = [];

  /** The issuers of documents that an answer acknowledged, by access key. */
  readonly promised = new Map<string, string>();

  /** @param quotas the documents that each issuer may have. */
  constructor(quotas: ReadonlyMap<string, number>) {
    this.#quotas = quotas;
  }

  promise(accessKey: string, issuerId: string): void {
    this.promised.set(accessKey, issuerId);
  }

  violate(rule: string, what: string): void {
    this.violations.push(`${rule}: ${what}`);
  }

  /** Whether the issuer has exactly that many documents in an environment. */
  hasCreated(issuerId: string, count: number): boolean {
    return ['sandbox', 'production'].some((environment) => this.#created.get(`${issuerId} ${environment}`) === count);
  }

  /** The document's state for the coverage of faults: its status and job. */
  stateOf(accessKey: string): string | null {
    const known = this.#byKey.get(accessKey);
    return known ? `${known.status}${known.job}` : null;
  }

  documents(): Iterable<Pick<Known, 'accessKey' | 'issuerId' | 'status' | 'job'>> {
    return this.#byId.values();
  }

  /** The states of all documents. */
  states(): ReadonlySet<string> {
    return new Set([...this.#byId.values()].map(({ status, job }) => `${status}${job}`));
  }

  /** The same storage; every commit of a process is checked. */
  watch(storage: Storage, process: string): Storage {
    return {
      ...storage,
      storeDocuments: async (batch) => {
        const outcome = await storage.storeDocuments(batch);
        if (outcome.kind === 'stored') this.#stored(batch, outcome, process);
        return outcome;
      },
      storeUnderLock: async (counter, build) => {
        let documents: readonly NewDocument[] = [];
        const outcome = await storage.storeUnderLock(counter, async (first) => {
          documents = await build(first);
          return documents;
        });
        if (outcome.kind === 'stored') this.#stored({ counter, documents }, outcome, process);
        return outcome;
      },
      changeDocument: async (change) => {
        const outcome = await storage.changeDocument(change);
        if (outcome === 'applied') this.changed(change);
        return outcome;
      },
      changeAndClaim: async (change, leaseMs) => {
        const lease = await storage.changeAndClaim(change, leaseMs);
        if (lease !== 'stale') {
          this.changed(change);
          this.#claimed({ ...change, lease }, { now: change.at, leaseMs }, process);
        }
        return lease;
      },
      changeUnderLock: async (counter, build) => {
        let built: DocumentChange | null = null;
        const outcome = await storage.changeUnderLock(counter, async (sequential) => {
          built = await build(sequential);
          return built;
        });
        if (outcome === 'applied' && built) this.changed(built);
        return outcome;
      },
      claimJobs: async (claim) => {
        const claimed = await storage.claimJobs(claim);
        for (const each of claimed) this.#claimed(each, claim, process);
        return claimed;
      },
      claimJobOf: async (document, claim) => {
        const claimed = await storage.claimJobOf(document, claim);
        if (claimed) this.#claimed(claimed, claim, process);
        return claimed;
      },
      renewLease: async (lease, until) => {
        const isHeld = await storage.renewLease(lease, until);
        const known = this.#byId.get(lease.documentId);
        if (isHeld && known) {
          this.#requireLease(known, lease, 'renewed');
          known.heldUntil = Math.max(known.heldUntil, until.getTime());
        }
        return isHeld;
      },
      releaseJob: async (claimed) => {
        await storage.releaseJob(claimed);
        const known = this.#byId.get(claimed.lease.documentId);
        if (known?.token === claimed.lease.token) known.heldUntil = 0;
      },
    };
  }

  /** A change that was applied. */
  changed({ document, set, contents, job, lease, takes }: DocumentChange): void {
    const known = this.#byId.get(document.id);
    if (!known) {
      this.violate('a change has its document', document.id);
      return;
    }
    if (lease) this.#requireLease(known, lease, 'wrote');
    if (known.status !== document.status) {
      this.violate('a change follows the last one', `${known.accessKey} is ${known.status}, not ${document.status}`);
    }
    if (contents?.signedXml !== undefined) this.#signedAgain(known, contents.signedXml);
    if (takes) this.#number(takes.counter, takes.sequential, document.id);
    if (set.accessKey !== undefined && set.accessKey !== known.accessKey) {
      this.#bind(set.accessKey, known);
      known.accessKey = set.accessKey;
    }
    if (set.status !== undefined && set.status !== known.status) {
      if (!NEXT[known.status].includes(set.status)) {
        this.violate('a status follows another', `${known.accessKey}: ${set.status} after ${known.status}`);
      }
      known.status = set.status;
    }
    if (job !== undefined) {
      known.job = showJob(job);
      known.heldUntil = 0;
    }
  }

  /** A submission that reached the SRI. */
  submitted(accessKey: string, sha256: string): void {
    const known = this.#byKey.get(accessKey);
    if (!known) {
      this.violate('only stored documents are submitted', accessKey);
      return;
    }
    if (!known.files.has(sha256)) this.violate('the stored bytes are submitted', accessKey);
  }

  /** A process begins a request to the SRI. */
  calls(process: string, operation: 'submission' | 'question', accessKey: string): void {
    const known = this.#byKey.get(accessKey);
    const own = known?.attemptsOf.get(process);
    if (!known || !own) return;
    if (operation === 'question') {
      known.asked.add(Math.max(...own));
      return;
    }
    // A frozen process may send its attempt after a later one, which no process can know.
    const isFirst = (attempt: number) => [...known.submitted].every((other) => other >= attempt);
    if (!own.some((attempt) => known.asked.has(attempt) || isFirst(attempt))) {
      this.violate('the SRI is asked before a document is sent again', `${accessKey}, attempt ${own}, ${process}`);
    }
    known.submitted.add(Math.max(...own));
  }

  /** Whether a file is the document's current one. */
  isSigned(accessKey: string, file: string): boolean {
    return this.#byKey.get(accessKey)?.file === hash(file);
  }

  /** Requires that the numbers of every counter are consecutive from the first. */
  requireDense(): void {
    for (const [counter, numbers] of this.#numbers) {
      const highest = Math.max(...numbers.keys());
      if (highest !== numbers.size) this.violate('numbers have no gap', `${counter}: ${numbers.size} of ${highest}`);
    }
  }

  #stored(
    { counter, documents }: Pick<NewDocuments, 'counter' | 'documents'>,
    { leases }: Extract<StoreOutcome, { kind: 'stored' }>,
    process: string,
  ): void {
    for (const { document, contents, leaseMs = 0 } of documents) {
      const file = hash(contents.signedXml);
      const known: Known = {
        id: document.id,
        issuerId: document.issuerId,
        status: document.status,
        accessKey: document.accessKey,
        token: -1,
        heldUntil: 0,
        attempts: 0,
        attemptsOf: new Map(),
        asked: new Set(),
        submitted: new Set(),
        files: new Set([file]),
        file,
        job: showJob(document.job),
      };
      if (this.#byId.has(document.id)) this.violate('a document is stored once', document.id);
      this.#byId.set(document.id, known);
      if (document.idempotencyKey !== null) {
        const order = `${document.issuerId} ${document.environment} ${document.idempotencyKey}`;
        if (this.#orders.has(order)) this.violate('an idempotency key has one document', order);
        this.#orders.add(order);
      }
      this.#bind(document.accessKey, known);
      this.#number(counter, document.sequential, document.id);
      const scope = `${document.issuerId} ${document.environment}`;
      const created = (this.#created.get(scope) ?? 0) + 1;
      this.#created.set(scope, created);
      if (created > (this.#quotas.get(document.issuerId) ?? created)) {
        this.violate('a quota is exact', `${scope} has ${created}`);
      }
      const lease = leases?.get(document.id);
      const { createdAt: now, job } = document;
      if (lease && job) this.#claimed({ lease, job, document }, { now, leaseMs }, process);
    }
  }

  #bind(accessKey: string, known: Known): void {
    const other = this.#byKey.get(accessKey);
    if (other && other !== known) this.violate('an access key has one document', accessKey);
    this.#byKey.set(accessKey, known);
  }

  #number({ issuerId, environment, documentType }: Counter, sequential: number, id: string): void {
    const name = `${issuerId} ${environment} ${documentType}`;
    const numbers = this.#numbers.get(name) ?? new Map<number, string>();
    this.#numbers.set(name, numbers);
    const other = numbers.get(sequential);
    if (other !== undefined) this.violate('a number is given once', `${name} ${sequential}: ${other} and ${id}`);
    numbers.set(sequential, id);
  }

  #signedAgain(known: Known, signedXml: string): void {
    if (known.status === 'PENDING_SEND' || known.status === 'RECEIVED' || known.status === 'AUTHORIZED') {
      this.violate('nothing is signed again after its submission', `${known.accessKey} is ${known.status}`);
    }
    known.file = hash(signedXml);
    known.files.add(known.file);
    known.submitted = new Set();
    known.asked = new Set();
    // An attempt that still runs concerns the earlier file.
    known.attemptsOf.clear();
  }

  #claimed(
    { lease, job, document }: ClaimedJob,
    { now, leaseMs }: { readonly now: Date; readonly leaseMs: number },
    process: string,
  ): void {
    const known = this.#byId.get(document.id);
    if (!known) {
      this.violate('a claimed job has its document', document.id);
      return;
    }
    if (lease.token <= known.token) this.violate('a later lease has a higher token', known.accessKey);
    if (!this.isSkewed && known.heldUntil > machine.now()) {
      this.violate('one process at a time holds a job', `${known.accessKey}, ${known.heldUntil - machine.now()} ms`);
    }
    known.token = lease.token;
    known.heldUntil = now.getTime() + leaseMs;
    if (job.operation !== 'SEND') return;
    known.attempts += 1;
    known.attemptsOf.set(process, [...(known.attemptsOf.get(process) ?? []), known.attempts]);
  }

  #requireLease(known: Known, lease: JobLease, what: string): void {
    if (known.token === lease.token) return;
    this.violate('a lost lease writes nothing', `${known.accessKey}: ${lease.token} ${what}, ${known.token} holds it`);
  }
}

// --- internal ---

function showJob(job: Job | null): Known['job'] {
  return job ? ` ${job.operation} ${job.status}` : '';
}

/** The statuses that may follow each. */
const NEXT: Readonly<Record<DocumentStatus, readonly DocumentStatus[]>> = {
  SIGNED: ['PENDING_SEND'],
  // One commit records that the SRI has it, and its verdict.
  PENDING_SEND: ['RECEIVED', 'RETURNED', 'AUTHORIZED', 'NOT_AUTHORIZED'],
  RECEIVED: ['AUTHORIZED', 'NOT_AUTHORIZED', 'RETURNED'],
  RETURNED: ['SIGNED'],
  NOT_AUTHORIZED: ['SIGNED'],
  AUTHORIZED: ['VOIDED'],
  VOIDED: [],
};

/** SHA-256 in hex, as the simulator's journal has it. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
