import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_DOCUMENT_TYPE, type DocumentType, ecuadorDate, systemClock } from 'sri-core';
import { readConfig } from '../../config/config.js';
import { type OpenedDatabase, openDatabase } from '../../open-database.js';
import { type ChildServer, startChildServer } from '../child-server.js';
import { openSmtpSink, type SmtpSink } from '../smtp-sink.js';
import { createDocument, postJson, type TestTenant } from '../test-tenant.js';
import { bodyOf, secondType, toCounterparty } from '../type-bodies.js';
import { openReceiver } from '../webhook-receiver.js';
import { activeTenant, addEndpoint, settingsOf } from './chaos-tenant.js';
import { type CountingSri, openCountingSri } from './counting-sri.js';
import { CRASH_HEADER, CRASH_TOKEN } from './crash-step.js';
import { type JobKind, judgeFate, readFate, traceMails } from './document-fate.js';
import { DOCUMENT_STEPS, type DocumentStep } from './document-steps.js';
import { expectInvariants } from './expect-invariants.js';
import type { Fault, FaultContext, FaultCount } from './fault.js';
import { expectedDeliveries, receivedDeliveries } from './received-deliveries.js';
import { createSeededRandom } from './seeded-random.js';
import { stepsOf } from './steps-of.js';

/** Kills one server at each step of a document's way and restarts it. */
export const killAtDocumentSteps: Fault = killAtSteps(1, DOCUMENT_STEPS.length);

/** Kills one of several servers; the others take over. */
export const killOneOfTwo: Fault = killAtSteps(2, 6);

/** The same with three. */
export const killOneOfThree: Fault = killAtSteps(3, 6);

// --- internal ---

/** The servers' settings, and the leases that follow from them; a mail's lease includes time to write it. */
const LEASE_MS = 1_000;
const WEBHOOK_TIMEOUT_MS = 1_000;
const SMTP_TIMEOUT_MS = 10_000;
const LEASES_MS: Readonly<Record<JobKind, number>> = {
  document: LEASE_MS,
  webhook: 2 * WEBHOOK_TIMEOUT_MS,
  mail: 1.5 * SMTP_TIMEOUT_MS + 30_000,
};

/** A busy machine takes a while to reach a step. */
const REACHED_WITHIN_MS = 120_000;

const KINDS: readonly JobKind[] = ['document', 'webhook', 'mail'];

/** The next worker continues at most this long after the end of the lease. */
const PROMISED_MS = 15_000;

/** The time for the rest of the work, up to the mail, doubled for a busy machine. */
const DOING_MS = 45_000;

/** The rest of a mail's lease after the clock skipped most of it. */
const LEFT_OF_LEASE_MS = 2_000;

function killAtSteps(servers: number, shortRuns: number): Fault {
  const many = { 1: '', 2: '-one-of-two', 3: '-one-of-three' }[servers] ?? '';
  return {
    name: `kill${many}-at-document-steps`,
    about: `kill -9 of one of ${servers} at every step of sending, authorizing, notifying, delivering and mailing`,
    databases: ['sqlite', 'postgres'],
    shortRuns,
    longRuns: DOCUMENT_STEPS.length,
    run: (context) => withSurroundings(context, (surroundings) => run(context, servers, surroundings)),
  };
}

interface Surroundings {
  readonly sri: CountingSri;
  readonly sink: SmtpSink;
  readonly opened: OpenedDatabase;
}

async function withSurroundings<T>(
  context: FaultContext,
  work: (surroundings: Surroundings) => Promise<T>,
): Promise<T> {
  const [sri, sink] = await Promise.all([openCountingSri(), openSmtpSink()]);
  const opened = await openDatabase(readConfig(settingsOf(context)), systemClock);
  try {
    return await work({ sri, sink, opened });
  } finally {
    await opened.close();
    await sink.down();
    sri.close();
  }
}

async function run(context: FaultContext, servers: number, { sri, sink, opened }: Surroundings): Promise<FaultCount> {
  const receiver = await openReceiver();
  const token = join(context.dataDirectory, 'crash-token');
  /** A mail's lease is long. In the short form, servers started after its sender's crash run this far ahead. */
  let laterMs = 0;
  const start = () =>
    startChildServer({
      program: 'crashing-server',
      settings: {
        ...settingsOf(context),
        ...sri.settings,
        BACKGROUND: 'on',
        [CRASH_TOKEN]: token,
        CLOCK_OFFSET: `+${laterMs}ms`,
        LEASE_SECONDS: String(LEASE_MS / 1000),
        SRI_RETRY_INTERVAL: '300ms',
        SMTP_URL: sink.url,
        SMTP_TIMEOUT: `${SMTP_TIMEOUT_MS}ms`,
        MAIL_TO_BUYERS: 'on',
        WEBHOOK_ALLOW_INSECURE: 'true',
        WEBHOOK_TIMEOUT: `${WEBHOOK_TIMEOUT_MS}ms`,
        WEBHOOK_DELAYS: '200ms,500ms,1s',
      },
    });
  let children = await startAll(servers, start);
  /** The longest time from the end of a lease until the work was done, by kind of work. */
  const slowestMs = new Map<JobKind, number>();
  let [lost, duplicated, stuck] = [0, 0, 0];
  try {
    const [first] = children;
    if (!first) throw new Error('No server was started.');
    const tenant = await activeTenant(first, context);
    const secret = await addEndpoint(first, tenant, receiver.url);
    const steps = stepsOf(DOCUMENT_STEPS, context);
    const types = [DEFAULT_DOCUMENT_TYPE, secondType(createSeededRandom(context.seed))];
    context.say(types.join(' '));
    for (const [index, step] of steps.entries()) {
      const email = `run${index}@ejemplo.ec`;
      const type = types[index % types.length] ?? DEFAULT_DOCUMENT_TYPE;
      const accessKey = await createFor(children, tenant, { type, email });
      await writeFile(token, '');
      await armAll(children, step);
      const sent = send(children, tenant, accessKey);
      const gone = await firstGone(children, step);
      await sent;
      children = children.filter((child) => child !== gone);
      let [since, movedMs] = [performance.now(), 0];
      if (!context.isLong && (step.part === 'mail' || step.part === 'webhook')) {
        movedMs = LEASES_MS.mail - LEFT_OF_LEASE_MS;
        laterMs += movedMs;
        sri.aheadMs = laterMs;
        await Promise.all(children.splice(0).map((child) => child.kill()));
      }
      if (children.length === 0) {
        const starting = performance.now();
        children = await startAll(servers, start);
        since += performance.now() - starting;
      }
      await sendUntilQueued(children, tenant, accessKey);
      const late = await lateness(opened, accessKey, { since, movedMs });
      const isSettled = late.size === KINDS.length && [...late.values()].every((ms) => ms < PROMISED_MS + DOING_MS);
      for (const [kind, ms] of late) slowestMs.set(kind, Math.max(slowestMs.get(kind) ?? 0, ms));
      if ([...late.values()].some((ms) => ms > PROMISED_MS)) context.say(`${step.name}: ${showLateness(late)}`);
      const fate = await readFate(opened, accessKey);
      const harm = judgeFate(fate, { accessKey, sri, mails: traceMails(sink, email) });
      if (!isSettled) stuck += 1;
      lost += harm.lost;
      duplicated += harm.duplicated;
      if (harm.why !== '' || !isSettled)
        context.say(`${step.name}: ${fate.status}${isSettled ? '' : ', stuck'}, ${harm.why}`);
      await expectInvariants(context);
      children.push(...(await startAll(servers - children.length, start)));
    }
    const delivered = receivedDeliveries(receiver, secret);
    const expected = expectedDeliveries(
      await opened.database.read((tables) => tables.selectFrom('notifications').select(['id', 'metadata']).execute()),
    );
    lost += expected.filter((what) => !delivered.has(what)).length + Math.max(0, steps.length - expected.length);
    duplicated += [...delivered].filter(([what, ids]) => ids.size > 1 || !expected.includes(what)).length;
    duplicated += Math.max(0, expected.length - steps.length);
    const detail = `done after the end of the lease, at the latest: ${showLateness(slowestMs)}`;
    return { runs: steps.length, lost, duplicated, stuck, detail };
  } finally {
    await Promise.all(children.map((child) => child.kill()));
    receiver.close();
  }
}

function startAll(count: number, start: () => Promise<ChildServer>): Promise<ChildServer[]> {
  return Promise.all(Array.from({ length: count }, start));
}

async function createFor(
  children: readonly ChildServer[],
  tenant: TestTenant,
  { type, email }: { readonly type: DocumentType; readonly email: string },
): Promise<string> {
  const [server] = children;
  if (!server) throw new Error('No server is left.');
  // The body has no day: the server's clock is ahead of this one's and passes midnight first.
  const { issueDate: _day, ...body } = toCounterparty(bodyOf(type, { today: ecuadorDate(new Date()) }), { email });
  return (await createDocument(server, tenant, body)).accessKey;
}

async function armAll(children: readonly ChildServer[], { name }: DocumentStep): Promise<void> {
  await Promise.all(children.map((child) => child.request('/healthz', { headers: { [CRASH_HEADER]: name } })));
}

/** @returns the status of the answer; null without an answer. */
async function send([server]: readonly ChildServer[], tenant: TestTenant, accessKey: string): Promise<number | null> {
  if (!server) throw new Error('No server is left.');
  const response = await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {}).catch(() => null);
  await response?.arrayBuffer().catch(() => null);
  return response?.status ?? null;
}

/** Repeats a request whose answer was lost. A 4xx means that an earlier request was accepted. */
async function sendUntilQueued(children: readonly ChildServer[], tenant: TestTenant, accessKey: string): Promise<void> {
  for (;;) {
    const status = await send(children, tenant, accessKey);
    if (status !== null && status < 500) return;
    await sleep(50);
  }
}

async function firstGone(children: readonly ChildServer[], { name }: DocumentStep): Promise<ChildServer> {
  const late = new AbortController();
  const gone = await Promise.race([
    ...children.map((child) => child.ended.then(() => child)),
    sleep(REACHED_WITHIN_MS, null, { signal: late.signal }).catch(() => null),
  ]);
  late.abort();
  if (!gone) throw new Error(`"${name}" was not reached.`);
  return gone;
}

/**
 * Waits until everything is done.
 *
 * @param gone when the process died, or when a server was back; and how far the clock was moved then.
 * @returns the milliseconds from the end of the lease until each kind of work was done, without unfinished kinds.
 */
async function lateness(
  opened: OpenedDatabase,
  accessKey: string,
  { since, movedMs }: { readonly since: number; readonly movedMs: number },
): Promise<Map<JobKind, number>> {
  const late = new Map<JobKind, number>();
  while (late.size < KINDS.length) {
    const { waiting } = await readFate(opened, accessKey);
    const sinceMs = performance.now() - since;
    for (const kind of KINDS) {
      const lateMs = Math.max(0, sinceMs - Math.max(0, LEASES_MS[kind] - movedMs));
      if (!waiting.has(kind) && !late.has(kind)) late.set(kind, lateMs);
    }
    if (sinceMs > LEASES_MS.mail + PROMISED_MS + DOING_MS) break;
    await sleep(20);
  }
  return late;
}

function showLateness(late: ReadonlyMap<JobKind, number>): string {
  return [...late].map(([kind, ms]) => `${kind} ${(ms / 1000).toFixed(1)} s`).join(', ');
}
