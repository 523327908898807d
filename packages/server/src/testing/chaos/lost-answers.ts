import type { Environment } from 'sri-core';
import { DEFAULT_DOCUMENT_TYPE } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { createTestClock } from 'sri-core/testing';
import { TEST_NOW, type TestServer } from '../test-server.js';
import { type AnyBody, secondType } from '../type-bodies.js';
import { type ChaosAccount, chaosBody, openChaosAccount } from './chaos-account.js';
import type { Fault, FaultContext, FaultCount } from './fault.js';
import { openInProcessServer, whileTimeMoves } from './in-process-server.js';
import { AUTHORIZATION_ROUGHNESS, createRoughSri, RECEPTION_ROUGHNESS, type RoughSri } from './rough-sri.js';
import { createSeededRandom, type SeededRandom } from './seeded-random.js';

/**
 * Answers of the SRI are lost, delayed, doubled, cut off or replaced, in random sequences, while users retry and
 * correct their documents. A run is one document.
 */
export const lostAnswers: Fault = {
  name: 'lost-answers',
  about: 'answers of the SRI lost, late, doubled, cut off, replaced by 43 or 70, while people retry and rebuild',
  databases: ['sqlite', 'postgres'],
  shortRuns: 60,
  longRuns: 2_000,
  run,
};

// --- internal ---

/** Documents in progress at a time. */
const AT_ONCE = 250;
const STEP_MS = 5 * 60_000;
/** A document that is not settled after two days counts as stuck. */
const MOST_STEPS = (48 * 3_600_000) / STEP_MS;
/** The most failing calls about one document. */
const MOST_ROUGH = 40;

/** Buyers. The simulated SRI treats documents of some in a special way; most are ordinary. */
const BUYERS = [
  ...Array<string>(30).fill('AB123456'),
  ...['SRI-RETURNED-35', 'SRI-RETURNED-45', 'SRI-REFUSED-39', 'SRI-REFUSED-52', 'SRI-SLOW', 'SRI-FOREIGN-43'],
];

async function run(context: FaultContext): Promise<FaultCount> {
  const clock = createTestClock(TEST_NOW);
  const random = createSeededRandom(context.seed);
  const simulator = createSimulator({ clock, capacity: 1_000_000 });
  const weathers = new Map<string, ReturnType<typeof weatherOf>>();
  const sri = createRoughSri(simulator.handle, clock, random, (call, accessKey) => {
    const weather = weathers.get(accessKey) ?? weatherOf(context.seed, weathers.size);
    weathers.set(accessKey, weather);
    if (weather.left === 0 || !weather.random.chance(weather.how)) return null;
    weather.left -= 1;
    return weather.random.pick(call === 'reception' ? RECEPTION_ROUGHNESS : AUTHORIZATION_ROUGHNESS);
  });
  const settings = { SRI_CONCURRENCY: '32', MAIL_TO_BUYERS: 'off' };
  const server = await openInProcessServer(context, { clock, transport: sri.transport, settings });
  try {
    const account = await openChaosAccount(server);
    const types = [DEFAULT_DOCUMENT_TYPE, secondType(random)];
    context.say(types.join(' '));
    const bodyFor = (order: number, id?: string) => chaosBody(types[order % types.length] ?? DEFAULT_DOCUMENT_TYPE, id);
    const count = { runs: 0, lost: 0, duplicated: 0, stuck: 0 };
    const notified = new Map<string, number>();
    while (count.runs < context.runs) {
      const size = Math.min(AT_ONCE, context.runs - count.runs);
      const documents = await live({ server, account, random, sri, bodyFor }, count.runs, size);
      for (const document of documents) {
        const verdict = await judge({ server, account, sri }, document, simulator.find);
        count.lost += verdict.lost;
        count.duplicated += verdict.duplicated;
        count.stuck += verdict.stuck;
        notified.set(verdict.end, (notified.get(verdict.end) ?? 0) + 1);
        for (const complaint of verdict.complaints) context.say(`${document.accessKey}: ${complaint}`);
      }
      count.runs += size;
      context.say(
        `${count.runs} of ${context.runs}: ${[...notified].map(([end, number]) => `${number} ${end}`).join(', ')}`,
      );
    }
    count.duplicated += sri.needless + Math.abs((await countDocuments(server)) - context.runs);
    const rough = [...sri.happened].toSorted(([, a], [, b]) => b - a).map(([kind, times]) => `${kind} ${times}`);
    context.say(
      `what went wrong: ${rough.join(', ')}; submissions after the SRI had said it has them: ${sri.needless}`,
    );
    return count;
  } finally {
    await server.close();
  }
}

/** The faults of one key: the most failing calls, and the probability of each until then. */
function weatherOf(seed: number, number: number) {
  const random = createSeededRandom(seed, number);
  return { left: random.below(MOST_ROUGH + 1), how: random.pick([0.5, 0.8, 0.95]), random };
}

interface Scene {
  readonly server: TestServer;
  readonly account: ChaosAccount;
  readonly random: SeededRandom;
  readonly sri: RoughSri;
  /** The body of each order: invoices and a second type in turn. */
  readonly bodyFor: (order: number, counterpartyId?: string) => AnyBody;
}

/** A document with its user's actions. */
interface LivedDocument {
  readonly order: number;
  accessKey: string;
  /** Its possible keys: the first, and one for each new number that the user requested. */
  readonly keys: string[];
  /** The number of its signatures under each key. */
  readonly signings: Map<string, number>;
}

/** Creates documents, and lets time pass until each is settled. */
async function live(scene: Scene, first: number, size: number): Promise<readonly LivedDocument[]> {
  const { server, random } = scene;
  const documents: LivedDocument[] = [];
  for (let number = first; number < first + size; number += 1) {
    const body = scene.bodyFor(number, random.pick(BUYERS));
    const key = { 'idempotency-key': `order ${number}` };
    // An impatient client sends the request twice.
    const times = random.chance(0.2) ? 2 : 1;
    const made = await Promise.all(Array.from({ length: times }, () => post(scene, '', body, key)));
    const accessKeys = new Set(made.map(({ document }) => document?.accessKey ?? ''));
    const [accessKey = ''] = accessKeys;
    if (accessKeys.size !== 1 || accessKey === '') throw new Error('One order gave two documents, or none.');
    documents.push({ order: number, accessKey, keys: [accessKey], signings: new Map([[accessKey, 1]]) });
  }
  let open: readonly LivedDocument[] = documents;
  for (let step = 0; open.length > 0 && step < MOST_STEPS; step += 1) {
    await whileTimeMoves(server.clock, Promise.all(open.map((document) => actAsUser(scene, document))));
    await whileTimeMoves(server.clock, server.services.engine.tick());
    await server.clock.advance(STEP_MS);
    const standing = await Promise.all(open.map((document) => isSettled(scene, document)));
    open = open.filter((_, index) => !standing[index]);
  }
  await whileTimeMoves(server.clock, scene.sri.settled());
  return documents;
}

const scopeOf = ({ issuerId }: ChaosAccount): { issuerId: string; environment: Environment } => ({
  issuerId,
  environment: 'sandbox',
});

async function isSettled({ server, account }: Scene, { accessKey }: LivedDocument): Promise<boolean> {
  const { status } = await server.services.engine.get(scopeOf(account), accessKey);
  return status === 'AUTHORIZED' || (status === 'RETURNED' && (await wasNotified({ server, account }, accessKey)));
}

/** Acts as a user who checks a document occasionally. */
async function actAsUser(scene: Scene, document: LivedDocument): Promise<void> {
  const { server, account, random } = scene;
  const path = `/${document.accessKey}`;
  const { status, job } = await server.services.engine.get(scopeOf(account), document.accessKey);
  if (job?.status === 'FAILED' && random.chance(0.5)) {
    await post(scene, `${path}/send/retry`, {});
    return;
  }
  switch (status) {
    case 'SIGNED':
      if (random.chance(0.1)) await rebuild(scene, document, {});
      if (random.chance(0.7)) await Promise.all([post(scene, `${path}/send`, {}), post(scene, `${path}/send`, {})]);
      return;
    case 'PENDING_SEND':
      // Neither action is possible now, but a user may try.
      if (random.chance(0.1)) await post(scene, `${path}/send`, {});
      if (random.chance(0.1)) await rebuild(scene, document, { resequence: true });
      return;
    case 'RECEIVED':
      if (random.chance(0.2)) await server.request(`/v1/documents${path}/authorize`, { headers: account.headers });
      return;
    case 'RETURNED':
      await rebuild(scene, document, random.pick([{}, {}, { redate: true }, { resequence: true }]));
      return;
    case 'NOT_AUTHORIZED':
      await rebuild(scene, document, random.pick([{}, {}, {}, { redate: true }]));
  }
}

/** Corrects the buyer, or signs the unchanged document again. */
async function rebuild(
  scene: Scene,
  document: LivedDocument,
  how: { readonly redate?: boolean; readonly resequence?: boolean },
): Promise<void> {
  const before = document.accessKey;
  const body = scene.random.chance(0.8) ? scene.bodyFor(document.order) : {};
  const { status, document: after } = await post(scene, `/${before}/rebuild`, { ...body, ...how });
  if (status !== 200 || !after) return;
  document.accessKey = after.accessKey;
  if (after.accessKey !== before) document.keys.push(after.accessKey);
  document.signings.set(after.accessKey, (document.signings.get(after.accessKey) ?? 0) + 1);
  if (after.accessKey !== before && !how.redate && !how.resequence) throw new Error('A key changed unasked.');
}

async function post(scene: Scene, path: string, body: unknown, more: Readonly<Record<string, string>> = {}) {
  const response = await scene.server.request(`/v1/documents${path}`, {
    method: 'POST',
    headers: { ...scene.account.headers, ...more },
    body: JSON.stringify(body),
  });
  const { document } = (await response.json()) as { document?: { readonly accessKey: string } };
  if (response.status >= 500) throw new Error(`${path} answered ${response.status}.`);
  return { status: response.status, document };
}

/** Whether the history records another document at the SRI under this key. */
async function wasNotified(
  { server, account }: Pick<Scene, 'server' | 'account'>,
  accessKey: string,
): Promise<boolean> {
  const events = await server.services.engine.events(scopeOf(account), accessKey);
  return events.some(({ detail }) => String(detail?.['message'] ?? '').includes('another document under this'));
}

/** Compares the document's state here with the SRI's. */
async function judge(
  { server, account, sri }: Pick<Scene, 'server' | 'account' | 'sri'>,
  { accessKey, keys, signings }: LivedDocument,
  find: (accessKey: string) => Promise<{ readonly estado: string; readonly xml: string } | null>,
) {
  const complaints: string[] = [];
  const verdict = { lost: 0, duplicated: 0, stuck: 0, end: '', complaints };
  const scope = scopeOf(account);
  const document = await server.services.engine.get(scope, accessKey);
  const contents = await server.services.engine.contents(scope, accessKey);
  const notified = await wasNotified({ server, account }, accessKey);
  verdict.end = notified && document.status === 'RETURNED' ? 'RETURNED, with its reason' : document.status;
  const holding = await Promise.all(keys.map(async (key) => ({ key, held: await find(key) })));
  const authorized = holding.filter(({ held }) => held?.estado === 'AUTORIZADO');
  const ours = authorized.find(({ key }) => key === document.accessKey)?.held?.xml;
  const complain = (kind: 'lost' | 'duplicated' | 'stuck', complaint: string) => {
    verdict[kind] += 1;
    complaints.push(`${kind}: ${complaint}`);
  };
  if (document.status === 'AUTHORIZED') {
    if (ours !== (contents.authorizedXml ?? contents.signedXml)) complain('lost', 'the SRI did not authorize this.');
  } else if (authorized.length > 0 && !notified) complain('lost', `${document.status}, and the SRI has authorized it.`);
  if (authorized.length > 1 && !notified) complain('duplicated', 'the SRI has authorized it under two keys.');
  for (const key of keys) {
    const forms = new Set(sri.submissions(key)).size;
    if (forms > (signings.get(key) ?? 0)) complain('duplicated', `${forms} forms of it were sent under one key.`);
  }
  const settled = document.status === 'AUTHORIZED' || (document.status === 'RETURNED' && notified);
  if (!settled) complain('stuck', `${document.status}, job ${JSON.stringify(document.job)}`);
  else if (document.job) complain('stuck', 'a job is left.');
  return verdict;
}

async function countDocuments({ services }: TestServer): Promise<number> {
  const { count } = await services.database.read((tables) =>
    tables
      .selectFrom('sri_documents')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow(),
  );
  return Number(count);
}
