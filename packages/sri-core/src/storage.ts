import type { AccessKey } from './access-key.js';
import type { IsoDate } from './calendar.js';
import type { Counterparty } from './documents/document-type.js';
import type { DocumentTypeCode } from './documents/registry.js';
import type { Environment } from './environment.js';
import type { DocumentStatus } from './lifecycle/status.js';

/** Whose documents, and in which of the two worlds. Every call names one, so that nothing crosses over. */
export interface Scope {
  readonly issuerId: string;
  readonly environment: Environment;
}

/** One run of numbers: an issuer, an environment, a document type. */
export interface Counter extends Scope {
  readonly documentType: DocumentTypeCode;
}

/** What a job does next for its document. */
export type JobOperation = 'SEND' | 'AUTHORIZE';

/** The work that waits for a document in flight. A document has at most one. */
export interface Job {
  readonly operation: JobOperation;
  /** `FAILED`: the automatic attempts are used up. It may still have a `dueAt`, for the late checks of a slow SRI. */
  readonly status: 'PENDING' | 'FAILED';
  /** When a worker may take it; null for never by itself. */
  readonly dueAt: Date | null;
  /** Finished attempts of this operation. */
  readonly attemptCount: number;
  /** Message of the last attempt that failed. */
  readonly lastError: string | null;
  /** True when a submission may have reached the SRI unanswered: ask for the key before sending again. */
  readonly unconfirmed: boolean;
}

/** A document without its large parts; those are `DocumentContents`. */
export interface StoredDocument extends Scope {
  /** UUIDv7: sorts by creation. */
  readonly id: string;
  readonly documentType: DocumentTypeCode;
  readonly sequential: number;
  readonly accessKey: AccessKey;
  readonly status: DocumentStatus;
  readonly issueDate: IsoDate;
  /** Decimal text with two decimals. */
  readonly total: string;
  /** The other side of the document: for an invoice, the buyer. */
  readonly counterparty: Counterparty;
  /** The document that this one modifies; null when it modifies none. */
  readonly modifies: { readonly documentType: string; readonly number: string } | null;
  /** `date` exactly as the SRI wrote it. Present from AUTHORIZED on. */
  readonly authorization: { readonly number: string; readonly date: string } | null;
  readonly voided: { readonly reason: string; readonly at: Date } | null;
  readonly mail: { readonly status: MailStatus; readonly sentAt: Date | null; readonly error: string | null };
  readonly idempotencyKey: string | null;
  /** SHA-256 of the creation payload in canonical JSON: tells a replay from another payload. */
  readonly payloadHash: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Rises with every change; a change names the one it was decided on. */
  readonly revision: number;
  /** The job in flight; null when settled. `running` is true while a worker holds it. */
  readonly job: (Job & { readonly running: boolean }) | null;
}

/** State of the mail to the counterparty. */
export type MailStatus = 'PENDING' | 'SENT' | 'DELIVERED' | 'FAILED' | 'COMPLAINED' | 'SKIPPED';

/** The large parts of a document, kept apart so that lists never read them. */
export interface DocumentContents {
  /** Exactly the bytes that were signed and are sent, as text. */
  readonly signedXml: string;
  /** The creation body as it came; null when there was none. */
  readonly requestPayload: unknown;
  /** The comprobante inside the SRI's authorization when its bytes differ from `signedXml`; null when they are equal. */
  readonly authorizedXml: string | null;
}

/** An entry of the document's history. */
export interface DocumentEvent {
  readonly id: string;
  readonly eventType: string;
  readonly fromStatus: DocumentStatus | null;
  readonly toStatus: DocumentStatus | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
  readonly createdAt: Date;
}

/** A message of the SRI, as it came. */
export interface SriMessage {
  readonly identifier: string;
  readonly message: string;
  readonly additionalInfo: string | null;
  /** `ERROR`, `ADVERTENCIA` or `INFORMATIVO`. */
  readonly type: string;
}

/** One attempt to talk to the SRI about a document, and what came of it. */
export interface SriResponse {
  readonly id: string;
  readonly operationType: 'RECEPTION' | 'AUTHORIZATION';
  /** The SRI's estado with underscores, or `HTTP_<code>` when no usable answer came. */
  readonly status: string;
  readonly messages: readonly SriMessage[] | null;
  readonly createdAt: Date;
}

/** A document about to be stored, with its first event. */
export interface NewDocument {
  readonly document: StoredDocument;
  readonly contents: DocumentContents;
  readonly events: readonly DocumentEvent[];
}

/** Consecutive numbers of one counter, stored all together or not at all. */
export interface NewDocuments {
  readonly counter: Counter;
  /** The number the counter has to stand at; `documents` carry it and the ones that follow, in order. */
  readonly firstSequential: number;
  readonly documents: readonly NewDocument[];
}

/** Why nothing was stored, or that all was. */
export type StoreOutcome =
  | { readonly kind: 'stored' }
  /** Someone else took the number first; `nextSequential` is where the counter stands now. */
  | { readonly kind: 'counterMoved'; readonly nextSequential: number }
  /** The idempotency key of `documents[index]` is already bound in this scope. */
  | { readonly kind: 'idempotencyKeyTaken'; readonly index: number }
  /** The access key of `documents[index]` exists. */
  | { readonly kind: 'accessKeyTaken'; readonly index: number };

/** Proof that a worker holds a job. A later holder's `token` is higher, so that a frozen worker's write is refused. */
export interface JobLease {
  readonly documentId: string;
  readonly token: number;
}

/** A job taken by a worker, with its document. `job.unconfirmed` is as it stood before this claim. */
export interface ClaimedJob {
  readonly lease: JobLease;
  readonly job: Job;
  readonly document: StoredDocument;
}

/** A change of one document: everything in it commits together, or nothing does. */
export interface DocumentChange {
  readonly document: StoredDocument;
  /** Fields that take a new value; the rest stays. Applied only while the revision is still `document.revision`. */
  readonly set: Partial<
    Pick<
      StoredDocument,
      | 'status'
      | 'accessKey'
      | 'sequential'
      | 'issueDate'
      | 'total'
      | 'counterparty'
      | 'modifies'
      | 'authorization'
      | 'voided'
      | 'mail'
    >
  >;
  readonly contents?: Partial<DocumentContents>;
  readonly events: readonly DocumentEvent[];
  readonly responses: readonly SriResponse[];
  /** The job from now on: another one, `null` to end it, absent to leave it. A job that is set is no longer leased. */
  readonly job?: Job | null;
  /** The lease under which the change was worked out; the change is refused when another worker has taken the job. */
  readonly lease?: JobLease;
  readonly at: Date;
  /**
   * A number taken along with the change, for a document that gets a new one: the counter must stand at it, and stands
   * one higher afterwards. The old access key keeps finding the document.
   */
  readonly takes?: { readonly counter: Counter; readonly sequential: number };
}

/** Which documents to list. All given conditions hold together. */
export interface DocumentQuery {
  readonly status?: DocumentStatus;
  readonly documentType?: string;
  /** First and last issue date, both included. */
  readonly from?: IsoDate;
  readonly to?: IsoDate;
  /** Part of the nine-digit number. */
  readonly sequential?: string;
  /** Part of the name of the counterparty, in any case. */
  readonly buyerName?: string;
  /** Documents that are equal in it stay newest created first, in either direction. */
  readonly sortBy?: 'sequential' | 'buyerName' | 'issueDate' | 'status' | 'createdAt';
  /** Default `desc`. */
  readonly sortDirection?: 'asc' | 'desc';
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

/** Which figures to read. All given conditions hold together. */
export interface FigureQuery {
  /** First and last issue date, both included. */
  readonly from?: IsoDate;
  readonly to?: IsoDate;
  readonly documentType?: string;
}

/** How many documents of one type, status and issue date there are, and what they add up to. */
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
 * What core needs to keep. Implementations are durable when a call resolves: what was acknowledged survives a power
 * cut. They reject with `StorageUnavailableError` when nothing could be done, and then nothing was done.
 */
export interface Storage {
  /** The number the next document of the counter gets; 1 for a counter that was never used. Takes nothing. */
  nextSequential(counter: Counter): Promise<number>;

  /**
   * Moves a counter forward. Atomic against `storeDocuments`: a number is given once.
   *
   * @returns false, with nothing changed, when `next` is below where the counter already stands.
   */
  setNextSequential(counter: Counter, next: number): Promise<boolean>;

  /**
   * Counter, documents, contents and events in one commit; or nothing, with the reason. The batch behind one that is being
   * stored may come before that one is: it is stored after it, or refused since the counter stands elsewhere.
   */
  storeDocuments(batch: NewDocuments): Promise<StoreOutcome>;

  /**
   * As `storeDocuments`, for a caller whose numbers were taken by others again and again: keeps everybody else from the
   * counter first and has the documents built then, so that no race is left to lose. Others wait meanwhile.
   *
   * @param build gives the documents that carry the numbers from `firstSequential` on. Called once at most; it does not
   * use the storage. What it throws undoes everything and reaches the caller.
   */
  storeUnderLock(
    counter: Counter,
    build: (firstSequential: number) => Promise<readonly NewDocument[]>,
  ): Promise<StoreOutcome>;

  /** The document of that key, or that once had it; null when this scope has none. */
  findDocument(scope: Scope, accessKey: string): Promise<StoredDocument | null>;

  findByIdempotencyKey(scope: Scope, idempotencyKey: string): Promise<StoredDocument | null>;

  /** The large parts of a document found in this scope; null when it is not there. */
  readContents(scope: Scope, accessKey: string): Promise<DocumentContents | null>;

  /** One page, and how many match in all. Newest created first unless sorted otherwise. */
  listDocuments(
    scope: Scope,
    query: DocumentQuery,
  ): Promise<{ readonly documents: readonly StoredDocument[]; readonly total: number }>;

  /**
   * The scope's documents in figures, by issue date, type and status. Exact: they count what a list with the same
   * conditions shows. Costs by the days and not by the documents.
   */
  documentFigures(scope: Scope, query?: FigureQuery): Promise<readonly DocumentFigure[]>;

  /**
   * The authorized documents of any of these issuers that modify a document, newest created first. Another issue point may
   * modify it, so several issuers are searched.
   *
   * @param query.types which types of document to look for.
   */
  documentsThatModify(
    issuerIds: readonly string[],
    modified: { readonly environment: Environment; readonly documentType: string; readonly number: string },
    query: { readonly types: readonly DocumentTypeCode[] },
  ): Promise<readonly StoredDocument[]>;

  /**
   * Documents whose automatic attempts are used up and which no worker holds, at most `limit` of them, oldest first; and
   * how many there are in all.
   */
  failedDocuments(
    scope: Scope,
    query: { readonly operation?: JobOperation; readonly limit: number },
  ): Promise<{ readonly documents: readonly StoredDocument[]; readonly total: number }>;

  /** Oldest first. */
  documentEvents(scope: Scope, accessKey: string): Promise<readonly DocumentEvent[]>;

  /** Newest first, the newest 1,000: a caller can ask for an authorization again and again. */
  sriResponses(scope: Scope, accessKey: string): Promise<readonly SriResponse[]>;

  /**
   * Applies a change in one commit.
   *
   * @returns `applied`; or, with nothing changed, `stale` when the document's revision moved on, `leaseLost` when
   * another worker holds the job, `counterMoved` when `takes` came too late. Of several reasons a lost lease is told
   * first, since nothing the worker does can help then.
   */
  changeDocument(change: DocumentChange): Promise<'applied' | 'stale' | 'leaseLost' | 'counterMoved'>;

  /**
   * As `changeDocument`, for a change that takes a number and whose numbers were taken by others again and again: keeps
   * everybody else from the counter first and has the change built then. Others wait meanwhile.
   *
   * @param build gives a change that takes this number. Called once at most; it does not use the storage. What it throws
   * undoes everything and reaches the caller.
   */
  changeUnderLock(
    counter: Counter,
    build: (sequential: number) => Promise<DocumentChange>,
  ): Promise<'applied' | 'stale' | 'leaseLost' | 'counterMoved'>;

  /**
   * Takes up to `limit` jobs that are due and held by no one, for `leaseMs`. Two callers never hold the same job at one
   * time; a job whose lease ran out can be taken again. A claimed SEND is stored as `unconfirmed` in the same commit,
   * so that a crash from here on is known to be ambiguous. No scope starves another: the oldest job of each issuer comes
   * before the second of any, and issuers go round.
   *
   * A clock that was ahead and is put right leaves times behind that lie further ahead than any that is given. A job of
   * such a time counts as due, and its lease as ended.
   *
   * @param claim.longestMs the longest time ahead that a job of either status is given, leases included. Left out, times
   * are believed. @param claim.inTurns puts issuers that have a job to be had in the order in which they are served; it is given up to
   * 256 of them. Left out, they go round by their ids.
   */
  claimJobs(claim: {
    readonly now: Date;
    readonly limit: number;
    readonly leaseMs: number;
    readonly longestMs?: Readonly<Record<Job['status'], number>>;
    readonly inTurns?: (issuerIds: readonly string[]) => Promise<readonly string[]>;
  }): Promise<readonly ClaimedJob[]>;

  /**
   * Takes the job of one document as `claimJobs` does, whether or not it is due. A lease that ends later than ten times
   * `leaseMs` from now counts as ended.
   *
   * @returns null when it has none or a worker holds it.
   */
  claimJobOf(
    document: StoredDocument,
    claim: { readonly now: Date; readonly leaseMs: number },
  ): Promise<ClaimedJob | null>;

  /** Extends a lease. @returns false when it was lost. */
  renewLease(lease: JobLease, until: Date): Promise<boolean>;

  /**
   * Gives a job back as `claimed.job` says: as it was, by a worker that stops before it began, or with another `dueAt`.
   * Nothing happens when the lease was lost.
   */
  releaseJob(claimed: ClaimedJob): Promise<void>;

  /**
   * How the SRI's host of an environment stands, as the processes on this storage last noted it; null when none has.
   * `state` is a text of the engine's.
   */
  readHostState(environment: Environment): Promise<{ readonly state: string; readonly revision: number } | null>;

  /**
   * Notes how it stands. Compare-and-set: of several callers that read one revision, one is believed.
   *
   * @param noted.revision the revision that was read; 0 where none was.
   * @returns false, with nothing changed, when another has noted something since. The next revision is one higher.
   */
  changeHostState(
    environment: Environment,
    noted: { readonly state: string; readonly revision: number },
  ): Promise<boolean>;

  /**
   * When the next job can be claimed; null when none will. A held one counts from the end of its lease, in case its
   * worker is gone. Lets a loop sleep exactly so long.
   */
  nextDueAt(): Promise<Date | null>;
}
