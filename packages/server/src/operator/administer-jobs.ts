import { findTenant, lockTenant, type Tenant } from '../accounts/index.js';
import { retryMail } from '../documents/index.js';
import { readBusinessName } from '../issuers/index.js';
import { queueVerification } from '../onboarding/index.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { Services } from '../platform/http/services.js';
import { redeliver } from '../webhooks/index.js';
import { onBehalfOf } from './administer-tenants.js';
import { type AuditedAction, auditing } from './audited.js';
import { type FailedJob, findFailedJob, replaceFailedMail, requeueFailedMail } from './failed-job-rows.js';
import type { Operator } from './operator.js';

/** Dependencies of administering jobs. */
export type JobAdministrationDeps = Pick<Services, keyof WriteDeps | 'engine' | 'outbox' | 'registration' | 'webhooks'>;

/**
 * Restarts the attempts of a failed job, due at once.
 *
 * @returns the failed job.
 * @throws Refusal NOT_FOUND for an unknown job; NOTHING_TO_RETRY when it cannot be retried: its endpoint is inactive,
 *   or the address is verified already.
 */
export async function retryJob(parts: JobAdministrationDeps, operator: Operator, id: string): Promise<FailedJob> {
  const { job, tenant } = await parts.database.read(async (tables) => {
    const found = await findFailedJob(tables, id);
    const owner = found && (await findTenant(tables, found.tenantId));
    if (!found || !owner) throw new Refusal('NOT_FOUND');
    return { job: found, tenant: owner };
  });
  const { kind, subject, accessKey, attemptCount } = job;
  const detail = { kind, subject, accessKey, attemptCount };
  const action: AuditedAction = { action: 'job.retry', targetType: 'job', targetId: id, detail };
  await RETRIES[kind](parts, { operator, action, job, tenant });
  return job;
}

// --- internal ---

interface Retry {
  readonly operator: Operator;
  readonly action: AuditedAction;
  readonly job: FailedJob;
  readonly tenant: Tenant;
}

const RETRIES: Readonly<Record<FailedJob['kind'], (parts: JobAdministrationDeps, retry: Retry) => Promise<void>>> = {
  SRI_SEND: retryDocument,
  SRI_AUTHORIZE: retryDocument,
  MAIL: (parts, retry) => (retry.job.subject === 'VERIFICATION' ? verifyAgain : mailAgain)(parts, retry),
  WEBHOOK: deliverAgain,
};

async function retryDocument(parts: JobAdministrationDeps, { operator, action, job }: Retry): Promise<void> {
  const { issuerId, environment, accessKey } = job;
  if (issuerId === null || environment === null || accessKey === null) throw new Refusal('NOTHING_TO_RETRY');
  const database = auditing(parts, operator, action);
  await parts.engine.retry({ issuerId, environment }, accessKey, (change) =>
    database.changeDocument(change, async () => {}),
  );
}

async function mailAgain(parts: JobAdministrationDeps, { operator, action, job, tenant }: Retry): Promise<void> {
  const { issuerId, environment, accessKey, isAuthorizationMail } = job;
  if (isAuthorizationMail && issuerId !== null && environment !== null && accessKey !== null) {
    const document = await parts.engine.get({ issuerId, environment }, accessKey);
    const outbox = { ...parts.outbox, database: auditing(parts, operator, action) };
    // Also marks the mail as pending in its document. Already sent mails stay unchanged.
    const force = document.copies.length === 0;
    await retryMail(outbox, onBehalfOf(tenant), document, { email: null, force });
    parts.registration.wakeMail();
    return;
  }
  // A failed recovery mail has lost its undo link.
  if (job.subject === 'RECOVERY') throw new Refusal('NOTHING_TO_RETRY');
  const now = parts.clock.now();
  await auditing(parts, operator, action).transaction(async (tables) => {
    if (!(await requeueFailedMail(tables, job.id, now))) throw new Refusal('NOTHING_TO_RETRY');
  });
  parts.registration.wakeMail();
}

/** A failed verification mail has lost its link, so a new one is made. */
async function verifyAgain(parts: JobAdministrationDeps, { operator, action, job }: Retry): Promise<void> {
  await auditing(parts, operator, action).transaction(async (tables) => {
    const tenant = await lockTenant(tables, job.tenantId);
    if (tenant?.status !== 'PENDING_VERIFICATION') throw new Refusal('NOTHING_TO_RETRY');
    if (!(await replaceFailedMail(tables, job.id))) throw new Refusal('NOTHING_TO_RETRY');
    const businessName = await readBusinessName(tables, tenant.id);
    await queueVerification(parts.registration, tables, tenant, businessName ?? tenant.email);
  });
  parts.registration.wakeMail();
}

async function deliverAgain(parts: JobAdministrationDeps, { operator, action, job, tenant }: Retry): Promise<void> {
  const database = auditing(parts, operator, action);
  const wanted = { endpointId: job.endpointId ?? '', deliveryId: job.id };
  try {
    await redeliver({ ...parts.webhooks, database }, onBehalfOf(tenant), wanted);
  } catch (error) {
    // The delivery exists, so its endpoint is missing.
    if (error instanceof Refusal && error.code === 'NOT_FOUND') throw new Refusal('NOTHING_TO_RETRY');
    throw error;
  }
}
