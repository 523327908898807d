import type { Document, ListedDocument, Operations, Warning } from './api.js';
import { ApiError, readAnswer } from './api-error.js';
import type { Api, CallOptions } from './call-operation.js';
import { itemsOf } from './pages.js';
import { type Connection, UNAVAILABLE } from './send-request.js';

/** The body of a new document, of any type. */
export type DocumentInput = Operations['createDocument']['body'];

/** The filter of a list of documents. */
export type DocumentFilter = Omit<NonNullable<Operations['listDocuments']['query']>, 'page'>;

/** The filter and the format of an export. */
export type ExportFilter = NonNullable<Operations['exportDocuments']['query']>;

/** A new document, or the document of an earlier call with the same key. */
export interface CreatedDocument {
  readonly document: Document;
  readonly warnings: readonly Warning[];
  /** Whether an earlier call created it. */
  readonly replayed: boolean;
}

/** A document as it would be created now. */
export interface DocumentPreview {
  readonly document: Operations['previewDocument']['answer']['document'];
  readonly warnings: readonly Warning[];
  /** The comprobante, unsigned, with zeros for its number. */
  readonly xml: string;
  /** The RIDE, a PDF; null unless it was asked for. */
  readonly ridePdf: Uint8Array<ArrayBuffer> | null;
}

/** A voided document. */
export interface VoidedAnswer {
  readonly document: Operations['voidDocument']['answer']['document'];
  /** What the annulment at the SRI also needs; null where it needs nothing further. */
  readonly advice: string | null;
}

/** The options of a call that waits for the SRI. */
export interface IssueOptions extends CallOptions {
  /** The longest wait, in milliseconds; default a minute. */
  readonly waitMs?: number;
}

/** The documents of an issuer. */
export interface DocumentCalls {
  /** Creates a document. Without an idempotency key it gets a random one, so that a retry is safe. @throws ApiError */
  create(body: DocumentInput, options?: CallOptions): Promise<CreatedDocument>;
  /** Shows a document without creating it. @param options.ride whether to print the RIDE too; default false. @throws ApiError */
  preview(body: DocumentInput, options?: CallOptions & { readonly ride?: boolean }): Promise<DocumentPreview>;
  /**
   * Creates a document, sends it and waits until the SRI decides: `create`, `sendOnce` and `wait`.
   *
   * @returns the document, AUTHORIZED, NOT_AUTHORIZED or RETURNED. When the time or its attempts end, the document as it is;
   * the server continues.
   * @throws ApiError
   */
  issue(body: DocumentInput, options?: IssueOptions): Promise<Document>;
  /**
   * Waits until the SRI decides about a document that was sent.
   *
   * @returns the document, as `issue` does.
   * @throws ApiError, or the reason of the signal.
   */
  wait(accessKey: string, options?: IssueOptions): Promise<Document>;
  /**
   * Every document of the filter, page after page; of every issuer of the account with `issuerId: 'all'`. Collect them before
   * a loop that takes documents out of the filter: the pages behind move up.
   */
  list(filter?: DocumentFilter, options?: CallOptions): AsyncGenerator<ListedDocument>;
  /**
   * All documents of the filter in one file, as it comes. A file that breaks off fails its reader and is not whole.
   *
   * @param filter.format `csv`, `xlsx` or `zip`; default `csv`.
   * @throws ApiError
   */
  export(filter?: ExportFilter, options?: CallOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** A document with the body that made it. @throws ApiError */
  get(accessKey: string, options?: CallOptions): Promise<Operations['getDocument']['answer']['document']>;
  /** Queues a signed document for the SRI. @throws ApiError when it was sent already; see `sendOnce` */
  send(accessKey: string, options?: CallOptions): Promise<Document>;
  /**
   * Sends a document that an earlier call may already have sent.
   *
   * @returns the document; one that was already sent is returned unchanged.
   * @throws ApiError
   */
  sendOnce(accessKey: string, options?: CallOptions): Promise<Document>;
  /** Asks the SRI now. */
  authorize(accessKey: string, options?: CallOptions): Promise<Operations['authorizeDocument']['answer']>;
  /** Starts the attempts of a document again, once all of them have failed. @throws ApiError */
  retry(accessKey: string, options?: CallOptions): Promise<Document>;
  /** Starts the attempts of every failed document of the account again, or of one issuer. @throws ApiError */
  retryFailed(
    only?: NonNullable<Operations['retryFailedDocuments']['body']>,
    options?: CallOptions,
  ): Promise<Operations['retryFailedDocuments']['answer']>;
  /** Builds a returned document again from a whole body; without one, from the body it had. */
  rebuild(
    accessKey: string,
    body?: Operations['rebuildDocument']['body'],
    options?: CallOptions,
  ): Promise<Operations['rebuildDocument']['answer']>;
  /** Marks an authorized document as voided, once that was done in the SRI's portal. @throws ApiError */
  void(accessKey: string, body: Operations['voidDocument']['body'], options?: CallOptions): Promise<VoidedAnswer>;
  /** Mails a document again. @param email.to another address. @param email.force even if it was sent. @throws ApiError */
  email(
    accessKey: string,
    email?: { readonly to?: string; readonly force?: boolean },
    options?: CallOptions,
  ): Promise<Operations['retryDocumentEmail']['answer']['result']>;
  /** Mails every document of the issuer again whose mail failed. @throws ApiError */
  retryEmails(options?: CallOptions): Promise<Operations['retryEmails']['answer']>;
  /** What happened to a document, oldest first. @throws ApiError */
  events(accessKey: string, options?: CallOptions): Promise<Operations['listDocumentEvents']['answer']['events']>;
  /** What the SRI answered about a document, newest first, with advice. @throws ApiError */
  sriResponses(
    accessKey: string,
    options?: CallOptions,
  ): Promise<Operations['listSriResponses']['answer']['sriResponses']>;
  /** The credit notes and debit notes on a document, and what is left to credit. @throws ApiError */
  creditNotes(accessKey: string, options?: CallOptions): Promise<Operations['listCreditNotes']['answer']>;
  /** Counts and sums of an issuer's documents. @throws ApiError */
  stats(
    filter?: NonNullable<Operations['getDocumentStats']['query']>,
    options?: CallOptions,
  ): Promise<Operations['getDocumentStats']['answer']['stats']>;
  /** The printed form, a PDF: pages of A4, or a ticket of 80 mm. */
  ride(
    accessKey: string,
    options?: CallOptions & { readonly format?: 'a4' | 'ticket' },
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** The XML: as the SRI authorized it, else as it was signed. */
  xml(accessKey: string, options?: CallOptions & { readonly variant?: 'authorized' | 'signed' }): Promise<string>;
}

/** The calls about documents. @param pause waits between two looks at a document. */
export function createDocumentCalls({ call, open, stream }: Api, pause: Connection['pause']): DocumentCalls {
  const create = async (body: DocumentInput, options: CallOptions = {}): Promise<CreatedDocument> => {
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    const response = await open('createDocument', { body, ...options, idempotencyKey });
    const { document, warnings = [] } = (await readAnswer(response)) as Operations['createDocument']['answer'];
    return { document, warnings, replayed: response.headers.get('idempotent-replayed') === 'true' };
  };
  const get = async (accessKey: string, options?: CallOptions) =>
    (await call('getDocument', { params: { accessKey }, ...options })).document;
  const send = async (accessKey: string, options?: CallOptions) =>
    (await call('sendDocument', { params: { accessKey }, ...options })).document;

  const sendOnce = async (accessKey: string, options?: CallOptions): Promise<Document> => {
    try {
      return await send(accessKey, options);
    } catch (error) {
      if (!(error instanceof ApiError) || !mayBeSent(error)) throw error;
      const document = await get(accessKey, options);
      if (document.status !== 'SIGNED') return document;
      // The first request may still be under way, and win.
      return send(accessKey, options).catch((cause: unknown) => {
        if (cause instanceof ApiError && isSent(cause)) return get(accessKey, options);
        throw cause;
      });
    }
  };

  const waitFrom = async (first: Document, waitMs: number, options: CallOptions): Promise<Document> => {
    const startedAt = performance.now();
    let document = first;
    let pausedMs = 0;
    for (let stepMs = 250; !isSettled(document); stepMs = Math.min(stepMs * 1.5, 3000)) {
      const leftMs = waitMs - Math.max(pausedMs, performance.now() - startedAt);
      if (leftMs <= 0) break;
      const pauseMs = Math.min(stepMs, leftMs);
      await pause(pauseMs, options.signal);
      pausedMs += pauseMs;
      document = await get(document.accessKey, options).catch((error: unknown) => {
        // Thrown, it would hide the access key, and the same call would create another document.
        if (error instanceof ApiError && isAway(error)) return document;
        throw error;
      });
    }
    return document;
  };

  return {
    create,
    get,
    send,
    sendOnce,
    async preview(body, { ride = false, ...options } = {}) {
      const query = { ride: ride ? 'true' : 'false' } as const;
      const { document, warnings, xml, ridePdf } = await call('previewDocument', { body, query, ...options });
      const bytes =
        ridePdf === undefined ? null : Uint8Array.from(atob(ridePdf), (character) => character.charCodeAt(0));
      return { document, warnings, xml, ridePdf: bytes };
    },
    async issue(body, { waitMs = 60_000, ...options } = {}) {
      const { document } = await create(body, options);
      const { idempotencyKey: _key, ...others } = options;
      const sent = document.status === 'SIGNED' ? await sendOnce(document.accessKey, others) : document;
      return waitFrom(sent, waitMs, others);
    },
    wait: async (accessKey, { waitMs = 60_000, ...options } = {}) =>
      waitFrom(await get(accessKey, options), waitMs, options),
    list: (filter = {}, options = {}) =>
      itemsOf((page) => call('listDocuments', { query: { limit: 100, ...filter, page }, ...options })),
    export: (query = {}, options = {}) => stream('exportDocuments', { query, ...options }),
    authorize: (accessKey, options) => call('authorizeDocument', { params: { accessKey }, ...options }),
    retry: async (accessKey, options) => (await call('retryDocument', { params: { accessKey }, ...options })).document,
    retryFailed: (only = {}, options = {}) => call('retryFailedDocuments', { body: only, ...options }),
    rebuild: (accessKey, body, options) =>
      call('rebuildDocument', { params: { accessKey }, ...(body ? { body } : {}), ...options }),
    async void(accessKey, body, options) {
      const { document, advice = null } = await call('voidDocument', { params: { accessKey }, body, ...options });
      return { document, advice };
    },
    async email(accessKey, { to, force } = {}, options = {}) {
      const query = { force: force ? 'true' : 'false' } as const;
      const body = to === undefined ? {} : { body: { email: to } };
      return (await call('retryDocumentEmail', { params: { accessKey }, query, ...body, ...options })).result;
    },
    retryEmails: (options) => call('retryEmails', { ...options }),
    events: async (accessKey, options) =>
      (await call('listDocumentEvents', { params: { accessKey }, ...options })).events,
    sriResponses: async (accessKey, options) =>
      (await call('listSriResponses', { params: { accessKey }, ...options })).sriResponses,
    creditNotes: (accessKey, options) => call('listCreditNotes', { params: { accessKey }, ...options }),
    stats: async (query = {}, options = {}) => (await call('getDocumentStats', { query, ...options })).stats,
    async ride(accessKey, { format, ...options } = {}) {
      const query = format ? { format } : {};
      const response = await open('downloadRide', { params: { accessKey }, query, ...options });
      return new Uint8Array(await response.arrayBuffer());
    },
    async xml(accessKey, { variant, ...options } = {}) {
      const query = variant ? { variant } : {};
      return (await open('downloadXml', { params: { accessKey }, query, ...options })).text();
    },
  };
}

// --- internal ---

/** Whether the document may have been sent anyway: no answer came, or it is no longer SIGNED. */
function mayBeSent(error: ApiError): boolean {
  return isAway(error) || isSent(error);
}

/** Whether the server answers later: it restarts, or a proxy speaks for it. */
function isAway({ code, status }: ApiError): boolean {
  return code === 'NETWORK_ERROR' || UNAVAILABLE.has(status);
}

function isSent({ code, reason }: ApiError): boolean {
  return (reason ?? code) === 'INVALID_STATE_TRANSITION';
}

function isSettled({ status, dispatch }: Document): boolean {
  return (status !== 'PENDING_SEND' && status !== 'RECEIVED' && status !== 'SIGNED') || dispatch?.status === 'FAILED';
}
