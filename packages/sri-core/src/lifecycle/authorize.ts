import type { AccessKey } from '../access-key.js';
import { InvalidTransitionError, SriUnavailableError } from '../errors.js';
import type { AuthorizationAnswer } from '../sri/authorization.js';
import type { DocumentEvent, Job, JobLease, Scope, SriResponse, StoredDocument } from '../storage.js';
import { afterAttempt } from './attempts.js';
import { changeClaimed, changeDocument, type Decision, requireDocument } from './change.js';
import type { LifecycleContext } from './context.js';
import { errorEvent, movedEvent, sriResponse } from './history.js';
import { sameComprobante } from './same-comprobante.js';

/** What asking found out. `response` is null when nothing had to be asked. */
export interface AuthorizationCheck {
  readonly document: StoredDocument;
  readonly response: SriResponse | null;
}

/** The SRI's answer about a key, or that none came. */
export type Asked =
  | { readonly kind: 'answered'; readonly answer: AuthorizationAnswer }
  | { readonly kind: 'unavailable'; readonly error: SriUnavailableError };

/** Asks for one key. A missing answer is an outcome here, since it has to be recorded. */
export async function askAuthorization(
  context: LifecycleContext,
  document: Scope & { readonly accessKey: AccessKey },
  signal?: AbortSignal,
): Promise<Asked> {
  try {
    const answer = await context.sri.authorization(document.environment, document.accessKey, signal);
    return { kind: 'answered', answer };
  } catch (error) {
    if (error instanceof SriUnavailableError) return { kind: 'unavailable', error };
    throw error;
  }
}

/** Authorization on demand; one per engine, because calls about a document that overlap share one question. */
export interface Authorizing {
  authorize(scope: Scope, accessKey: string): Promise<AuthorizationCheck>;
}

export function createAuthorizing(context: LifecycleContext): Authorizing {
  const running = new Map<string, Promise<AuthorizationCheck>>();

  async function check(scope: Scope, accessKey: string): Promise<AuthorizationCheck> {
    const document = await requireDocument(context, scope, accessKey);
    if (SETTLED.has(document.status)) return { document, response: null };
    if (document.status !== 'RECEIVED') throw new InvalidTransitionError('be authorized', document.status);
    const asked = await askAuthorization(context, document);
    return recordAnswer(context, document, asked, null);
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

/** The scheduled question for an authorization, made by the worker that holds the job. */
export async function attemptAuthorization(
  context: LifecycleContext,
  claimed: {
    readonly lease: JobLease;
    readonly job: Job;
    readonly document: StoredDocument;
  },
  signal: AbortSignal,
): Promise<void> {
  const asked = await askAuthorization(context, claimed.document, signal);
  await recordAnswer(context, claimed.document, asked, claimed);
}

/**
 * What an answer makes of a RECEIVED document: the status it moves to with its history, or null while the SRI is still
 * working on it. A verdict about other bytes than ours is not about this document.
 */
export function verdict(
  context: LifecycleContext,
  answer: AuthorizationAnswer,
  signedXml: string,
  now: Date,
): {
  readonly set: Decision['set'];
  readonly contents?: NonNullable<Decision['contents']>;
  readonly events: DocumentEvent[];
} | null {
  if (answer.outcome === 'pending') return null;
  const same = answer.comprobante === null ? null : sameComprobante(answer.comprobante, signedXml);
  if (answer.outcome === 'notAuthorized') {
    // After a rebuild the SRI goes on showing the refusal of the earlier file until it has judged the new one.
    if (same === false) return null;
    return {
      set: { status: 'NOT_AUTHORIZED' },
      events: [movedEvent(context, now, { from: 'RECEIVED', to: 'NOT_AUTHORIZED' })],
    };
  }
  if (same === false) {
    return {
      set: { status: 'RETURNED' },
      events: [
        errorEvent(context, now, 'AUTHORIZE', 'The SRI has authorized another document under this access key.'),
        movedEvent(context, now, { from: 'RECEIVED', to: 'RETURNED' }),
      ],
    };
  }
  const kept = answer.comprobante === signedXml ? null : answer.comprobante;
  return {
    set: {
      status: 'AUTHORIZED',
      authorization: { number: answer.number, date: answer.date },
    },
    ...(kept === null ? {} : { contents: { authorizedXml: kept } }),
    events: [movedEvent(context, now, { from: 'RECEIVED', to: 'AUTHORIZED' })],
  };
}

/** How a question ended, as a record. */
export function authorizationResponse(context: LifecycleContext, now: Date, asked: Asked): SriResponse {
  return sriResponse(context, now, {
    operationType: 'AUTHORIZATION',
    status: asked.kind === 'answered' ? asked.answer.status : asked.error.httpStatus,
    messages: asked.kind === 'answered' ? asked.answer.messages : null,
  });
}

// --- internal ---

const SETTLED = new Set(['AUTHORIZED', 'NOT_AUTHORIZED', 'VOIDED']);

/** @param claimed the job when the schedule asked; null when a caller did, which uses up no attempt. */
async function recordAnswer(
  context: LifecycleContext,
  asked: StoredDocument,
  outcome: Asked,
  claimed: { readonly lease: JobLease; readonly job: Job } | null,
): Promise<AuthorizationCheck> {
  const response = authorizationResponse(context, context.clock.now(), outcome);
  const decide = async (current: StoredDocument, now: Date): Promise<Decision | null> => {
    // Rebuilt or settled by somebody else while the question was under way.
    if (current.status !== 'RECEIVED' || current.accessKey !== asked.accessKey) return null;
    // Read after the document: were it rebuilt in between, this change would come too late and be decided anew.
    const contents = await context.storage.readContents(current, current.accessKey);
    if (!contents) return null;
    const lease = claimed ? { lease: claimed.lease } : {};
    const settled = outcome.kind === 'answered' ? verdict(context, outcome.answer, contents.signedXml, now) : null;
    if (settled) return { ...settled, responses: [response], job: null, ...lease };

    const error = faultOf(outcome);
    const job = claimed
      ? {
          job: afterAttempt(
            claimed.job,
            { error, unconfirmed: false },
            { now, receivedAt: await receivedAt(context, current) },
            context.schedule,
          ),
        }
      : {};
    const events = error === null ? [] : [errorEvent(context, now, 'AUTHORIZE', error)];
    return { set: {}, responses: [response], events, ...job, ...lease };
  };
  const document = claimed
    ? await changeClaimed(context, asked, decide)
    : await changeDocument(context, asked, asked.accessKey, decide);
  return { document, response };
}

/** What kept an answer from saying anything about the document; null when it did, be it that the SRI is still at work. */
function faultOf(outcome: Asked): string | null {
  if (outcome.kind === 'unavailable') return outcome.error.message;
  const { answer } = outcome;
  const isAstray = answer.outcome === 'pending' && answer.aboutAnotherKey;
  return isAstray ? 'The SRI answered about another access key; that answer was not taken.' : null;
}

async function receivedAt(context: LifecycleContext, document: StoredDocument): Promise<Date> {
  const events = await context.storage.documentEvents(document, document.accessKey);
  return events.findLast((event) => event.toStatus === 'RECEIVED')?.createdAt ?? document.createdAt;
}
