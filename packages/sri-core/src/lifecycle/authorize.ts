import type { AccessKey } from '../access-key.js';
import { InvalidTransitionError, SriUnavailableError } from '../errors.js';
import type { AuthorizationAnswer } from '../sri/authorization.js';
import type { Job, JobLease, Scope, SriResponse, StoredDocument } from '../storage.js';
import { afterAttempt, afterFailure } from './attempts.js';
import { type ChangeDecision, changeClaimed, changeDocument, requireDocument } from './change.js';
import type { LifecycleContext } from './context.js';
import {
  errorEvent,
  historyId,
  movedEvent,
  type NewEvent,
  type NewResponse,
  notedEvent,
  sriResponse,
} from './history.js';
import { compareComprobante } from './same-comprobante.js';

/**
 * The result of a query. `response` is null when no query ran: the document is settled, the engine stopped first, or
 * queries are held. An outage of the SRI holds queries (see `sriStanding`). The schedule queries after the outage.
 */
export interface AuthorizationCheck {
  readonly document: StoredDocument;
  readonly response: SriResponse | null;
}

/** The SRI's answer about a key, or why the answer is unusable. */
export type AuthorizationResult =
  | { readonly kind: 'answered'; readonly answer: AuthorizationAnswer }
  | {
      readonly kind: 'failed';
      readonly message: string;
      /** In the form of the query's record. */
      readonly status: string;
      readonly messages: SriResponse['messages'];
    };

/** Queries one key. A missing answer is an outcome here, since it must be recorded. */
export async function askAuthorization(
  context: LifecycleContext,
  document: Scope & { readonly accessKey: AccessKey },
  signal?: AbortSignal,
): Promise<AuthorizationResult> {
  try {
    const answer = await context.sri.authorization(document.environment, document.accessKey, signal);
    if (answer.outcome !== 'pending' || answer.problem === null) return { kind: 'answered', answer };
    return { kind: 'failed', message: answer.problem, status: answer.status, messages: answer.messages };
  } catch (error) {
    if (!(error instanceof SriUnavailableError)) throw error;
    return { kind: 'failed', message: error.message, status: error.httpStatus, messages: null };
  }
}

/** Authorization on demand, one per engine: overlapping calls about a document share one query. */
export interface Authorizing {
  authorize(scope: Scope, accessKey: string): Promise<AuthorizationCheck>;
}

export function createAuthorizing(context: LifecycleContext): Authorizing {
  const running = new Map<string, Promise<AuthorizationCheck>>();

  async function check(scope: Scope, accessKey: string): Promise<AuthorizationCheck> {
    const document = await requireDocument(context, scope, accessKey);
    if (SETTLED.has(document.status)) return { document, response: null };
    if (document.status !== 'RECEIVED') throw new InvalidTransitionError('be authorized', document.status);
    const leave = await context.slots.wait(await context.ownerOf(document.issuerId));
    if (!leave) return { document, response: null };
    try {
      // The schedule may have queried during the wait.
      const current = await requireDocument(context, scope, accessKey);
      if (current.status !== 'RECEIVED') return { document: current, response: null };
      return await ask(current);
    } finally {
      leave();
    }
  }

  async function ask(document: StoredDocument): Promise<AuthorizationCheck> {
    const pass = await context.hosts.admit(document.environment, { operation: 'AUTHORIZE', unconfirmed: false });
    if (pass.kind === 'wait') return { document, response: null };
    try {
      return await recordAnswer(context, document, await askAuthorization(context, document), null);
    } finally {
      await pass.leave();
    }
  }

  return {
    async authorize(scope, accessKey) {
      const name = `${scope.issuerId} ${scope.environment} ${accessKey}`;
      const shared = running.get(name) ?? check(scope, accessKey).finally(() => running.delete(name));
      running.set(name, shared);
      return shared;
    },
  };
}

/** The scheduled authorization query, made by the worker that holds the job. */
export async function attemptAuthorization(
  context: LifecycleContext,
  claimed: { readonly lease: JobLease; readonly job: Job; readonly document: StoredDocument },
  signal: AbortSignal,
): Promise<void> {
  const asked = await askAuthorization(context, claimed.document, signal);
  await recordAnswer(context, claimed.document, asked, claimed);
}

/**
 * Applies an answer to a RECEIVED document: the next status with its history, or null without a verdict. A verdict about
 * other bytes than ours does not concern this document.
 */
export async function verdict(
  answer: AuthorizationAnswer,
  signedXml: string,
  now: Date,
): Promise<VerdictChange | null> {
  if (answer.outcome === 'pending') return null;
  const { comprobante } = answer;
  const comparison = comprobante === null ? 'same' : await compareComprobante(comprobante, signedXml);
  if (answer.outcome === 'notAuthorized') {
    // After a rebuild the SRI keeps showing the old refusal until it has judged the new file.
    if (comparison === 'another') return null;
    return { set: { status: 'NOT_AUTHORIZED' }, events: [movedEvent(now, { from: 'RECEIVED', to: 'NOT_AUTHORIZED' })] };
  }
  if (comparison === 'another') {
    return {
      set: { status: 'RETURNED' },
      events: [errorEvent(now, 'AUTHORIZE', ANOTHER_DOCUMENT), movedEvent(now, { from: 'RECEIVED', to: 'RETURNED' })],
    };
  }
  const keepsTheirs = comparison === 'same' && comprobante !== null && comprobante !== signedXml;
  const refusal = notedEvent(now, 'SRI_COPY_REFUSED', { message: SPOILT_COPY });
  return {
    set: { status: 'AUTHORIZED', authorization: { number: answer.number, date: answer.date } },
    ...(keepsTheirs ? { contents: { authorizedXml: comprobante } } : {}),
    events: [
      ...(comparison === 'spoilt' ? [refusal] : []),
      movedEvent(now, { from: 'RECEIVED', to: 'AUTHORIZED', detail: { authorizationNumber: answer.number } }),
    ],
  };
}

/** The change that a verdict makes to a document. */
export interface VerdictChange {
  readonly set: ChangeDecision['set'];
  readonly contents?: NonNullable<ChangeDecision['contents']>;
  readonly events: NewEvent[];
}

/** The end of a query, as a record. */
export function authorizationResponse(now: Date, asked: AuthorizationResult): NewResponse {
  const { status, messages } = asked.kind === 'answered' ? asked.answer : asked;
  return sriResponse(now, { operationType: 'AUTHORIZATION', status, messages });
}

// --- internal ---

/** Recorded in the history of a document whose key belongs to another document at the SRI. */
const ANOTHER_DOCUMENT =
  'The SRI has authorized another document under this access key. Look for an earlier submission of your own first; if another system used the number, rebuild under a new one.';

/** Recorded in the history of a document whose authorized text differs from the signed text. */
const SPOILT_COPY =
  'The SRI authorized the document and sent a text with it that is not the signed file. The signed file is kept.';

const SETTLED = new Set(['AUTHORIZED', 'NOT_AUTHORIZED', 'VOIDED']);

/** @param claimed the job of a scheduled query; null for a caller's query, which uses up no attempt. */
async function recordAnswer(
  context: LifecycleContext,
  asked: StoredDocument,
  outcome: AuthorizationResult,
  claimed: { readonly lease: JobLease; readonly job: Job } | null,
): Promise<AuthorizationCheck> {
  const response = authorizationResponse(context.clock.now(), outcome);
  let isRecorded = false;
  const decide = async (current: StoredDocument, now: Date): Promise<ChangeDecision | null> => {
    isRecorded = false;
    // Another process rebuilt or settled the document during the query.
    if (current.status !== 'RECEIVED' || current.accessKey !== asked.accessKey) return null;
    // Read after the document: if a rebuild happens in between, this change loses the race and is decided again.
    const contents = await context.storage.readContents(current, current.accessKey);
    if (!contents) return null;
    isRecorded = true;
    const lease = claimed ? { lease: claimed.lease } : {};
    const settled = outcome.kind === 'answered' ? await verdict(outcome.answer, contents.signedXml, now) : null;
    if (settled) return { ...settled, responses: [response], job: null, ...lease };

    const error = outcome.kind === 'failed' ? outcome.message : null;
    const job = claimed ? { job: await nextJob(context, current, claimed.job, { error, now }) } : {};
    const events = error === null ? [] : [errorEvent(now, 'AUTHORIZE', error)];
    return { set: {}, responses: [response], events, ...job, ...lease };
  };
  const document = claimed
    ? await changeClaimed(context, asked, decide)
    : await changeDocument(context, asked, asked.accessKey, decide);
  const place = { revision: document.revision, position: 0 };
  // An answer that is not recorded has no place.
  const id = isRecorded ? historyId(document.id, 'response', place) : context.newId(response.createdAt);
  return { document, response: { ...response, id } };
}

/** The job after a scheduled query without a verdict. @param error null when the SRI is still processing. */
async function nextJob(
  context: LifecycleContext,
  document: StoredDocument,
  job: Job,
  { error, now }: { readonly error: string | null; readonly now: Date },
): Promise<Job> {
  const at = { now, receivedAt: await receivedAt(context, document) };
  if (error === null) return afterAttempt(job, { error, unconfirmed: false }, at, context.schedule);
  const heldUntil = context.hosts.heldUntil(document.environment, 'AUTHORIZE');
  return afterFailure(job, { error, unconfirmed: false, heldUntil }, at, context.schedule);
}

/** When the SRI received a document; the window of late queries begins then. */
export async function receivedAt(context: LifecycleContext, document: StoredDocument): Promise<Date> {
  const events = await context.storage.documentEvents(document, document.accessKey);
  return events.findLast((event) => event.toStatus === 'RECEIVED')?.createdAt ?? document.createdAt;
}
