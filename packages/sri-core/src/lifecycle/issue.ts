import { ecuadorDate, type IsoDate } from '../calendar.js';
import type { Language } from '../catalogs/catalog.js';
import type { DocumentSummary } from '../documents/document-type.js';
import { createFailure, type Warning } from '../documents/messages.js';
import { prepareDocument } from '../documents/prepare.js';
import { documentTypeOf, type PreparedDocument } from '../documents/registry.js';
import type { Numbering } from '../documents/write-comprobante.js';
import { EngineBusyError, IdempotencyConflictError, IssuerNotFoundError, ValidationError } from '../errors.js';
import type { Occupancy } from '../occupancy.js';
import type { Counter, NewDocument, Scope, StoredDocument } from '../storage.js';
import { newJob } from './attempts.js';
import { createCommitRounds } from './commit-rounds.js';
import { type JobSlot, type LifecycleContext, requireIssuer } from './context.js';
import { announce, createdEvent, movedEvent, withIds } from './history.js';
import type { EngineIssuer } from './issuer-source.js';
import { type JsonPayload, jsonPayload } from './json-payload.js';
import { NumberingQueue } from './numbering-queue.js';
import { requireMayIssue, signComprobante } from './signed-comprobante.js';

/** The created document and its warnings. */
export interface Created {
  readonly document: StoredDocument;
  readonly warnings: readonly Warning[];
  /** True when the idempotency key was known and no document was created. */
  readonly replayed: boolean;
}

/** The options of a create. */
export interface CreateOptions {
  /** 1 to 255 characters. */
  readonly idempotencyKey?: string | undefined;
  /** The issuer of the scope, when the caller has just read it; otherwise it is looked up. */
  readonly issuer?: EngineIssuer | undefined;
}

/** Creates documents, one per engine: concurrent creates of a counter share one queue. */
export interface Issuing {
  create(scope: Scope, body: unknown, options?: CreateOptions): Promise<Created>;
  /** As `create`, with the document queued for the SRI in the same commit. @param slot runs the submission, when given. */
  createQueued(scope: Scope, body: unknown, options: CreateOptions, slot: JobSlot | null): Promise<Created>;
  /** The creates that run or wait. */
  occupancy(): Occupancy;
}

export function createIssuing(context: LifecycleContext): Issuing {
  const queues = new Map<string, NumberingQueue>();
  const rounds = createCommitRounds();
  const keysInWork = new Map<string, Promise<unknown>>();
  let creates = 0;

  function number(counter: Counter, build: (numbering: Numbering) => Promise<NewDocument>) {
    const name = `${counter.issuerId} ${counter.environment} ${counter.documentType}`;
    const queue = queues.get(name) ?? new NumberingQueue(context, counter, rounds, () => queues.delete(name));
    queues.set(name, queue);
    return queue.number({ build });
  }

  async function createNew(scope: Scope, request: CreateRequest): Promise<Created | null> {
    const { issuer, prepared } = request;
    const counter: Counter = { ...toScope(scope), documentType: prepared.documentType };
    const { queueing } = request;
    const build = async (numbering: Numbering) => {
      const built = await buildDocument(context, scope, request, numbering);
      return queueing ? queued(context, built, queueing.slot) : built;
    };
    const numbered = await number(counter, build);
    if (numbered.kind === 'keyTaken') return null;
    const { lease } = numbered;
    const { document, events } = numbered.stored;
    announce(context, document, events);
    context.logger.info({ accessKey: document.accessKey, issuerId: issuer.id }, 'document created');
    if (lease) queueing?.slot?.run({ lease, job: newJob('SEND', document.createdAt), document });
    else if (queueing) context.wake();
    return { document, warnings: prepared.warnings, replayed: false };
  }

  async function replay(scope: Scope, request: CreateRequest): Promise<Created | null> {
    if (request.idempotencyKey === null) return null;
    const known = await context.storage.findByIdempotencyKey(scope, request.idempotencyKey);
    if (!known) return null;
    if (known.payloadHash !== request.hash) {
      throw new IdempotencyConflictError('This idempotency key was used with another payload.');
    }
    return { document: known, warnings: request.prepared.warnings, replayed: true };
  }

  /** Two creates with one idempotency key run one after the other in this process; the second finds the first's document. */
  async function alone<T>(scope: Scope, idempotencyKey: string | null, work: () => Promise<T>): Promise<T> {
    if (idempotencyKey === null) return work();
    const name = `${scope.issuerId} ${scope.environment} ${idempotencyKey}`;
    while (keysInWork.has(name)) await keysInWork.get(name)?.catch(() => {});
    const running = work();
    keysInWork.set(name, running);
    try {
      return await running;
    } finally {
      keysInWork.delete(name);
    }
  }

  async function create(
    scope: Scope,
    body: unknown,
    { idempotencyKey: key, issuer: given }: CreateOptions,
    queueing: CreateRequest['queueing'],
  ) {
    if (key !== undefined && key !== null) requireKey(key, context.language);
    const { issuer, prepared, payload, hash } = await prepareFor(context, scope, body, { given }).catch(
      async (error: unknown) => {
        // A repeated body may name the day of its first time, on which it was valid.
        const isRefused = error instanceof ValidationError && typeof key === 'string';
        const known = isRefused ? await context.storage.findByIdempotencyKey(scope, key) : null;
        if (!known) throw error;
        return prepareFor(context, scope, body, { given, day: firstDay(known) });
      },
    );
    const request: CreateRequest = { issuer, prepared, payload, idempotencyKey: key ?? null, hash, queueing };
    return alone(scope, request.idempotencyKey, async () => {
      for (;;) {
        const known = await replay(scope, request);
        if (known) return known;
        requireMayIssue(issuer, prepared.documentType);
        const created = await createNew(scope, request);
        // Null: another process bound the key in between, so that this is a replay.
        if (created) return created;
      }
    });
  }

  async function counted(work: () => Promise<Created>): Promise<Created> {
    if (creates >= MOST_CREATES) throw new EngineBusyError(`The engine runs ${MOST_CREATES} creates already.`);
    creates += 1;
    try {
      return await work();
    } finally {
      creates -= 1;
    }
  }

  return {
    create: (scope, body, options = {}) => counted(() => create(scope, body, options, null)),
    createQueued: (scope, body, options, slot) => counted(() => create(scope, body, options, { slot })),
    occupancy: () => ({ used: creates, limit: MOST_CREATES }),
  };
}

/**
 * Validates a body for the issuer of a scope: all that a create does before it takes a number.
 *
 * @param options.given the issuer, when the caller has just read it. @param options.day of issue; default today.
 * @throws ValidationError, IssuerNotFoundError
 */
export async function prepareFor(
  context: LifecycleContext,
  scope: Scope,
  body: unknown,
  {
    given,
    day = ecuadorDate(context.clock.now()),
  }: { readonly given: EngineIssuer | undefined; readonly day?: IsoDate | undefined },
): Promise<JsonPayload & { readonly issuer: EngineIssuer; readonly prepared: PreparedDocument }> {
  const issuer = given ?? (await requireIssuer(context, scope.issuerId));
  if (given && given.id !== scope.issuerId) throw new IssuerNotFoundError('That is not the issuer of the scope.');
  const prepared = prepareDocument(body, {
    issuer,
    today: day,
    strict: context.strict,
    language: context.language,
    requireAmounts: context.requireAmounts,
    ...(context.softwareProviderRuc ? { softwareProviderRuc: context.softwareProviderRuc } : {}),
  });
  return { issuer, prepared, ...jsonPayload(body, context.language) };
}

// --- internal ---

/** Each holds its body, and its document once it is signed: some 20 KB. */
const MOST_CREATES = 10_000;

const LONGEST_KEY = 255;

/** @throws ValidationError for a key that is no key of one document, or that not every database can store. */
function requireKey(key: unknown, language: Language): void {
  const refuse = (rule: string, params?: Readonly<Record<string, string | number>>) => {
    throw new ValidationError([createFailure('idempotencyKey', rule, params, language)], language);
  };
  if (typeof key !== 'string') refuse('type', { expected: 'string' });
  else if (key.trim() === '') refuse('required');
  else if (key.includes('\0') || !key.isWellFormed()) refuse('text');
  else if ([...key].length > LONGEST_KEY) refuse('maxLength', { max: LONGEST_KEY });
}

interface CreateRequest extends JsonPayload {
  /** How the document is queued for the SRI; null leaves it SIGNED. */
  readonly queueing: { readonly slot: JobSlot | null } | null;
  readonly issuer: EngineIssuer;
  readonly prepared: PreparedDocument;
  readonly idempotencyKey: string | null;
}

/** The day on which a document was prepared: midnight may have passed before it was signed, and a rebuild may redate it. */
function firstDay({ createdAt, issueDate }: StoredDocument): IsoDate {
  const created = ecuadorDate(createdAt);
  return issueDate < created ? issueDate : created;
}

async function buildDocument(
  context: LifecycleContext,
  scope: Scope,
  request: CreateRequest,
  numbering: Numbering,
): Promise<NewDocument> {
  const { prepared, issuer, payload, idempotencyKey, hash } = request;
  const { accessKey, signedXml } = await signComprobante(context, issuer, prepared, numbering);
  const now = context.clock.now();
  const summary = documentTypeOf(prepared.documentType).summary(prepared);
  const document: StoredDocument = {
    ...toScope(scope),
    id: context.newId(now),
    documentType: prepared.documentType,
    sequential: numbering.sequential,
    accessKey,
    status: 'SIGNED',
    issueDate: prepared.issueDate,
    ...summary,
    authorization: null,
    voided: null,
    mail: mailOf(summary),
    idempotencyKey,
    payloadHash: hash,
    createdAt: now,
    updatedAt: now,
    revision: 1,
    job: null,
  };
  return {
    document,
    contents: { signedXml, requestPayload: payload, authorizedXml: null },
    events: withIds(document, 'event', [createdEvent(document)]),
  };
}

/** The document as `queueSend` leaves it, with a lease of its job when a slot waits for it. */
function queued(context: LifecycleContext, created: NewDocument, slot: JobSlot | null): NewDocument {
  const { document, contents, events } = created;
  const { createdAt: now } = document;
  return {
    document: { ...document, status: 'PENDING_SEND', job: { ...newJob('SEND', now), running: slot !== null } },
    contents,
    events: withIds(document, 'event', [...events, movedEvent(now, { from: 'SIGNED', to: 'PENDING_SEND' })]),
    ...(slot && { leaseMs: context.schedule.leaseMs }),
  };
}

/** The mail of a document before authorization; without any address there is no mail. */
export function mailOf(document: Pick<DocumentSummary, 'counterparty' | 'copies'>): StoredDocument['mail'] {
  return { status: mailAddresses(document).length === 0 ? 'SKIPPED' : 'PENDING', sentAt: null, error: null };
}

/** Every mail address that receives the document, the counterparty's first. */
export function mailAddresses({
  counterparty,
  copies,
}: Pick<DocumentSummary, 'counterparty' | 'copies'>): readonly string[] {
  return [...new Set([...(counterparty.email === null ? [] : [counterparty.email]), ...copies])];
}

/** Callers may pass more than a scope; only its two fields are kept. */
function toScope(scope: Scope): Scope {
  return { issuerId: scope.issuerId, environment: scope.environment };
}
