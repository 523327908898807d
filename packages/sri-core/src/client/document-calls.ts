import type { CreditNoteInput, Document, InvoiceInput, Operations, Warning } from './api.js';
import { ApiError } from './api-error.js';
import type { Api, CallOptions } from './call-operation.js';
import { itemsOf } from './pages.js';

/** What a document is made from: an invoice or a credit note. */
export type DocumentInput = InvoiceInput | CreditNoteInput;

/** Which documents to list. */
export type DocumentFilter = Omit<NonNullable<Operations['listDocuments']['query']>, 'page'>;

/** A document that was made, or had been made by an earlier call with the same key. */
export interface CreatedDocument {
  readonly document: Document;
  readonly warnings: readonly Warning[];
  /** Whether it had been made already. */
  readonly replayed: boolean;
}

/** How to issue a document. */
export interface IssueOptions extends CallOptions {
  /** How long to wait for the SRI, in milliseconds; default a minute. */
  readonly waitMs?: number;
}

/** The documents of an issuer. */
export interface DocumentCalls {
  /** Makes a document. Without an idempotency key it gets one, so that it can be repeated safely. @throws ApiError */
  create(body: DocumentInput, options?: CallOptions): Promise<CreatedDocument>;
  /**
   * Makes a document, sends it and waits until the SRI has decided.
   *
   * @returns it as it stands then: AUTHORIZED, NOT_AUTHORIZED or RETURNED; or, when the time is over or its attempts are,
   * as far as it has come. It goes on by itself, and nothing of it is lost.
   * @throws ApiError
   */
  issue(body: DocumentInput, options?: IssueOptions): Promise<Document>;
  /** Every document the filter takes, page after page. */
  list(filter?: DocumentFilter, options?: CallOptions): AsyncGenerator<Document>;
  get(accessKey: string, options?: CallOptions): Promise<Operations['getDocument']['answer']['document']>;
  send(accessKey: string, options?: CallOptions): Promise<Document>;
  /** Asks the SRI now. */
  authorize(accessKey: string, options?: CallOptions): Promise<Operations['authorizeDocument']['answer']>;
  retry(accessKey: string, options?: CallOptions): Promise<Document>;
  /** Builds a returned document again from a whole body; without one, from the body it had. */
  rebuild(
    accessKey: string,
    body?: Operations['rebuildDocument']['body'],
    options?: CallOptions,
  ): Promise<Operations['rebuildDocument']['answer']>;
  void(
    accessKey: string,
    body: Operations['voidDocument']['body'],
    options?: CallOptions,
  ): Promise<Operations['voidDocument']['answer']['document']>;
  email(
    accessKey: string,
    email?: { readonly to?: string; readonly force?: boolean },
    options?: CallOptions,
  ): Promise<Operations['retryDocumentEmail']['answer']['result']>;
  events(accessKey: string, options?: CallOptions): Promise<Operations['listDocumentEvents']['answer']['events']>;
  sriResponses(
    accessKey: string,
    options?: CallOptions,
  ): Promise<Operations['listSriResponses']['answer']['sriResponses']>;
  creditNotes(accessKey: string, options?: CallOptions): Promise<Operations['listCreditNotes']['answer']>;
  stats(
    filter?: NonNullable<Operations['getDocumentStats']['query']>,
    options?: CallOptions,
  ): Promise<Operations['getDocumentStats']['answer']['stats']>;
  /** The printed form, a PDF. */
  ride(accessKey: string, options?: CallOptions): Promise<Uint8Array>;
  /** The XML: as the SRI authorized it, else as it was signed. */
  xml(accessKey: string, options?: CallOptions & { readonly variant?: 'authorized' | 'signed' }): Promise<string>;
}

/** The calls about documents. @param pause waits while the SRI decides. */
export function createDocumentCalls({ call, open }: Api, pause: (ms: number) => Promise<void>): DocumentCalls {
  const create = async (body: DocumentInput, options: CallOptions = {}): Promise<CreatedDocument> => {
    const keyed = { idempotencyKey: crypto.randomUUID(), ...options };
    const response = await open('createDocument', { body, ...keyed });
    const { document, warnings = [] } = (await response.json()) as Operations['createDocument']['answer'];
    return { document, warnings, replayed: response.headers.get('idempotent-replayed') === 'true' };
  };
  const get = async (accessKey: string, options?: CallOptions) =>
    (await call('getDocument', { params: { accessKey }, ...options })).document;
  const send = async (accessKey: string, options?: CallOptions) =>
    (await call('sendDocument', { params: { accessKey }, ...options })).document;

  /** Sending cannot be repeated blindly: without an answer, or told that it is too late, one looks where it stands. */
  const sendSafely = async (accessKey: string, options: CallOptions): Promise<Document> => {
    try {
      return await send(accessKey, options);
    } catch (error) {
      if (!(error instanceof ApiError) || !MAY_BE_SENT.has(error.reason ?? error.code)) throw error;
      const document = await get(accessKey, options);
      return document.status === 'SIGNED' ? send(accessKey, options) : document;
    }
  };

  return {
    create,
    get,
    send,
    async issue(body, { waitMs = 60_000, ...options } = {}) {
      const { document: created } = await create(body, options);
      const { idempotencyKey: _key, ...others } = options;
      let document: Document = created.status === 'SIGNED' ? await sendSafely(created.accessKey, others) : created;
      let waitedMs = 0;
      for (
        let stepMs = 500;
        !isSettled(document) && waitedMs + stepMs <= waitMs;
        stepMs = Math.min(stepMs * 1.5, 5000)
      ) {
        await pause(stepMs);
        waitedMs += stepMs;
        document = await get(document.accessKey, others);
      }
      return document;
    },
    list: (filter = {}, options = {}) =>
      itemsOf((page) => call('listDocuments', { query: { limit: 100, ...filter, page }, ...options })),
    authorize: (accessKey, options) => call('authorizeDocument', { params: { accessKey }, ...options }),
    retry: async (accessKey, options) => (await call('retryDocument', { params: { accessKey }, ...options })).document,
    rebuild: (accessKey, body, options) =>
      call('rebuildDocument', { params: { accessKey }, ...(body ? { body } : {}), ...options }),
    void: async (accessKey, body, options) =>
      (await call('voidDocument', { params: { accessKey }, body, ...options })).document,
    async email(accessKey, { to, force } = {}, options = {}) {
      const query = { force: force ? 'true' : 'false' } as const;
      const body = to === undefined ? {} : { body: { email: to } };
      return (await call('retryDocumentEmail', { params: { accessKey }, query, ...body, ...options })).result;
    },
    events: async (accessKey, options) =>
      (await call('listDocumentEvents', { params: { accessKey }, ...options })).events,
    sriResponses: async (accessKey, options) =>
      (await call('listSriResponses', { params: { accessKey }, ...options })).sriResponses,
    creditNotes: (accessKey, options) => call('listCreditNotes', { params: { accessKey }, ...options }),
    stats: async (query = {}, options = {}) => (await call('getDocumentStats', { query, ...options })).stats,
    ride: async (accessKey, options) =>
      new Uint8Array(await (await open('downloadRide', { params: { accessKey }, ...options })).arrayBuffer()),
    async xml(accessKey, { variant, ...options } = {}) {
      const query = variant ? { variant } : {};
      return (await open('downloadXml', { params: { accessKey }, query, ...options })).text();
    },
  };
}

// --- internal ---

const MAY_BE_SENT: ReadonlySet<string> = new Set(['INVALID_STATE_TRANSITION', 'NETWORK_ERROR', 'SERVICE_UNAVAILABLE']);

function isSettled({ status, dispatch }: Document): boolean {
  return (status !== 'PENDING_SEND' && status !== 'RECEIVED' && status !== 'SIGNED') || dispatch?.status === 'FAILED';
}
