import { InvalidTransitionError, SriUnavailableError } from '../errors.js';
import type { AuthorizationAnswer } from '../sri/authorization.js';
import type { ReceptionAnswer } from '../sri/reception.js';
import type { ClaimedJob, JobOperation, Scope, StoredDocument } from '../storage.js';
import { afterFailure, newJob } from './attempts.js';
import { type AuthorizationResult, askAuthorization, authorizationResponse, verdict } from './authorize.js';
import { type ChangeDecision, changeClaimed, changeDocument } from './change.js';
import type { LifecycleContext } from './context.js';
import { errorEvent, movedEvent, sriResponse } from './history.js';
import { compareComprobante } from './same-comprobante.js';
import { nextStatus } from './status.js';

/**
 * Queues a SIGNED document for the SRI. With a free slot, the same commit claims its job, and the submission begins.
 *
 * @throws DocumentNotFoundError, InvalidTransitionError
 */
export async function queueSend(context: LifecycleContext, scope: Scope, accessKey: string): Promise<StoredDocument> {
  const slot = context.takeSlot();
  try {
    const document = await changeDocument(context, scope, accessKey, (current, now) => {
      const status = nextStatus(current.status, 'queue');
      if (!status) throw new InvalidTransitionError('be sent', current.status);
      return {
        set: { status },
        events: [movedEvent(now, { from: current.status, to: status })],
        job: newJob('SEND', now),
        ...(slot && { run: slot.run }),
      };
    });
    if (!slot) context.wake();
    return document;
  } finally {
    slot?.close();
  }
}

/**
 * One submission, made by the worker that holds the job. The signed bytes go out as stored: nothing is signed or numbered
 * again. If an earlier submission may have arrived unanswered, the SRI is queried first. Nothing is sent while the
 * application holds the issuer's documents.
 */
export async function attemptSend(context: LifecycleContext, claimed: ClaimedJob, signal: AbortSignal): Promise<void> {
  const { document, job } = claimed;
  const [maySend, read] = await Promise.all([
    context.maySend(document),
    context.storage.readContents(document, document.accessKey),
  ]);
  if (!maySend) return putOff(context, claimed);
  let contents = read;
  if (!contents) return;
  // After a pause beyond its lease, a worker may find a file that was signed since, and that is not queued.
  if (contents.revision !== document.revision) return context.storage.releaseJob(claimed);

  let asked: AuthorizationResult | null = null;
  if (job.unconfirmed) {
    asked = await askAuthorization(context, document, signal);
    if (asked.kind === 'failed') return recordUnasked(context, claimed, asked);
    if (await isAboutOurs(asked.answer, contents.signedXml))
      return recordFound(context, claimed, asked, contents.signedXml);
  }

  try {
    const answering = context.sri.submit(document.environment, document.accessKey, contents.signedXml, signal);
    // The SRI may take half a minute, with hundreds of other calls waiting. The text must not stay in memory as long.
    contents = null;
    const answer = await answering;
    await recordReception(context, claimed, answer, asked);
  } catch (error) {
    if (!(error instanceof SriUnavailableError)) throw error;
    await recordFailure(context, claimed, error, asked);
  }
}

// --- internal ---

/** Releases the job as it was before the claim, to be claimed again later. */
function putOff({ storage, clock, schedule }: LifecycleContext, claimed: ClaimedJob): Promise<void> {
  const dueAt = new Date(clock.now().getTime() + schedule.putOffMs);
  return storage.releaseJob({ ...claimed, job: { ...claimed.job, dueAt } });
}

/** Whether the SRI holds this very file, so that sending it again is pointless. */
async function isAboutOurs(answer: AuthorizationAnswer, signedXml: string): Promise<boolean> {
  if (answer.outcome === 'pending') return answer.known;
  if (answer.outcome === 'authorized') return true;
  // A refusal without its file, or of an earlier file, does not concern these bytes.
  return answer.comprobante !== null && (await compareComprobante(answer.comprobante, signedXml)) === 'same';
}

function recordReception(
  context: LifecycleContext,
  claimed: ClaimedJob,
  answer: ReceptionAnswer,
  asked: AuthorizationResult | null,
): Promise<void> {
  return record(context, claimed, asked, (now) => {
    const to = answer.outcome === 'received' ? 'RECEIVED' : 'RETURNED';
    const response = sriResponse(now, { operationType: 'RECEPTION', status: answer.status, messages: answer.messages });
    return {
      set: { status: to },
      events: [movedEvent(now, { from: 'PENDING_SEND', to, eventType: 'SENT', detail: { sriStatus: answer.status } })],
      responses: [response],
      job: to === 'RECEIVED' ? firstQuestion(context, now) : null,
    };
  });
}

function recordFound(
  context: LifecycleContext,
  claimed: ClaimedJob,
  asked: Extract<AuthorizationResult, { kind: 'answered' }>,
  signedXml: string,
): Promise<void> {
  return record(context, claimed, asked, async (now) => {
    const received = movedEvent(now, {
      from: 'PENDING_SEND',
      to: 'RECEIVED',
      eventType: 'SENT',
      detail: { sriStatus: asked.answer.status },
    });
    const settled = await verdict(asked.answer, signedXml, now);
    if (settled) return { ...settled, events: [received, ...settled.events], job: null };
    return { set: { status: 'RECEIVED' }, events: [received], job: firstQuestion(context, now) };
  });
}

/** The query before a resend gave no result, so nothing was sent and the doubt stays. */
function recordUnasked(
  context: LifecycleContext,
  claimed: ClaimedJob,
  asked: Extract<AuthorizationResult, { kind: 'failed' }>,
): Promise<void> {
  const { unconfirmed } = claimed.job;
  const failure = { message: asked.message, unconfirmed, operation: 'AUTHORIZE' } as const;
  return record(context, claimed, asked, (now) => failedAttempt(context, claimed, now, failure));
}

function recordFailure(
  context: LifecycleContext,
  claimed: ClaimedJob,
  error: SriUnavailableError,
  asked: AuthorizationResult | null,
): Promise<void> {
  const { message, httpStatus: status, mayHaveArrived: unconfirmed } = error;
  return record(context, claimed, asked, (now) => ({
    ...failedAttempt(context, claimed, now, { message, unconfirmed, operation: 'SEND' }),
    responses: [sriResponse(now, { operationType: 'RECEPTION', status, messages: null })],
  }));
}

/** @param failure.operation the failed call of the attempt. */
function failedAttempt(
  context: LifecycleContext,
  { job, document }: ClaimedJob,
  now: Date,
  failure: { readonly message: string; readonly unconfirmed: boolean; readonly operation: JobOperation },
): ChangeDecision {
  const { message: error, unconfirmed, operation } = failure;
  const heldUntil = context.hosts.heldUntil(document.environment, operation);
  return {
    set: {},
    events: [errorEvent(now, 'SEND', error)],
    job: afterFailure(job, { error, unconfirmed, heldUntil }, { now, receivedAt: null }, context.schedule),
  };
}

/** Commits an attempt's result, with the record of the query before it. */
async function record(
  context: LifecycleContext,
  claimed: ClaimedJob,
  asked: AuthorizationResult | null,
  decide: (now: Date) => ChangeDecision | Promise<ChangeDecision>,
): Promise<void> {
  const { document, lease } = claimed;
  await changeClaimed(context, document, async (current, now) => {
    if (current.status !== 'PENDING_SEND' || current.accessKey !== document.accessKey) return null;
    const decision = await decide(now);
    const earlier = asked ? [authorizationResponse(now, asked)] : [];
    return { ...decision, responses: [...earlier, ...(decision.responses ?? [])], lease };
  });
}

function firstQuestion(context: LifecycleContext, now: Date) {
  return newJob('AUTHORIZE', new Date(now.getTime() + context.schedule.firstAuthorizationDelayMs));
}
