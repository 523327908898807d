import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from 'sri-core';
import { readConfig } from '../../config.js';
import { type OpenedDatabase, openDatabase } from '../../store/open-database.js';
import { type ChildServer, startChildServer } from '../child-server.js';
import { openSmtpSink, type SmtpSink } from '../smtp-sink.js';
import { createDocument, postJson, SIMPLE_INVOICE, type TestTenant } from '../test-tenant.js';
import { openReceiver } from '../webhook-receiver.js';
import { activeTenant, addEndpoint, settingsOf } from './chaos-tenant.js';
import { type CountingSri, openCountingSri } from './counting-sri.js';
import { CRASH_HEADER, CRASH_TOKEN } from './crash-step.js';
import { judgeFate, readFate, traceMails } from './document-fate.js';
import { DOCUMENT_STEPS, type DocumentStep } from './document-steps.js';
import { expectInvariants } from './expect-invariants.js';
import type { Fault, FaultCount, FaultPlace } from './fault.js';
import { stepsOf } from './steps-of.js';
import { expectedDeliveries, toldDeliveries } from './told-deliveries.js';

/** One server is gone at each step of a document's way, and is started again. */
export const killAtDocumentSteps: Fault = killAtSteps(1, DOCUMENT_STEPS.length);

/** One of several servers is gone, and the others take over. */
export const killOneOfTwo: Fault = killAtSteps(2, 6);

/** The same with three. */
export const killOneOfThree: Fault = killAtSteps(3, 6);

// --- internal ---

const LEASE_MS = 1_000;

/**
 * What is promised is that whoever comes next goes on a quarter of a minute after the lease has ended, at the latest. What
 * is left to do then, up to the mail, gets as much again as a busy machine may need.
 */
const SETTLES_WITHIN_MS = LEASE_MS + 15_000 + 45_000;

function killAtSteps(servers: number, shortRuns: number): Fault {
  const many = { 1: '', 2: '-one-of-two', 3: '-one-of-three' }[servers] ?? '';
  return {
    name: `kill${many}-at-document-steps`,
    about: `kill -9 of one of ${servers} at every step of sending, authorizing, notifying, delivering and mailing`,
    databases: ['sqlite', 'postgres'],
    shortRuns,
    longRuns: DOCUMENT_STEPS.length,
    run: (place) => withSurroundings(place, (surroundings) => run(place, servers, surroundings)),
  };
}

interface Surroundings {
  readonly sri: CountingSri;
  readonly sink: SmtpSink;
  readonly opened: OpenedDatabase;
}

async function withSurroundings<T>(place: FaultPlace, work: (surroundings: Surroundings) => Promise<T>): Promise<T> {
  const [sri, sink] = await Promise.all([openCountingSri(), openSmtpSink()]);
  const opened = await openDatabase(readConfig(settingsOf(place)), systemClock);
  try {
    return await work({ sri, sink, opened });
  } finally {
    await opened.close();
    await sink.down();
    sri.close();
  }
}

async function run(place: FaultPlace, servers: number, { sri, sink, opened }: Surroundings): Promise<FaultCount> {
  const receiver = await openReceiver();
  const token = join(place.dataDirectory, 'crash-token');
  /** A mail is held for a minute; those who come after a crash of its sender live that much later. */
  let laterMinutes = 0;
  const start = () =>
    startChildServer({
      script: 'chaos/crashing-server.ts',
      settings: {
        ...settingsOf(place),
        ...sri.settings,
        BACKGROUND: 'on',
        [CRASH_TOKEN]: token,
        CLOCK_OFFSET: `+${laterMinutes}m`,
        LEASE_SECONDS: String(LEASE_MS / 1000),
        SRI_RETRY_INTERVAL: '300ms',
        SMTP_URL: sink.url,
        SMTP_TIMEOUT: '20s',
        MAIL_TO_BUYERS: 'on',
        WEBHOOK_ALLOW_INSECURE: 'true',
        WEBHOOK_TIMEOUT: '1s',
        WEBHOOK_DELAYS: '200ms,500ms,1s',
      },
    });
  let children = await startAll(servers, start);
  let slowestMs = 0;
  let [lost, duplicated, stuck] = [0, 0, 0];
  try {
    const [first] = children;
    if (!first) throw new Error('No server was started.');
    const tenant = await activeTenant(first, place);
    const secret = await addEndpoint(first, tenant, receiver.url);
    const steps = stepsOf(DOCUMENT_STEPS, place);
    for (const [index, step] of steps.entries()) {
      const email = `run${index}@ejemplo.ec`;
      const accessKey = await createFor(children, tenant, email);
      await writeFile(token, '');
      await armAll(children, step);
      const sent = send(children, tenant, accessKey);
      const gone = await firstGone(children, step);
      await sent;
      children = children.filter((child) => child !== gone);
      if (step.part === 'mail' || step.part === 'webhook') {
        laterMinutes += 2;
        sri.aheadMs = laterMinutes * 60_000;
        await Promise.all(children.splice(0).map((child) => child.kill()));
      }
      if (children.length === 0) children = await startAll(servers, start);
      const since = performance.now();
      await sendUntilQueued(children, tenant, accessKey);
      const isSettled = await settles(opened, accessKey, since + SETTLES_WITHIN_MS);
      slowestMs = Math.max(slowestMs, performance.now() - since);
      const fate = await readFate(opened, accessKey);
      const harm = judgeFate(fate, { accessKey, sri, mails: traceMails(sink, email) });
      if (!isSettled) stuck += 1;
      lost += harm.lost;
      duplicated += harm.duplicated;
      if (harm.why !== '' || !isSettled)
        place.say(`${step.name}: ${fate.status}${isSettled ? '' : ', stuck'}, ${harm.why}`);
      await expectInvariants(place);
      children.push(...(await startAll(servers - children.length, start)));
    }
    const told = toldDeliveries(receiver, secret);
    const expected = expectedDeliveries(
      await opened.database.read((tables) => tables.selectFrom('notifications').select(['id', 'metadata']).execute()),
    );
    lost += expected.filter((what) => !told.has(what)).length + Math.max(0, steps.length - expected.length);
    duplicated += [...told].filter(([what, ids]) => ids.size > 1 || !expected.includes(what)).length;
    duplicated += Math.max(0, expected.length - steps.length);
    place.say(
      `settled ${(slowestMs / 1000).toFixed(1)} s after the kill, or the start that followed it, at the latest`,
    );
    return { runs: steps.length, lost, duplicated, stuck };
  } finally {
    await Promise.all(children.map((child) => child.kill()));
    receiver.close();
  }
}

function startAll(count: number, start: () => Promise<ChildServer>): Promise<ChildServer[]> {
  return Promise.all(Array.from({ length: count }, start));
}

async function createFor(children: readonly ChildServer[], tenant: TestTenant, email: string): Promise<string> {
  const [server] = children;
  if (!server) throw new Error('No server is left.');
  const body = { ...SIMPLE_INVOICE, buyer: { ...SIMPLE_INVOICE.buyer, email } };
  return (await createDocument(server, tenant, body)).accessKey;
}

async function armAll(children: readonly ChildServer[], { name }: DocumentStep): Promise<void> {
  await Promise.all(children.map((child) => child.request('/healthz', { headers: { [CRASH_HEADER]: name } })));
}

/** @returns its status; null when no answer came. */
async function send([server]: readonly ChildServer[], tenant: TestTenant, accessKey: string): Promise<number | null> {
  if (!server) throw new Error('No server is left.');
  const response = await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {}).catch(() => null);
  await response?.arrayBuffer().catch(() => null);
  return response?.status ?? null;
}

/** As a client does whose answer was lost: any refusal that is not the server's fault says that it was taken. */
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
    sleep(30_000, null, { signal: late.signal }).catch(() => null),
  ]);
  late.abort();
  if (!gone) throw new Error(`"${name}" was not reached.`);
  return gone;
}

async function settles(opened: OpenedDatabase, accessKey: string, giveUpAt: number): Promise<boolean> {
  while (performance.now() < giveUpAt) {
    if ((await readFate(opened, accessKey)).isSettled) return true;
    await sleep(20);
  }
  return false;
}
