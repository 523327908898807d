import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenedDatabase } from '../../open-database.js';
import { startChildServer } from '../child-server.js';
import { createDocument, postJson } from '../test-tenant.js';
import { activeTenant, settingsOf, withDatabase } from './chaos-tenant.js';
import { openCountingSri } from './counting-sri.js';
import { expectInvariants } from './expect-invariants.js';
import { type Fault, type FaultContext, type FaultCount, unharmed } from './fault.js';

/** The SRI is down, and the server dies between the third and the fourth of five attempts. */
export const restartBetweenRetries: Fault = {
  name: 'restart-between-retries',
  about: 'kill -9 while a document waits for its fourth attempt of five: count and due time stay as they are',
  databases: ['sqlite', 'postgres'],
  shortRuns: 1,
  longRuns: 10,
  run,
};

// --- internal ---

const RETRY_INTERVAL_MS = 4_000;
const MAX_ATTEMPTS = 5;

async function run(context: FaultContext): Promise<FaultCount> {
  const sri = await openCountingSri();
  const settings = {
    ...settingsOf(context),
    ...sri.settings,
    LEASE_SECONDS: '1',
    SRI_RETRY_INTERVAL: `${RETRY_INTERVAL_MS}ms`,
    SRI_MAX_ATTEMPTS: String(MAX_ATTEMPTS),
  };
  let server = await startChildServer({ settings });
  let count = unharmed(0);
  try {
    const tenant = await activeTenant(server, context);
    for (let runs = 1; runs <= context.runs && context.hasTime(); runs += 1) {
      sri.isUp = false;
      const { accessKey } = await createDocument(server, tenant);
      await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
      const harm = await withDatabase(context, async (opened) => {
        const before = await until(opened, accessKey, (job) => job?.attemptCount === 3 && !job.isHeld);
        await server.kill();
        server = await startChildServer({ settings });
        const after = await readJob(opened, accessKey);
        const unchanged = after?.attemptCount === 3 && after.dueAt === before?.dueAt;
        const fourth = await until(opened, accessKey, (job) => (job?.attemptCount ?? 0) >= 4);
        const tooEarly = (fourth?.recordedAt ?? 0) < (before?.dueAt ?? 0);
        const failed = await until(opened, accessKey, (job) => job?.status === 'FAILED');
        await sleep(RETRY_INTERVAL_MS * 1.25);
        const last = await readJob(opened, accessKey);
        // Without an answer, the next document would be the second that fails: an outage, which uses up no attempt.
        sri.isUp = true;
        await postJson(server, `/v1/documents/${accessKey}/send/retry`, tenant.headers, {});
        await until(opened, accessKey, (job) => job === null || job.records > MAX_ATTEMPTS);
        return {
          lost: unchanged && failed ? 0 : 1,
          duplicated: tooEarly || last?.records !== MAX_ATTEMPTS ? 1 : 0,
          stuck: failed ? 0 : 1,
        };
      });
      count = {
        runs,
        lost: count.lost + harm.lost,
        duplicated: count.duplicated + harm.duplicated,
        stuck: count.stuck + harm.stuck,
      };
      await expectInvariants(context);
    }
    return count;
  } finally {
    await server.kill();
    sri.close();
  }
}

interface WaitingJob {
  readonly status: string;
  readonly attemptCount: number;
  readonly dueAt: number | null;
  readonly isHeld: boolean;
  /** The recorded attempts, and the time of the last one. */
  readonly records: number;
  readonly recordedAt: number;
}

function readJob({ database }: OpenedDatabase, accessKey: string): Promise<WaitingJob | null> {
  return database.read(async (tables) => {
    const job = await tables
      .selectFrom('sri_jobs')
      .innerJoin('sri_documents', 'sri_documents.id', 'document_id')
      .select(['document_id', 'sri_jobs.status', 'attempt_count', 'due_at', 'lease_until'])
      .where('access_key', '=', accessKey)
      .executeTakeFirst();
    if (!job) return null;
    const responses = await tables
      .selectFrom('sri_responses')
      .select('created_at')
      .where('document_id', '=', job.document_id)
      .execute();
    return {
      status: job.status,
      attemptCount: job.attempt_count,
      dueAt: job.due_at,
      isHeld: job.lease_until !== null,
      records: responses.length,
      recordedAt: Math.max(0, ...responses.map(({ created_at }) => created_at)),
    };
  });
}

/** @returns the job once `isSo` is true; null if it is not within the time of all attempts. */
async function until(
  opened: OpenedDatabase,
  accessKey: string,
  isSo: (job: WaitingJob | null) => boolean,
): Promise<WaitingJob | null> {
  const giveUpAt = performance.now() + (MAX_ATTEMPTS + 1) * RETRY_INTERVAL_MS + 60_000;
  while (performance.now() < giveUpAt) {
    const job = await readJob(opened, accessKey);
    if (isSo(job)) return job;
    await sleep(25);
  }
  return null;
}
