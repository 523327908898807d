import type { AccessKey } from './access-key.js';
import type { IsoDate } from './calendar.js';
import type { Counterparty } from './documents/document-type.js';
import type { DocumentTypeCode } from './documents/registry.js';
import type { Environment } from './environment.js';
import type { DocumentStatus } from './lifecycle/status.js';

/** The issuer and environment of documents. Every call names a scope, so that nothing crosses over. */
export interface Scope {
  readonly issuerId: string;
  readonly environment: Environment;
}

/** One counter of numbers: an issuer, an environment, a document type. */
export interface Counter extends Scope {
  readonly documentType: DocumentTypeCode;
}

/** The next operation of a job. */
export type JobOperation = 'SEND' | 'AUTHORIZE';

/** The pending work of a document. A document has at most one job. */
export interface Job {
  readonly operation: JobOperation;
  /** `FAILED`: the automatic attempts are used up. It may still have a `dueAt`, for the late queries of a slow SRI. */
  readonly status: 'PENDING' | 'FAILED';
  /** When a worker may claim it; null when no worker should. */
  readonly dueAt: Date | null;
  /** Finished attempts of this operation. */
  readonly attemptCount: number;
  /** Message of the last failed attempt. */
  readonly lastError: string | null;
  /** True when a submission may have reached the SRI unanswered: query the key before sending again. */
  readonly unconfirmed: boolean;
}

/** A document without its large parts, which are `DocumentContents`. */
export interface StoredDocument extends Scope {
  /** UUIDv7: sorts by creation time. */
  readonly id: string;
  readonly documentType: DocumentTypeCode;
  readonly sequential: number;
  readonly accessKey: AccessKey;
  readonly status: DocumentStatus;
  readonly issueDate: IsoDate;
  /** Decimal text with two decimals. */
  readonly total: string;
  /** The counterparty: for an invoice, the buyer. */
  readonly counterparty: Counterparty;
  /** Further mail addresses that receive the document. */
  readonly copies: readonly string[];
  /** The document that this one modifies; null when it modifies no document. */
  readonly modifies: { readonly documentType: string; readonly number: string } | null;
  /** `date` exactly as the SRI wrote it. Present from AUTHORIZED on. */
  readonly authorization: { readonly number: string; readonly date: string } | null;
  readonly voided: { readonly reason: string; readonly at: Date } | null;
  readonly mail: { readonly status: MailStatus; readonly sentAt: Date | null; readonly error: string | null };
  readonly idempotencyKey: string | null;
  /** SHA-256 of the creation payload in canonical JSON: distinguishes a replay from another payload. */
  readonly payloadHash: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Increases with every change; a change names the revision it was decided on. */
  readonly revision: number;
  /** The current job; null when the document is settled. `running` is true while a worker holds the lease. */
  readonly job: (Job & { readonly running: boolean }) | null;
}

/** State of the mail to the counterparty. */
export type MailStatus = 'PENDING' | 'SENT' | 'DELIVERED' | 'FAILED' | 'COMPLAINED' | 'SKIPPED';

/** The large parts of a document, stored apart so that lists never read them. */
export interface DocumentContents {
  /** The exact signed and sent bytes, as text. */
  readonly signedXml: string;
  /** The original creation body; null when there was none. */
  readonly requestPayload: unknown;
  /** The comprobante inside the SRI's authorization when its bytes differ from `signedXml`; null when they are equal. */
  readonly authorizedXml: string | null;
}

/** The large parts of a stored document, as they were read. */
export interface StoredContents extends DocumentContents {
  /** The document's revision at that moment: at another one the document may have other parts. */
  readonly revision: number;
}

/** An entry of the document's history. */
export interface DocumentEvent {
  /** Follows from the place of the entry, as `historyId` says: a storage of the place need not keep it. */
  readonly id: string;
  readonly eventType: string;
  readonly fromStatus: DocumentStatus | null;
  readonly toStatus: DocumentStatus | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
  readonly createdAt: Date;
}

/** A message of the SRI, unchanged. */
export interface SriMessage {
  readonly identifier: string;
  readonly message: string;
  readonly additionalInfo: string | null;
  /** `ERROR`, `ADVERTENCIA` or `INFORMATIVO`. */
  readonly type: string;
}

/** One call to the SRI about a document, and its result. */
export interface SriResponse {
  /** As the id of an event. */
  readonly id: string;
  readonly operationType: 'RECEPTION' | 'AUTHORIZATION';
  /** The SRI's estado with underscores, or `HTTP_<code>` without a usable answer. */
  readonly status: string;
  readonly messages: readonly SriMessage[] | null;
  readonly createdAt: Date;
}

/** A document to store, with its first events. */
export interface NewDocument {
  readonly document: StoredDocument;
  readonly contents: DocumentContents;
  readonly events: readonly DocumentEvent[];
  /** The same commit claims the document's job for the caller, as `claimJobOf` would right after it. */
  readonly leaseMs?: number;
}

/** Consecutive numbers of one counter, stored all together or not at all. */
export interface NewDocuments {
  readonly counter: Counter;
  /** The number the counter must be at; `documents` carry it and the following ones, in order. */
  readonly firstSequential: number;
  readonly documents: readonly NewDocument[];
}

/** The result of a batch: stored, or the reason for rejecting it. */
export type StoreOutcome =
  | {
      readonly kind: 'stored';
      /** The leases of documents with `leaseMs`, by document id; absent without any. */
      readonly leases?: ReadonlyMap<string, JobLease>;
    }
  /** Another writer took the number first; `nextSequential` is the counter's current position. */
  | { readonly kind: 'counterMoved'; readonly nextSequential: number }
  /** The idempotency key of `documents[index]` is already bound in this scope. */
  | { readonly kind: 'idempotencyKeyTaken'; readonly index: number }
  /** The access key of `documents[index]` exists in this scope. A storage may reject a key of another scope too. */
  | { readonly kind: 'accessKeyTaken'; readonly index: number };

/** Proof that a worker holds a job. A later lease has a higher `token`, so that a frozen worker's write is rejected. */
export interface JobLease {
  readonly documentId: string;
  readonly token: number;
}

/** A claimed job with its document. `job.unconfirmed` is the value before this claim. */
export interface ClaimedJob {
  readonly lease: JobLease;
  readonly job: Job;
  readonly document: StoredDocument;
}

/** A change of one document: everything in it commits together, or nothing does. */
export interface DocumentChange {
  readonly document: StoredDocument;
  /** The fields with a new value; others stay. Applied only while the revision equals `document.revision`. */
  readonly set: Partial<
    Pick<
      StoredDocument,
      | 'status'
      | 'accessKey'
      | 'sequential'
      | 'issueDate'
      | 'total'
      | 'counterparty'
      | 'copies'
      | 'modifies'
      | 'authorization'
      | 'voided'
      | 'mail'
    >
  >;
  readonly contents?: Partial<DocumentContents>;
  readonly events: readonly DocumentEvent[];
  readonly responses: readonly SriResponse[];
  /** The next job: a job replaces the current one, `null` ends it, absent leaves it. A replaced job has no lease. */
  readonly job?: Job | null;
  /** The lease under which the change was decided; the change is rejected when another worker has claimed the job. */
  readonly lease?: JobLease;
  readonly at: Date;
  /**
   * A number to take with the change, for a document that gets a new one. The counter must be at it, and moves one up. The
   * old access key still finds the document.
   */
  readonly takes?: { readonly counter: Counter; readonly sequential: number };
}

/** A change that gives a document its job. */
export type QueueingChange = Omit<DocumentChange, 'lease' | 'takes'> & { readonly job: Job };

/** Several issuers of one environment: lists search them together. */
export interface IssuersScope {
  readonly issuerIds: readonly string[];
  readonly environment: Environment;
}

/** The filter of documents. All given conditions apply together. */
export interface DocumentFilter {
  readonly status?: DocumentStatus;
  readonly documentType?: string;
  /** First and last issue date, both included, as YYYY-MM-DD. */
  readonly from?: IsoDate;
  readonly to?: IsoDate;
  /** Part of the nine-digit number. */
  readonly sequential?: string;
  /** Part of the counterparty's name, ignoring case. */
  readonly buyerName?: string;
  /** The counterparty's identification, whole. */
  readonly buyerId?: string;
  /** An access key, whole: the document's own or one that it had before. */
  readonly accessKey?: string;
  /** The lowest and the highest total, both included: decimal text with at most two decimals. */
  readonly totalFrom?: string;
  readonly totalTo?: string;
  /** Words of a search field, with the meaning of `readSearchText`. */
  readonly q?: string;
}

/** A place in a walk along documents: that of the last document that was read. */
export interface WalkCursor {
  readonly issueDate: IsoDate;
  readonly createdAt: Date;
  readonly id: string;
}

/** The sort keys of a list. */
export const SORT_KEYS = ['sequential', 'buyerName', 'issueDate', 'status', 'createdAt'] as const;

/** A page of a list: its filter, order and place. Texts are ordered by their UTF-8 bytes, names as `foldCase` folds them. */
export interface DocumentQuery extends DocumentFilter {
  /**
   * Default `createdAt`, by which documents of one instant follow in the order of their ids: `asc` is the reverse of `desc`. By
   * another key, equal documents stay newest created first, in either direction.
   */
  readonly sortBy?: (typeof SORT_KEYS)[number];
  /** Default `desc`. */
  readonly sortDirection?: 'asc' | 'desc';
  /** From 1. */
  readonly page: number;
  /** Documents of a page, from 1. */
  readonly limit: number;
}

/** The filter of figures. All given conditions apply together. */
export interface FigureQuery {
  /** First and last issue date, both included, as YYYY-MM-DD. */
  readonly from?: IsoDate;
  readonly to?: IsoDate;
  readonly documentType?: string;
}

/** Count and sum of the documents of one type, status and issue date. */
export interface DocumentFigure {
  readonly documentType: DocumentTypeCode;
  readonly status: DocumentStatus;
  readonly issueDate: IsoDate;
  /** At least 1. */
  readonly count: number;
  /** Sum of the totals, as decimal text with two decimals. */
  readonly total: string;
}

/**
 * The storage port of the library. Implementations are durable when a call resolves: acknowledged data survives a power cut.
 * They reject with `StorageUnavailableError` when nothing could be done, and then nothing was done.
 */
export interface Storage {
  /** The next number of the counter; 1 for an unused counter. It takes nothing. */
  nextSequential(counter: Counter): Promise<number>;

  /**
   * Moves a counter forward. Atomic with `storeDocuments`: a number is given once.
   *
   * @returns false, with nothing changed, when `next` is below the counter's position.
   */
  setNextSequential(counter: Counter, next: number): Promise<boolean>;

  /**
   * Counter, documents, contents and events in one commit; or nothing, with the reason. A batch may be submitted while the
   * batch before it is being stored. It is then stored after it, or rejected when the counter is elsewhere.
   */
  storeDocuments(batch: NewDocuments): Promise<StoreOutcome>;

  /**
   * As `storeDocuments`, for a caller that lost several counter races: it locks the counter first and then builds the
   * documents, so that no race remains. Other callers wait until it ends.
   *
   * @param build returns the documents with the numbers from `firstSequential` on. It runs once at most and must not use the
   * storage. An error in it rolls everything back and reaches the caller.
   */
  storeUnderLock(
    counter: Counter,
    build: (firstSequential: number) => Promise<readonly NewDocument[]>,
  ): Promise<StoreOutcome>;

  /** The document with that key, current or former; null when this scope has none. */
  findDocument(scope: Scope, accessKey: string): Promise<StoredDocument | null>;

  findByIdempotencyKey(scope: Scope, idempotencyKey: string): Promise<StoredDocument | null>;

  /** The large parts of a document in this scope; null when it does not exist. */
  readContents(scope: Scope, accessKey: string): Promise<StoredContents | null>;

  /**
   * One page, and the total of matches. Newest created first unless sorted otherwise.
   *
   * @param scope one issuer, or several whose documents form one list.
   */
  listDocuments(
    scope: Scope | IssuersScope,
    query: DocumentQuery,
  ): Promise<{ readonly documents: readonly StoredDocument[]; readonly total: number }>;

  /**
   * A step along the documents of a scope in the order of issue date, then of creation. Each step reads a bounded number of
   * rows, so that a walk along all documents needs little memory and other calls run between its steps. A step may find no
   * document although more follow.
   *
   * @param from where the step before ended; null for the first.
   * @returns the documents that match, and where the next step begins; null at the end. A document whose issue date changes
   * during a walk may be found twice or not at all.
   */
  walkDocuments(
    scope: Scope,
    filter: DocumentFilter,
    from: WalkCursor | null,
  ): Promise<{ readonly documents: readonly StoredDocument[]; readonly next: WalkCursor | null }>;

  /**
   * The scope's documents in figures, in the order of issue date, type and status. Exact: the counts equal those of a list
   * with the same conditions. The cost depends on the days, not on the documents.
   *
   * @param scope one issuer, or several whose figures add up.
   */
  documentFigures(scope: Scope | IssuersScope, query?: FigureQuery): Promise<readonly DocumentFigure[]>;

  /**
   * The authorized documents of any of these issuers that modify a document, newest created first. Another issue point may
   * modify it, so several issuers are searched.
   *
   * @param query.types the document types to search.
   */
  documentsThatModify(
    issuerIds: readonly string[],
    modified: { readonly environment: Environment; readonly documentType: string; readonly number: string },
    query: { readonly types: readonly DocumentTypeCode[] },
  ): Promise<readonly StoredDocument[]>;

  /**
   * Documents whose automatic attempts are used up and whose job no worker holds, oldest first, up to `limit`; and their
   * total.
   */
  failedDocuments(
    scope: Scope,
    query: { readonly operation?: JobOperation; readonly limit: number },
  ): Promise<{ readonly documents: readonly StoredDocument[]; readonly total: number }>;

  /** Oldest first. */
  documentEvents(scope: Scope, accessKey: string): Promise<readonly DocumentEvent[]>;

  /** Newest first, the newest 1,000: a caller can query an authorization again and again. */
  sriResponses(scope: Scope, accessKey: string): Promise<readonly SriResponse[]>;

  /**
   * Applies a change in one commit.
   *
   * @returns `applied`; or, with nothing changed, the first reason that holds: `leaseLost` when another worker holds the job,
   * from which this one cannot recover, `stale` when the document's revision moved on, `counterMoved` when `takes` came too
   * late.
   * @throws any error, with nothing changed, when `set.accessKey` belongs to another document.
   */
  changeDocument(change: DocumentChange): Promise<'applied' | 'stale' | 'leaseLost' | 'counterMoved'>;

  /**
   * As `changeDocument`, for a document without a job: the same commit claims its new job for the caller, as `claimJobOf`
   * would right after it.
   *
   * @returns the lease; or `stale`, with nothing changed.
   * @throws any error, with nothing changed, when the document has a job.
   */
  changeAndClaim(change: QueueingChange, leaseMs: number): Promise<JobLease | 'stale'>;

  /**
   * As `changeDocument`, for a change that takes a number after several lost counter races: it locks the counter first and
   * then builds the change. Other callers wait until it ends.
   *
   * @param build returns a change that takes this number. It runs once at most and must not use the storage. An error in it
   * rolls everything back and reaches the caller.
   */
  changeUnderLock(
    counter: Counter,
    build: (sequential: number) => Promise<DocumentChange>,
  ): Promise<'applied' | 'stale' | 'leaseLost' | 'counterMoved'>;

  /**
   * Claims up to `limit` due jobs without a lease, for `leaseMs`. Two callers never hold the same job at one time; a job
   * whose lease expired can be claimed again. A claimed SEND is stored as `unconfirmed` in the same commit, so that a crash
   * from here on is known to be ambiguous. No scope starves another: the oldest job of each issuer comes before the second
   * of any, and issuers rotate.
   *
   * A clock that ran ahead and was corrected leaves times beyond every regular delay. A job with such a time counts as due,
   * and its lease as expired.
   *
   * @param claim.longestMs the longest regular delay of a job of either status, leases included. Absent, all times are
   * trusted. @param claim.inTurns orders the issuers that have a due job; it receives up to 256 of them, or up to `limit`
   * if that is more. Absent, issuers rotate by id.
   */
  claimJobs(claim: {
    readonly now: Date;
    readonly limit: number;
    readonly leaseMs: number;
    readonly longestMs?: Readonly<Record<Job['status'], number>>;
    readonly inTurns?: (issuerIds: readonly string[]) => Promise<readonly string[]>;
  }): Promise<readonly ClaimedJob[]>;

  /**
   * Claims the job of one document as `claimJobs` does, due or not. A lease that ends later than ten times `leaseMs` from
   * now counts as expired.
   *
   * @returns null when the document has no job or a worker holds it.
   */
  claimJobOf(
    document: StoredDocument,
    claim: { readonly now: Date; readonly leaseMs: number },
  ): Promise<ClaimedJob | null>;

  /** Extends a lease. @returns false when it was lost. */
  renewLease(lease: JobLease, until: Date): Promise<boolean>;

  /**
   * Releases a job in the state of `claimed.job`: unchanged, by a worker that stops before it starts, or with another
   * `dueAt`. Has no effect when the lease was lost.
   */
  releaseJob(claimed: ClaimedJob): Promise<void>;

  /**
   * The last recorded standing of the SRI's host in an environment; null without a record. `state` is an opaque text of the
   * engine.
   */
  readHostState(environment: Environment): Promise<{ readonly state: string; readonly revision: number } | null>;

  /**
   * Records the standing. Compare-and-set: of several callers with the same revision, one wins.
   *
   * @param noted.revision the revision that was read; 0 without a record.
   * @returns false, with nothing changed, when another caller recorded a state first. The next revision is one higher.
   */
  changeHostState(
    environment: Environment,
    noted: { readonly state: string; readonly revision: number },
  ): Promise<boolean>;

  /**
   * When the next job can be claimed; null without a job. A held job counts from the end of its lease, in case its worker is
   * gone. A loop sleeps exactly so long.
   */
  nextDueAt(): Promise<Date | null>;
}
