import type { Language } from './catalogs/catalog.js';
import { type Clock, systemClock } from './clock.js';
import type { DocumentBody } from './documents/registry.js';
import { ENVIRONMENTS, type Environment } from './environment.js';
import { DocumentNotFoundError, SequentialCannotDecreaseError, SequentialExhaustedError } from './errors.js';
import { type AuthorizationCheck, createAuthorizing } from './lifecycle/authorize.js';
import { requireDocument } from './lifecycle/change.js';
import { type LifecycleContext, requireIssuer } from './lifecycle/context.js';
import { type CreditBalance, creditBalance } from './lifecycle/credit-balance.js';
import type { EngineEvents } from './lifecycle/engine-events.js';
import { type Created, createIssuing } from './lifecycle/issue.js';
import type { EngineIssuer, IssuerSource } from './lifecycle/issuer-source.js';
import { inKnownEnvironment } from './lifecycle/known-environment.js';
import { createOwnerTurns } from './lifecycle/owner-turns.js';
import { type RebuildOptions, rebuildDocument } from './lifecycle/rebuild.js';
import { type RetriedDocuments, retryAllFailed, retryFailed } from './lifecycle/retry.js';
import { DEFAULT_SCHEDULE, type Schedule } from './lifecycle/schedule.js';
import { queueSend } from './lifecycle/send.js';
import { announceHosts, createSriHosts, type SriStanding } from './lifecycle/sri-hosts.js';
import { createSriPlaces } from './lifecycle/sri-places.js';
import { createSubscribers } from './lifecycle/subscribers.js';
import { type Annulment, voidDocument } from './lifecycle/void.js';
import { Worker } from './lifecycle/worker.js';
import { type Logger, silentLogger } from './logger.js';
import { createUuidSource, type Random, systemRandom } from './random.js';
import type { RideInput } from './ride/pdf.js';
import { LAST_SEQUENTIAL } from './sequential.js';
import type { SignatureAlgorithm } from './signing/signer.js';
import { writeAuthorization } from './sri/authorization-file.js';
import { createSriClient, SRI_URLS, type SriClient } from './sri/soap-client.js';
import type { Transport } from './sri/transport.js';
import type {
  Counter,
  DocumentContents,
  DocumentEvent,
  DocumentFigure,
  DocumentQuery,
  FigureQuery,
  JobOperation,
  Scope,
  SriResponse,
  Storage,
  StoredDocument,
} from './storage.js';

/** What an engine is made of. `storage`, `issuers` and `transport` are needed; every other port has a real default. */
export interface EngineOptions {
  readonly storage: Storage;
  /** The issuers themselves, or where to find them. */
  readonly issuers: readonly EngineIssuer[] | IssuerSource;
  /**
   * How to reach the SRI; one for both environments, or one each: `undiciTransport()` calls the SRI itself, in its test
   * environment too; `createSimulator().handle` of `sri-core/simulator` stays here. There is no default, so that no
   * document leaves unasked.
   */
  readonly transport: Transport | Readonly<Record<Environment, Transport>>;
  /** Base addresses up to and including `/comprobantes-electronicos-ws`. Default: the SRI's two hosts. */
  readonly sriUrls?: Partial<Readonly<Record<Environment, string>>>;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  /** Default `rsa-sha1`, as the Ficha técnica names it. */
  readonly signatureAlgorithm?: SignatureAlgorithm;
  /** RUC of the software's provider, added to every document as «RUC Proveedor». */
  readonly softwareProviderRuc?: string;
  /** Turns warnings about sums and identifiers into errors. Default false. */
  readonly strict?: boolean;
  /** Of warnings, and of the messages of what the operations reject with. Default `es`. */
  readonly language?: Language;
  /** Asks for `taxableBase` and `taxAmount` instead of computing those left out. Default false. */
  readonly requireAmounts?: boolean;
  readonly schedule?: Partial<Schedule>;
  /**
   * Asked before each submission. While it says false a queued document waits, and no attempt is used up; questions for
   * authorizations go on. Default: always true.
   */
  readonly maySend?: (scope: Scope) => Promise<boolean>;
  /**
   * Prints a RIDE, for programs that print in a thread of their own: a long document takes 100 ms of processor.
   * Default: `renderRide`, in this thread.
   */
  readonly printRide?: (input: RideInput) => Promise<Uint8Array>;
  /**
   * Whose calls to the SRI those about an issuer are: owners share the places of calls out among them, those of queued
   * work and those on demand. It is asked often, and an issuer keeps its owner. Default: each issuer by itself.
   */
  readonly ownerOf?: (issuerId: string) => string | Promise<string>;
}

/**
 * Issues documents: numbers, signs, stores, submits, asks for authorization, prints. Safe to share; many engines, in as
 * many processes, may work on one storage. A scope with another environment than `sandbox` or `production` is a
 * TypeError everywhere, before anything else.
 */
export interface Engine {
  /**
   * Builds, numbers, signs and stores a document (status SIGNED).
   *
   * @param body what it is made from; one of unknown shape, such as parsed JSON, comes through `uncheckedBody`.
   * @param options.issuer the issuer of the scope as the caller has just read it, which saves looking it up.
   * @throws ValidationError, IssuerNotFoundError, IssuerPausedError, DocumentTypeNotEnabledError,
   * IdempotencyConflictError, SequentialExhaustedError, CertificateExpiredError, CertificateNotYetValidError,
   * StorageUnavailableError; then nothing was stored and no number was consumed.
   */
  create(
    scope: Scope,
    body: DocumentBody,
    options?: { readonly idempotencyKey?: string; readonly issuer?: EngineIssuer },
  ): Promise<Created>;

  /** Creates, sends, and waits until the document is settled or `timeoutMs` (60 000) is over. */
  issue(
    scope: Scope,
    body: DocumentBody,
    options?: { readonly idempotencyKey?: string; readonly timeoutMs?: number },
  ): Promise<Created>;

  /** Queues a SIGNED document for the SRI. @throws InvalidTransitionError, DocumentNotFoundError */
  send(scope: Scope, accessKey: string): Promise<StoredDocument>;

  /**
   * Asks the SRI now for the authorization of a RECEIVED document, whatever the schedule. Settled documents answer
   * without a call. Failures of the SRI are recorded, not thrown. Calls while one runs share it. The question waits for
   * one of the places that all calls to the SRI share, owners by turns; see `ownerOf`.
   *
   * @throws InvalidTransitionError from SIGNED, PENDING_SEND and RETURNED; DocumentNotFoundError.
   */
  authorize(scope: Scope, accessKey: string): Promise<AuthorizationCheck>;

  /** Starts the failed operation's attempts anew, due at once. @throws NothingToRetryError, DocumentNotFoundError */
  retry(scope: Scope, accessKey: string): Promise<StoredDocument>;

  /** Does so for all failed documents of a scope, oldest first, up to `limit` (1000). None is a good answer. */
  retryAll(
    scope: Scope,
    options?: { readonly operation?: JobOperation; readonly limit?: number },
  ): Promise<RetriedDocuments>;

  /** Signs a corrected document under the same number. @throws InvalidTransitionError and what `create` throws */
  rebuild(scope: Scope, accessKey: string, options?: RebuildOptions): Promise<Created>;

  /**
   * Marks an AUTHORIZED document as annulled at the SRI's portal.
   *
   * @throws VoidConfirmationRequiredError, DocumentNotAuthorizedError, DocumentNotFoundError
   */
  void(scope: Scope, accessKey: string, annulment: Annulment): Promise<StoredDocument>;

  /**
   * What authorized credit notes leave of a document.
   *
   * @param options.issuerIds where to look for credit notes, since another issue point of the taxpayer may have made
   * them. Default: the document's own issuer.
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
  list(
    scope: Scope,
    query: DocumentQuery,
  ): Promise<{
    readonly documents: readonly StoredDocument[];
    readonly total: number;
  }>;
  /** How many documents there are and what they add up to, by issue date, type and status. */
  figures(scope: Scope, query?: FigureQuery): Promise<readonly DocumentFigure[]>;
  /** Oldest first. @throws DocumentNotFoundError */
  events(scope: Scope, accessKey: string): Promise<readonly DocumentEvent[]>;
  /** Newest first, the newest 1,000. @throws DocumentNotFoundError */
  sriResponses(scope: Scope, accessKey: string): Promise<readonly SriResponse[]>;

  /**
   * The XML to hand over: `authorized` is the SRI's `<autorizacion>` with the comprobante inside, as it has to be
   * archived; `signed` the comprobante itself. Default: authorized when there is one, else signed.
   *
   * @returns null when the variant does not exist (yet). @throws DocumentNotFoundError
   */
  xml(scope: Scope, accessKey: string, variant?: 'authorized' | 'signed'): Promise<string | null>;

  /** The printed form (RIDE), a PDF. @throws DocumentNotFoundError, IssuerNotFoundError */
  ride(scope: Scope, accessKey: string): Promise<Uint8Array>;

  /** The number the next document gets. */
  nextSequential(counter: Counter): Promise<number>;
  /** Moves a counter forward. @throws SequentialCannotDecreaseError, SequentialExhaustedError */
  setNextSequential(counter: Counter, next: number): Promise<void>;

  /**
   * How the SRI's hosts stand, for all processes on the storage. When calls fail for five different documents in a row and
   * for none do not, calls of that kind are held: no attempt is used up, one call is tried from time to time, and once it
   * is answered the calls of all processes share a limit that rises to `schedule.concurrency`.
   */
  sriStanding(): Promise<readonly SriStanding[]>;

  /** Subscribes; the returned function ends it. A listener that throws is logged and disturbs nothing. */
  on<Name extends keyof EngineEvents>(name: Name, listener: (detail: EngineEvents[Name]) => void): () => void;

  /** Works off every job that is due, and resolves with how many attempts were made. For cron and tests. */
  tick(): Promise<number>;
  /** Works in a loop until `stop`. */
  start(): void;
  /**
   * Takes no new job and waits for the running ones. Calls on demand that wait for a place do so no longer.
   *
   * @param patience once aborted, running calls to the SRI are broken off and their jobs given back for others to take.
   */
  stop(patience?: AbortSignal): Promise<void>;
}

/** Makes an engine. Nothing runs until it is asked to. @throws TypeError without a transport for each environment. */
export function createEngine(options: EngineOptions): Engine {
  const subscribers = createSubscribers(options.logger ?? silentLogger);
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const schedule: Schedule = { ...DEFAULT_SCHEDULE, ...options.schedule };
  const newId = createUuidSource(random);
  const hosts = createSriHosts({
    storage: options.storage,
    clock,
    random,
    logger: options.logger ?? silentLogger,
    schedule,
    holder: newId(clock.now()),
    onChange: (environment, before, after) => announceHosts(subscribers.emit, environment, before, after),
  });
  const context: LifecycleContext = {
    storage: options.storage,
    issuers: toIssuerSource(options.issuers),
    sri: hosts.watch(toSriClient(options, clock, random, schedule)),
    hosts,
    clock,
    random,
    logger: options.logger ?? silentLogger,
    newId,
    schedule,
    signatureAlgorithm: options.signatureAlgorithm ?? 'rsa-sha1',
    softwareProviderRuc: options.softwareProviderRuc,
    strict: options.strict ?? false,
    language: options.language ?? 'es',
    requireAmounts: options.requireAmounts ?? false,
    maySend: options.maySend ?? (async () => true),
    places: createSriPlaces(schedule.concurrency, () => worker.placeFree()),
    ownerOf: options.ownerOf ?? ((issuerId) => issuerId),
    turns: options.ownerOf && createOwnerTurns(options.ownerOf),
    emit: subscribers.emit,
    wake: () => worker.wake(),
  };
  const worker = new Worker(context);
  const issuing = createIssuing(context);
  const authorizing = createAuthorizing(context);
  const { storage } = options;

  async function requireContents(scope: Scope, accessKey: string): Promise<DocumentContents> {
    const contents = await storage.readContents(scope, accessKey);
    if (!contents) throw new DocumentNotFoundError('There is no document with that access key.');
    return contents;
  }

  /** @returns true when another worker holds the job. */
  async function runJobOf(document: StoredDocument): Promise<boolean> {
    const claimed = await storage.claimJobOf(document, { now: clock.now(), leaseMs: schedule.leaseMs });
    if (claimed) await worker.run(claimed);
    return !claimed;
  }

  /** Does the document's jobs here and now, one after the other, until none is left or the time is up. */
  async function settle(document: StoredDocument, deadline: number): Promise<StoredDocument> {
    let current = document;
    while (current.job?.status === 'PENDING') {
      const waitMs = (current.job.dueAt?.getTime() ?? 0) - clock.now().getTime();
      if (clock.now().getTime() + Math.max(waitMs, 0) >= deadline) break;
      if (waitMs > 0) await clock.sleep(waitMs);
      const leave = await context.places.wait(await context.ownerOf(current.issuerId));
      if (!leave) break;
      const wasHeld = await runJobOf(current).finally(leave);
      if (wasHeld) await clock.sleep(HELD_ELSEWHERE_MS);
      current = await requireDocument(context, current, current.accessKey);
    }
    return current;
  }

  const operations: Omit<Engine, 'on' | 'tick' | 'start' | 'stop' | 'sriStanding'> = {
    create: (scope, body, options) => issuing.create(scope, body, options),
    async issue(scope, body, { idempotencyKey, timeoutMs = 60_000 } = {}) {
      const deadline = clock.now().getTime() + timeoutMs;
      const created = await issuing.create(scope, body, { idempotencyKey });
      const { accessKey, status } = created.document;
      const queued = status === 'SIGNED' ? await queueSend(context, scope, accessKey) : created.document;
      return { ...created, document: await settle(queued, deadline) };
    },
    send: (scope, accessKey) => queueSend(context, scope, accessKey),
    authorize: (scope, accessKey) => authorizing.authorize(scope, accessKey),
    retry: (scope, accessKey) => retryFailed(context, scope, accessKey),
    retryAll: (scope, { operation, limit = 1000 } = {}) =>
      retryAllFailed(context, scope, { limit, ...(operation ? { operation } : {}) }),
    rebuild: (scope, accessKey, rebuild = {}) => rebuildDocument(context, scope, accessKey, rebuild),
    void: (scope, accessKey, annulment) => voidDocument(context, scope, accessKey, annulment),
    creditBalance: (scope, accessKey, { issuerIds = [scope.issuerId] } = {}) =>
      creditBalance(context, scope, accessKey, issuerIds),
    get: (scope, accessKey) => requireDocument(context, scope, accessKey),
    contents: requireContents,
    list: (scope, query) => storage.listDocuments(scope, query),
    figures: (scope, query = {}) => storage.documentFigures(scope, query),
    async events(scope, accessKey) {
      await requireDocument(context, scope, accessKey);
      return storage.documentEvents(scope, accessKey);
    },
    async sriResponses(scope, accessKey) {
      await requireDocument(context, scope, accessKey);
      return storage.sriResponses(scope, accessKey);
    },
    async xml(scope, accessKey, variant) {
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
    async ride(scope, accessKey) {
      const document = await requireDocument(context, scope, accessKey);
      const contents = await requireContents(scope, accessKey);
      const issuer = await requireIssuer(context, scope.issuerId);
      const print = options.printRide ?? (await import('./ride/pdf.js')).renderRide;
      return print({
        xml: contents.authorizedXml ?? contents.signedXml,
        authorization: document.authorization,
        voided: document.status === 'VOIDED',
        logo: issuer.logo ?? null,
      });
    },
    nextSequential: (counter) => storage.nextSequential(counter),
    async setNextSequential(counter, next) {
      if (next > LAST_SEQUENTIAL) throw new SequentialExhaustedError('A sequential has at most nine digits.');
      if (next >= 1 && (await storage.setNextSequential(counter, next))) return;
      throw new SequentialCannotDecreaseError('The counter has already passed that number.');
    },
  };
  return {
    ...inKnownEnvironment(operations, context.language),
    sriStanding: () => hosts.standing(),
    on: subscribers.on,
    tick: () => worker.tick(),
    start: () => worker.start(),
    stop(patience) {
      context.places.dismiss();
      return worker.stop(patience);
    },
  };
}

// --- internal ---

const HELD_ELSEWHERE_MS = 50;

function toIssuerSource(issuers: EngineOptions['issuers']): IssuerSource {
  if (!isList(issuers)) return issuers;
  const byId = new Map(issuers.map((issuer) => [issuer.id, issuer]));
  return { find: async (issuerId) => byId.get(issuerId) ?? null };
}

/** `Array.isArray` does not narrow a readonly list away. */
function isList(issuers: EngineOptions['issuers']): issuers is readonly EngineIssuer[] {
  return Array.isArray(issuers);
}

function toSriClient(options: EngineOptions, clock: Clock, random: Random, schedule: Schedule): SriClient {
  const urls = { ...SRI_URLS, ...options.sriUrls };
  const client = (transport: Transport) =>
    createSriClient({
      transport,
      urls,
      clock,
      random,
      timeoutMs: schedule.timeoutMs,
    });
  const { transport } = options;
  // Programs without types would find out with the first document.
  if (!transport) throw new TypeError('createEngine needs a transport: undiciTransport(), or that of a simulator.');
  if (typeof transport === 'function') return client(transport);
  for (const environment of ENVIRONMENTS) {
    if (typeof transport[environment] !== 'function') {
      throw new TypeError(`createEngine needs a transport for ${environment} too, or one function for both.`);
    }
  }
  const clients = {
    sandbox: client(transport.sandbox),
    production: client(transport.production),
  };
  return {
    submit: (environment, ...rest) => clients[environment].submit(environment, ...rest),
    authorization: (environment, ...rest) => clients[environment].authorization(environment, ...rest),
  };
}
