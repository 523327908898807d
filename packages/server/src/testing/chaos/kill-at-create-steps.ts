import { type ChildServer, startChildServer } from '../child-server.js';
import { type ShownDocument, SIMPLE_INVOICE, type TestTenant } from '../test-tenant.js';
import { activeTenant, settingsOf } from './chaos-tenant.js';
import { CRASH_HEADER } from './crash-step.js';
import { CREATE_STEPS, type CreateStep } from './create-steps.js';
import { expectInvariants } from './expect-invariants.js';
import { type Fault, type FaultCount, type FaultPlace, unharmed } from './fault.js';
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

async function run(place: FaultPlace): Promise<FaultCount> {
  const start = () => startChildServer({ settings: settingsOf(place), script: 'chaos/crashing-server.ts' });
  let server = await start();
  try {
    const tenant = await activeTenant(server, place);
    const first = await create(server, tenant, 'first');
    let count: FaultCount = unharmed(place.runs);
    let stored = first.number;
    for (const [index, step] of stepsOf(CREATE_STEPS, place).entries()) {
      const key = `run ${index}, ${step.name}`;
      const before = await show(server, tenant);
      await expectEnd(server, tenant, key, step);
      server = await start();
      const harm = await judge(server, tenant, { step, key, before, stored });
      if (harm.lost + harm.duplicated > 0) place.say(`${step.name}: lost ${harm.lost}, duplicated ${harm.duplicated}`);
      count = { ...count, lost: count.lost + harm.lost, duplicated: count.duplicated + harm.duplicated };
      stored += 2;
      await expectInvariants(place);
    }
    return count;
  } finally {
    await server.kill();
  }
}

async function expectEnd(server: ChildServer, tenant: TestTenant, key: string, { name }: CreateStep): Promise<void> {
  const cut = await create(server, tenant, key, { [CRASH_HEADER]: name }).catch(() => null);
  if (cut) throw new Error(`"${name}" was not reached: the request was answered ${cut.status}.`);
  const ended = await server.ended;
  if (ended !== 'SIGKILL') throw new Error(`"${name}": the server ended by ${ended}.`);
}

/** The answers to the same request, repeated twice, and to the next one. */
async function judge(
  server: ChildServer,
  tenant: TestTenant,
  { step, key, before, stored }: { step: CreateStep; key: string; before: Shown; stored: number },
): Promise<Pick<FaultCount, 'lost' | 'duplicated'>> {
  const shown = await show(server, tenant);
  const again = await create(server, tenant, key);
  const onceMore = await create(server, tenant, key);
  const next = await create(server, tenant, `${key}, and after it`);
  const number = stored + 1;
  const expected = step.committed
    ? { status: 200, total: before.total + 1, next: number + 1 }
    : { status: 201, ...before };
  const lost = again.number < number || shown.total < expected.total || (step.committed && again.status !== 200);
  const skipped = again.number > number || next.number !== number + 1 || shown.next !== expected.next;
  const twice = onceMore.status !== 200 || onceMore.number !== again.number || shown.total > expected.total;
  const told = !step.committed && shown.told !== before.told;
  return { lost: lost ? 1 : 0, duplicated: skipped || twice || told || again.status !== expected.status ? 1 : 0 };
}

async function create(
  server: ChildServer,
  tenant: TestTenant,
  idempotencyKey: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly number: number }> {
  const response = await server.request('/v1/documents', {
    method: 'POST',
    headers: { ...tenant.headers, 'content-type': 'application/json', 'idempotency-key': idempotencyKey, ...headers },
    body: JSON.stringify(SIMPLE_INVOICE),
  });
  const { document } = (await response.json()) as { document?: ShownDocument };
  return { status: response.status, number: Number(document?.sequential) };
}

interface Shown {
  readonly total: number;
  readonly next: number;
  /** Everything else that the interface tells: figures, and the account's own count. */
  readonly told: string;
}

/** What the interface tells of documents, in lists, figures, the counter and the account's count. */
async function show(server: ChildServer, tenant: TestTenant): Promise<Shown> {
  const get = async (path: string) => (await server.request(path, { headers: tenant.headers })).json();
  const { pagination } = (await get('/v1/documents?limit=1')) as { pagination: { total: number } };
  const { sequentials } = (await get(`/v1/issuers/${tenant.issuerId}/sequentials`)) as {
    sequentials: readonly { sandbox: { next: number } }[];
  };
  const told = JSON.stringify([await get('/v1/documents/stats'), await get('/v1/tenants/me')]);
  return { total: pagination.total, next: sequentials[0]?.sandbox.next ?? 0, told };
}
