import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type ChildServer, startChildServer } from '../child-server.js';
import { type ShownDocument, SIMPLE_INVOICE, type TestTenant } from '../test-tenant.js';
import { activeTenant, settingsOf } from './chaos-tenant.js';
import { expectInvariants } from './expect-invariants.js';
import { type Fault, type FaultContext, type FaultCount, FaultSkipped } from './fault.js';
import { expectIntactFiles } from './intact-files.js';

/** The disk of a SQLite file fails for a while, by the kernel's report, and works again. */
export const failingDisk: Fault = {
  name: 'failing-disk',
  about:
    'every write to the disk, or every flush of it, fails with EIO: 503, reads work, and it goes on without a restart',
  databases: ['sqlite'],
  shortRuns: 4,
  longRuns: 40,
  run,
};

// --- internal ---

/** The system calls that fail. */
const FAILING = ['fsync,fdatasync', 'pwrite64'] as const;

async function run(context: FaultContext): Promise<FaultCount> {
  const start = () => startChildServer({ settings: { ...settingsOf(context), QUOTA_ENFORCEMENT: 'off' } });
  let server = await start();
  let [lost, duplicated, stuck] = [0, 0, 0];
  try {
    const tenant = await activeTenant(server, context);
    let stored = 0;
    for (let index = 0; index < context.runs; index += 1) {
      const calls = FAILING[index % FAILING.length] ?? FAILING[0];
      const strace = await failing(server.pid, calls);
      const refused = await create(server, tenant, `order ${index}`);
      const shown = await countDocuments(server, tenant);
      await strace.stop();
      if (refused.status !== 503 || refused.retryAfter === null) stuck += 1;
      if (shown !== stored) lost += 1;
      // Kills the server right after the failure. The refused create may then be stored, but only under its own key.
      if (index % 4 >= 2) {
        await server.kill();
        await expectIntactFiles(context);
        server = await start();
      }
      const again = await create(server, tenant, `order ${index}`);
      const onceMore = await create(server, tenant, `order ${index}`);
      stored += 1;
      if (again.status !== 201 && again.status !== 200) stuck += 1;
      if (again.number !== stored || onceMore.number !== stored || onceMore.status !== 200) duplicated += 1;
      if ((await countDocuments(server, tenant)) !== stored) lost += 1;
      context.say(`${calls}: ${refused.status}, then ${again.status} with number ${again.number}`);
      await expectIntactFiles(context);
      await expectInvariants(context);
    }
    return { runs: context.runs, lost, duplicated, stuck };
  } finally {
    await server.kill();
  }
}

/** Makes these calls of a process fail until `stop`. @throws FaultSkipped if strace is missing or not permitted. */
async function failing(pid: number, calls: string): Promise<{ stop(): Promise<void> }> {
  const options = ['-f', '-p', String(pid), '-e', `trace=${calls}`, '-e', `inject=${calls}:error=EIO`];
  const strace = spawn('strace', options, { stdio: ['ignore', 'ignore', 'pipe'] });
  if (!(await attaches(strace))) throw new FaultSkipped('strace is not here, or may not watch other processes');
  return {
    async stop() {
      const ended = once(strace, 'exit');
      strace.kill('SIGINT');
      await ended;
    },
  };
}

async function attaches(strace: ChildProcess & { readonly stderr: NodeJS.ReadableStream }): Promise<boolean> {
  const failed = once(strace, 'error').then(
    () => false,
    () => false,
  );
  const attached = (async () => {
    for await (const line of createInterface(strace.stderr)) {
      if (!/attached/.test(line)) continue;
      strace.stderr.resume();
      return true;
    }
    return false;
  })();
  return Promise.race([failed, attached]);
}

async function create(server: ChildServer, tenant: TestTenant, idempotencyKey: string) {
  const response = await server.request('/v1/documents', {
    method: 'POST',
    headers: { ...tenant.headers, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(SIMPLE_INVOICE),
  });
  const { document } = (await response.json()) as { document?: ShownDocument };
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    number: Number(document?.sequential),
  };
}

async function countDocuments(server: ChildServer, tenant: TestTenant): Promise<number | null> {
  const response = await server.request('/v1/documents?limit=1', { headers: tenant.headers });
  const { pagination } = (await response.json()) as { pagination?: { readonly total: number } };
  return pagination?.total ?? null;
}
