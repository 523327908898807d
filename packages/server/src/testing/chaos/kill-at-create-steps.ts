import { setTimeout } from 'node:timers/promises';
import { DEFAULT_DOCUMENT_TYPE, type DocumentType, ecuadorDate } from 'sri-core';
import { type ChildServer, startChildServer } from '../child-server.js';
import type { ShownDocument, TestTenant } from '../test-tenant.js';
import { bodyOf, secondType } from '../type-bodies.js';
import { activeTenant, settingsOf } from './chaos-tenant.js';
import { CRASH_HEADER } from './crash-step.js';
import { CREATE_STEPS, type CreateStep } from './create-steps.js';
import { expectInvariants } from './expect-invariants.js';
import { type Fault, type FaultContext, type FaultCount, unharmed } from './fault.js';
import { createSeededRandom } from './seeded-random.js';
import { stepsOf } from './steps-of.js';

/** Kills a server at each step of a create. Before the commit nothing is stored, after it everything is. */
export const killAtCreateSteps: Fault = {
  name: 'kill-at-create-steps',
  about: 'kill -9 at every step of a create, and the same request again',
  databases: ['sqlite', 'postgres'],
  shortRuns: CREATE_STEPS.length,
  longRuns: 3 * CREATE_STEPS.length,
  run,
};

// --- internal ---

async function run(context: FaultContext): Promise<FaultCount> {
  const start = () => startChildServer({ settings: settingsOf(context), program: 'crashing-server' });
  let server = await start();
  try {
    const tenant = await activeTenant(server, context);
    const types = [DEFAULT_DOCUMENT_TYPE, secondType(createSeededRandom(context.seed))];
    context.say(types.join(' '));
    const stored = new Map<DocumentType, number>();
    for (const type of types) stored.set(type, (await create(server, tenant, { type, key: `first ${type}` })).number);
    let count: FaultCount = unharmed(context.runs);
    for (const [index, step] of stepsOf(CREATE_STEPS, context).entries()) {
      const type = types[index % types.length] ?? DEFAULT_DOCUMENT_TYPE;
      const order = { type, key: `run ${index}, ${step.name}` };
      const before = await show(server, tenant, type);
      await expectEnd(server, tenant, order, step);
      server = await start();
      const harm = await judge(server, tenant, { step, order, before, stored: stored.get(type) ?? 0 });
      if (harm.lost + harm.duplicated > 0)
        context.say(`${step.name}: lost ${harm.lost}, duplicated ${harm.duplicated}`);
      count = { ...count, lost: count.lost + harm.lost, duplicated: count.duplicated + harm.duplicated };
      stored.set(type, (stored.get(type) ?? 0) + 2);
      await expectInvariants(context);
    }
    return count;
  } finally {
    await server.kill();
  }
}

/** A document to create, and its idempotency key. */
interface Order {
  readonly type: DocumentType;
  readonly key: string;
}

async function expectEnd(server: ChildServer, tenant: TestTenant, order: Order, { name }: CreateStep): Promise<void> {
  const cut = await create(server, tenant, order, { [CRASH_HEADER]: name }).catch(() => null);
  if (cut) throw new Error(`"${name}" was not reached: the request was answered ${cut.status}.`);
  const ended = await server.ended;
  if (ended !== 'SIGKILL') throw new Error(`"${name}": the server ended by ${ended}.`);
}

/** The answers to the same request, repeated twice, and to the next one. */
async function judge(
  server: ChildServer,
  tenant: TestTenant,
  { step, order, before, stored }: { step: CreateStep; order: Order; before: Shown; stored: number },
): Promise<Pick<FaultCount, 'lost' | 'duplicated'>> {
  const shown = await show(server, tenant, order.type);
  const again = await create(server, tenant, order);
  const onceMore = await create(server, tenant, order);
  const next = await create(server, tenant, { ...order, key: `${order.key}, and after it` });
  const number = stored + 1;
  const expected = step.committed
    ? { status: 200, total: before.total + 1, next: number + 1 }
    : { status: 201, ...before };
  const lost = again.number < number || shown.total < expected.total || (step.committed && again.status !== 200);
  const skipped = again.number > number || next.number !== number + 1 || shown.next !== expected.next;
  const twice = onceMore.status !== 200 || onceMore.number !== again.number || shown.total > expected.total;
  const stats = !step.committed && shown.stats !== before.stats;
  return { lost: lost ? 1 : 0, duplicated: skipped || twice || stats || again.status !== expected.status ? 1 : 0 };
}

async function create(
  server: ChildServer,
  tenant: TestTenant,
  { type, key }: Order,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly number: number }> {
  const response = await server.request('/v1/documents', {
    method: 'POST',
    headers: { ...tenant.headers, 'content-type': 'application/json', 'idempotency-key': key, ...headers },
    body: JSON.stringify(bodyOf(type, { today: ecuadorDate(new Date()) })),
  });
  const { document } = (await response.json()) as { document?: ShownDocument };
  return { status: response.status, number: Number(document?.sequential) };
}

interface Shown {
  readonly total: number;
  readonly next: number;
  /** The other answers about documents: the figures, and the account's count. */
  readonly stats: string;
}

/** What the interface shows of documents: lists, figures, the counter and the account's count. */
async function show(server: ChildServer, tenant: TestTenant, type: DocumentType): Promise<Shown> {
  const get = (path: string) => read(server, tenant, path);
  const { pagination } = (await get('/v1/documents?limit=1')) as { pagination: { total: number } };
  const { sequentials } = (await get(`/v1/issuers/${tenant.issuerId}/sequentials`)) as {
    sequentials: readonly { documentType: DocumentType; sandbox: { next: number } }[];
  };
  const counter = sequentials.find(({ documentType }) => documentType === type);
  const stats = JSON.stringify([await get('/v1/documents/stats'), await get('/v1/tenants/me')]);
  return { total: pagination.total, next: counter?.sandbox.next ?? 0, stats };
}

/** The content of a successful GET. Retries after 429, as a client does. */
async function read(server: ChildServer, tenant: TestTenant, path: string): Promise<unknown> {
  for (;;) {
    const response = await server.request(path, { headers: tenant.headers });
    if (response.ok) return response.json();
    if (response.status !== 429) throw new Error(`GET ${path} answers ${response.status}.`);
    await setTimeout(Number(response.headers.get('retry-after')) * 1_000);
  }
}
