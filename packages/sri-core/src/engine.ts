import { requireChoice, requireOptions } from './choice.js';
import { DOCUMENT_TYPES, type DocumentBody } from './documents/registry.js';
import { requireCreateOptions, requireFigureQuery, requireFilter, requireListQuery } from './engine-arguments.js';
import { checkedOptions, type EngineOptions } from './engine-options.js';
import { DocumentNotFoundError, SequentialCannotDecreaseError, SequentialExhaustedError } from './errors.js';
import { type AuthorizationCheck, createAuthorizing } from './lifecycle/authorize.js';
import { requireDocument } from './lifecycle/change.js';
import { type LifecycleContext, requireIssuer } from './lifecycle/context.js';
import { type CreditBalance, creditBalance } from './lifecycle/credit-balance.js';
import type { EngineEvents } from './lifecycle/engine-events.js';
import { type Created, createIssuing } from './lifecycle/issue.js';
import type { EngineIssuer } from './lifecycle/issuer-source.js';
import { inKnownScope } from './lifecycle/known-scope.js';
import { createOwnerTurns } from './lifecycle/owner-turns.js';
import { type Preview, type PreviewOptions, previewDocument } from './lifecycle/preview.js';
import { type RebuildOptions, rebuildDocument } from './lifecycle/rebuild.js';
import { type RetriedDocuments, retryAllFailed, retryFailed } from './lifecycle/retry.js';
import { queueSend } from './lifecycle/send.js';
import { settle } from './lifecycle/settle.js';
import { announceHosts, createSriHosts, type SriStanding } from './lifecycle/sri-hosts.js';
import { createSriSlots } from './lifecycle/sri-slots.js';
import { createSubscribers } from './lifecycle/subscribers.js';
import { type Annulment, voidDocument } from './lifecycle/void.js';
import { Worker } from './lifecycle/worker.js';
import type { Occupancies } from './occupancy.js';
import { createUuidSource } from './random.js';
import type { RideInput } from './ride/pdf.js';
import { type RideFormat, requireFormat } from './ride/ride-format.js';
import { LAST_SEQUENTIAL } from './sequential.js';
import { writeAuthorization } from './sri/authorization-file.js';
import type {
  Counter,
  DocumentContents,
  DocumentEvent,
  DocumentFigure,
  DocumentFilter,
  DocumentQuery,
  FigureQuery,
  IssuersScope,
  JobOperation,
  Scope,
  SriResponse,
  Storage,
  StoredDocument,
  WalkCursor,
} from './storage.js';

/**
 * Issues documents: numbers, signs, stores, submits, queries authorization, renders. Safe to share; many engines, in many
 * processes, may use one storage. Every operation rejects a scope whose environment is not `sandbox` or `production` with a
 * TypeError, before anything else.
 */
export interface Engine {
  /**
   * Builds, numbers, signs and stores a document (status SIGNED).
   *
   * @param body the document's input; pass one of unknown shape, such as parsed JSON, through `uncheckedBody`.
   * @param options.issuer the issuer of the scope, when the caller has just read it; saves a lookup.
   * @throws ValidationError, IssuerNotFoundError, IssuerPausedError, DocumentTypeNotEnabledError,
   * IdempotencyConflictError, SequentialExhaustedError, CertificateExpiredError, CertificateNotYetValidError,
   * EngineBusyError beyond 10,000 at a time, StorageUnavailableError; TypeError for an unknown option. On an error nothing is
   * stored and no number is consumed.
   */
  create(
    scope: Scope,
    body: DocumentBody,
    options?: { readonly idempotencyKey?: string | undefined; readonly issuer?: EngineIssuer },
  ): Promise<Created>;

  /**
   * Returns a document as `create` would make it now: sums, warnings, XML and, if asked for, the RIDE. It takes no number,
   * signs and stores nothing, and leaves no trace.
   *
   * @throws what `create` throws, except IdempotencyConflictError and SequentialExhaustedError; TypeError for an unknown option.
   */
  preview(scope: Scope, body: DocumentBody, options?: PreviewOptions): Promise<Preview>;

  /**
   * Creates, sends, and waits until the document is settled or `timeoutMs` (60 000) has passed. With 0 it creates and queues
   * in one commit. When the storage fails after the create, the document is returned as it was created.
   *
   * @throws what `create` throws.
   */
  issue(
    scope: Scope,
    body: DocumentBody,
    options?: { readonly idempotencyKey?: string | undefined; readonly timeoutMs?: number },
  ): Promise<Created>;

  /** Queues a SIGNED document for the SRI. @throws InvalidTransitionError, DocumentNotFoundError */
  send(scope: Scope, accessKey: string): Promise<StoredDocument>;

  /**
   * Queries the authorization of a RECEIVED document now, regardless of the schedule. Settled documents return without a
   * call. Failures of the SRI are recorded, not thrown. Concurrent calls share one query. The query waits for one of the
   * shared SRI call slots, given to owners in turn; see `ownerOf`.
   *
   * @throws InvalidTransitionError from SIGNED, PENDING_SEND and RETURNED; DocumentNotFoundError.
   */
  authorize(scope: Scope, accessKey: string): Promise<AuthorizationCheck>;

  /**
   * Restarts the attempts of the failed operation, due at once.
   *
   * @param commit commits the change, so that an application adds its own rows. Default: `changeDocument` of the storage.
   * @throws NothingToRetryError, DocumentNotFoundError
   */
  retry(scope: Scope, accessKey: string, commit?: Storage['changeDocument']): Promise<StoredDocument>;

  /**
   * Restarts all failed documents of a scope, oldest first, up to `limit` (1000). Zero documents is no error.
   *
   * @throws TypeError for an unknown operation or option.
   */
  retryAll(
    scope: Scope,
    options?: { readonly operation?: JobOperation; readonly limit?: number },
  ): Promise<RetriedDocuments>;

  /**
   * Signs a corrected document under the same number.
   *
   * @throws InvalidTransitionError and what `create` throws; TypeError for an unknown option.
   */
  rebuild(scope: Scope, accessKey: string, options?: RebuildOptions): Promise<Created>;

  /**
   * Marks an AUTHORIZED document as annulled at the SRI's portal.
   *
   * @throws VoidConfirmationRequiredError, DocumentNotAuthorizedError, DocumentNotFoundError
   */
  void(scope: Scope, accessKey: string, annulment: Annulment): Promise<StoredDocument>;

  /**
   * Returns the balance of a document after its authorized credit notes and debit notes.
   *
   * @param options.issuerIds the issuers whose notes count, since another issue point of the taxpayer may have made them. Default: the document's own issuer.
   * @throws DocumentNotFoundError
   */
  creditBalance(
    scope: Scope,
    accessKey: string,
    options?: { readonly issuerIds?: readonly string[] },
  ): Promise<CreditBalance>;

  /** @throws DocumentNotFoundError */
  get(scope: Scope, accessKey: string): Promise<StoredDocument>;
  /** @throws DocumentNotFoundError */
  contents(scope: Scope, accessKey: string): Promise<DocumentContents>;
  /** One page of an issuer's documents, or of several issuers together. @throws TypeError for another page, order, form of a day or name. */
  list(
    scope: Scope | IssuersScope,
    query: DocumentQuery,
  ): Promise<{ readonly documents: readonly StoredDocument[]; readonly total: number }>;
  /** A step along the documents of an issuer, as `Storage.walkDocuments`. */
  walk(scope: Scope, filter: DocumentFilter, from: WalkCursor | null): ReturnType<Storage['walkDocuments']>;
  /** Count and sums of documents of an issuer, or of several together, by issue date, type and status. */
  figures(scope: Scope | IssuersScope, query?: FigureQuery): Promise<readonly DocumentFigure[]>;
  /** Oldest first. @throws DocumentNotFoundError */
  events(scope: Scope, accessKey: string): Promise<readonly DocumentEvent[]>;
  /** Newest first, the newest 1,000. @throws DocumentNotFoundError */
  sriResponses(scope: Scope, accessKey: string): Promise<readonly SriResponse[]>;

  /**
   * Returns the XML to hand over. `authorized` is the SRI's `<autorizacion>` with the comprobante inside, the form to
   * archive; `signed` is the comprobante itself. Default: authorized when it exists, else signed.
   *
   * @returns null when the variant does not exist yet. @throws DocumentNotFoundError; TypeError for another variant.
   */
  xml(scope: Scope, accessKey: string, variant?: 'authorized' | 'signed'): Promise<string | null>;

  /**
   * The printed form (RIDE), a PDF, without a logo when its issuer is gone.
   *
   * @param options.format `a4` (default), or `ticket` for a roll of 80 mm.
   * @param options.print renders this RIDE instead of `printRide`, once its document is read.
   * @throws DocumentNotFoundError; ValidationError when the type of the document has no ticket; TypeError for another format.
   */
  ride(
    scope: Scope,
    accessKey: string,
    options?: { readonly format?: RideFormat; readonly print?: (input: RideInput) => Promise<Uint8Array> },
  ): Promise<Uint8Array<ArrayBuffer>>;

  /** The number of the next document. @throws TypeError for an unknown document type. */
  nextSequential(counter: Counter): Promise<number>;
  /**
   * Moves a counter forward.
   *
   * @throws IssuerNotFoundError, SequentialCannotDecreaseError, SequentialExhaustedError; TypeError for a fraction or an
   * unknown document type.
   */
  setNextSequential(counter: Counter, next: number): Promise<void>;

  /**
   * The standing of the SRI's hosts, for all processes on the storage. When calls fail for five different documents in a row
   * and no other call succeeds, calls of that kind are held. A held call uses up no attempt, and one call probes from time
   * to time. After a probe is answered, all processes share a limit that rises to `schedule.concurrency`.
   */
  sriStanding(): Promise<readonly SriStanding[]>;

  /** The bounded queues and caches of this engine: `creates` that run or wait, and known `issuer_owners`. */
  readonly occupancies: Occupancies;

  /**
   * Subscribes a listener; the returned function unsubscribes it. A listener that throws is logged and has no other effect.
   *
   * @throws TypeError for an unknown event.
   */
  on<Name extends keyof EngineEvents>(name: Name, listener: (detail: EngineEvents[Name]) => void): () => void;

  /** Runs every due job, until `stop`, and resolves with the number of attempts. For cron and tests. */
  tick(): Promise<number>;
  /** Runs due jobs in a loop until `stop`. */
  start(): void;
  /**
   * Takes no new job and waits for the running ones. Calls on demand stop waiting, for a slot or for their next job.
   *
   * @param patience when it aborts, running calls to the SRI are cancelled and their jobs released for other workers.
   */
  stop(patience?: AbortSignal): Promise<void>;
}

/**
 * Creates an engine. Nothing runs until a call starts it.
 *
 * @throws TypeError without a storage, issuers or a transport for each environment, for two issuers of one id, for an issuer
 * without a signer, for a misspelt option, for an unknown `language` or `signatureAlgorithm`, or for an invalid `schedule`.
 */
export function createEngine(options: EngineOptions): Engine {
  const checked = checkedOptions(options);
  const { storage, clock, random, logger, schedule, language } = checked;
  const subscribers = createSubscribers(logger);
  const newId = createUuidSource(random);
  const hosts = createSriHosts({
    storage,
    clock,
    random,
    logger,
    schedule,
    holder: newId(clock.now()),
    onChange: (environment, before, after) => announceHosts(subscribers.emit, environment, before, after),
  });
  const context: LifecycleContext = {
    ...checked,
    sri: hosts.watch(checked.sri),
    hosts,
    newId,
    slots: createSriSlots(schedule.concurrency, () => worker.placeFree()),
    turns: options.ownerOf && createOwnerTurns(options.ownerOf, logger),
    emit: subscribers.emit,
    wake: () => worker.wake(),
    takeSlot: () => worker.takeSlot(),
  };
  const worker = new Worker(context);
  const issuing = createIssuing(context);
  const authorizing = createAuthorizing(context);

  // `Response` and `Blob` take no bytes of shared memory, which no PDF is in.
  const printHere = async (input: RideInput) =>
    (options.printRide ?? (await import('./ride/pdf.js')).renderRide)(input) as Promise<Uint8Array<ArrayBuffer>>;

  async function requireContents(scope: Scope, accessKey: string): Promise<DocumentContents> {
    const contents = await storage.readContents(scope, accessKey);
    if (!contents) throw new DocumentNotFoundError('There is no document with that access key.');
    return contents;
  }

  const operations: Omit<Engine, 'on' | 'tick' | 'start' | 'stop' | 'sriStanding' | 'occupancies'> = {
    async create(scope, body, options = {}) {
      requireCreateOptions(options);
      return issuing.create(scope, body, options);
    },
    preview: (scope, body, wanted) => previewDocument(context, scope, body, { ...wanted, print: printHere }),
    async issue(scope, body, options = {}) {
      requireCreateOptions(options);
      const { idempotencyKey, timeoutMs = 60_000 } = options;
      const deadline = clock.now().getTime() + timeoutMs;
      const { stops } = worker;
      const slot = worker.takeSlot(true);
      const created = await issuing.createQueued(scope, body, { idempotencyKey }, slot).finally(() => slot?.close());
      try {
        return { ...created, document: await settle(context, worker, { ...created, slot, deadline, stops }) };
      } catch (error) {
        // Thrown, it would say that nothing was stored, and the same call would issue another document.
        context.logger.warn({ accessKey: created.document.accessKey, error: String(error) }, 'issue broke off');
        return created;
      }
    },
    send: (scope, accessKey) => queueSend(context, scope, accessKey),
    authorize: (scope, accessKey) => authorizing.authorize(scope, accessKey),
    retry: (scope, accessKey, commit) => retryFailed(context, scope, accessKey, commit),
    async retryAll(scope, options = {}) {
      requireOptions(['operation', 'limit'], options, 'retryAll');
      const { operation, limit = 1000 } = options;
      if (operation !== undefined) requireChoice(['SEND', 'AUTHORIZE'], operation, 'operation');
      if (!Number.isSafeInteger(limit) || limit < 0) throw new TypeError('limit has to be a whole number from 0.');
      return retryAllFailed(context, scope, { limit, ...(operation && { operation }) });
    },
    rebuild: (scope, accessKey, rebuild = {}) => rebuildDocument(context, scope, accessKey, rebuild),
    void: (scope, accessKey, annulment) => voidDocument(context, scope, accessKey, annulment),
    async creditBalance(scope, accessKey, options = {}) {
      requireOptions(['issuerIds'], options, 'creditBalance');
      const { issuerIds = [scope.issuerId] } = options;
      // A text would count the notes of no issuer, or of any whose id is part of it.
      if (!Array.isArray(issuerIds)) throw new TypeError('issuerIds has to be a list.');
      return creditBalance(context, scope, accessKey, issuerIds);
    },
    get: (scope, accessKey) => requireDocument(context, scope, accessKey),
    contents: requireContents,
    async list(scope, query) {
      requireListQuery(query);
      return storage.listDocuments(scope, query);
    },
    async walk(scope, filter, from) {
      requireFilter(filter, 'walk');
      return storage.walkDocuments(scope, filter, from);
    },
    async figures(scope, query = {}) {
      requireFigureQuery(query, 'figures');
      return storage.documentFigures(scope, query);
    },
    async events(scope, accessKey) {
      await requireDocument(context, scope, accessKey);
      return storage.documentEvents(scope, accessKey);
    },
    async sriResponses(scope, accessKey) {
      await requireDocument(context, scope, accessKey);
      return storage.sriResponses(scope, accessKey);
    },
    async xml(scope, accessKey, variant) {
      if (variant !== undefined) requireChoice(['authorized', 'signed'], variant, 'variant');
      const document = await requireDocument(context, scope, accessKey);
      const contents = await requireContents(scope, accessKey);
      const { authorization } = document;
      if (variant === 'signed' || (!authorization && variant === undefined)) return contents.signedXml;
      if (!authorization) return null;
      const answers = await storage.sriResponses(scope, accessKey);
      return writeAuthorization({
        ...authorization,
        environment: document.environment,
        comprobante: contents.authorizedXml ?? contents.signedXml,
        messages: answers.find(({ status }) => status === 'AUTORIZADO')?.messages ?? null,
      });
    },
    async ride(scope, accessKey, options = {}) {
      requireOptions(['format', 'print'], options, 'ride');
      const { format = 'a4', print = printHere } = options;
      const document = await requireDocument(context, scope, accessKey);
      requireFormat(document.documentType, format, context.language);
      const contents = await requireContents(scope, accessKey);
      const issuer = await context.issuers.find(scope.issuerId);
      return print({
        xml: contents.authorizedXml ?? contents.signedXml,
        authorization: document.authorization,
        voided: document.status === 'VOIDED',
        logo: issuer?.logo ?? null,
        format,
      }) as Promise<Uint8Array<ArrayBuffer>>;
    },
    async nextSequential(counter) {
      requireChoice(DOCUMENT_TYPES, counter.documentType, 'counter.documentType');
      return storage.nextSequential(counter);
    },
    async setNextSequential(counter, next) {
      if (!Number.isInteger(next)) throw new TypeError('A sequential has to be a whole number.');
      requireChoice(DOCUMENT_TYPES, counter.documentType, 'counter.documentType');
      if (next > LAST_SEQUENTIAL) throw new SequentialExhaustedError('A sequential has at most nine digits.');
      await requireIssuer(context, counter.issuerId);
      if (next >= 1 && (await storage.setNextSequential(counter, next))) return;
      throw new SequentialCannotDecreaseError('The counter has already passed that number.');
    },
  };
  return {
    ...inKnownScope(operations, language),
    sriStanding: () => hosts.standing(),
    occupancies: { creates: issuing.occupancy, ...(context.turns && { issuer_owners: context.turns.occupancy }) },
    on: subscribers.on,
    tick: () => worker.tick(),
    start: () => worker.start(),
    async stop(patience) {
      if (patience !== undefined && !(patience instanceof AbortSignal))
        throw new TypeError('stop takes an AbortSignal, such as AbortSignal.timeout(5000).');
      context.slots.dismiss();
      await worker.stop(patience);
      // The last round of the queue may have waited for a place.
      context.slots.dismiss();
    },
  };
}
