import { execFileSync } from 'node:child_process';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildServer, startChildServer } from '../child-server.js';
import { postJson, type ShownDocument, SIMPLE_INVOICE, type TestTenant } from '../test-tenant.js';
import { activeTenant, settingsOf } from './chaos-tenant.js';
import { expectInvariants } from './expect-invariants.js';
import { type Fault, type FaultContext, type FaultCount, FaultSkipped } from './fault.js';

/** The disk of a SQLite file fills up and has space again. */
export const diskFull: Fault = {
  name: 'disk-full',
  about:
    'no room on the disk of the SQLite file: 503 and not ready, nothing half-written, reads work, and it goes on without a restart',
  databases: ['sqlite'],
  shortRuns: 2,
  longRuns: 10,
  run,
};

// --- internal ---

/** The disk holds the documents of all rounds, so that only the ballast fills it. */
function diskMib(runs: number): number {
  return 8 + 2 * runs;
}

/** The space left for documents while a ballast file takes the rest. The test deletes that file in the end. */
const ROOM_BYTES = 1024 * 1024;

async function run(context: FaultContext): Promise<FaultCount> {
  const disk = join(context.dataDirectory, 'disk');
  await mkdir(disk, { recursive: true });
  mount(disk, diskMib(context.runs));
  try {
    const small = { ...context, databaseUrl: `file:${join(disk, 'app.db')}` };
    const server = await startChildServer({ settings: { ...settingsOf(small), QUOTA_ENFORCEMENT: 'off' } });
    try {
      const tenant = await activeTenant(server, small);
      let count: FaultCount = { runs: context.runs, lost: 0, duplicated: 0, stuck: 0 };
      let stored = 0;
      for (let index = 0; index < context.runs; index += 1) {
        const filled = await fill(server, tenant, join(disk, 'ballast'), stored);
        count = {
          ...count,
          lost: count.lost + filled.lost,
          duplicated: count.duplicated + filled.duplicated,
          stuck: count.stuck + filled.stuck,
        };
        stored = filled.stored;
        context.say(`full with ${stored} documents; one more fits once there is room`);
        await expectInvariants(small);
      }
      return count;
    } finally {
      await server.kill();
    }
  } finally {
    execFileSync('umount', ['-l', disk], { stdio: 'pipe' });
  }
}

function mount(at: string, mib: number): void {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', at], { stdio: 'pipe' });
  } catch {
    throw new FaultSkipped('a disk of a few MiB may not be mounted here');
  }
}

/** Creates until the disk is full, checks that nothing broke, frees space, and creates one more. */
async function fill(server: ChildServer, tenant: TestTenant, ballast: string, before: number) {
  const room = await statfs(ballast.slice(0, ballast.lastIndexOf('/')));
  await writeFile(ballast, Buffer.alloc(Math.max(0, room.bavail * room.bsize - ROOM_BYTES)));
  let stored = before;
  let refused: Response | null = null;
  while (!refused) {
    const response = await postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
    if (response.status !== 201) refused = response;
    else {
      await response.arrayBuffer();
      stored += 1;
    }
  }
  const isAnnounced = refused.status === 503 && Number(refused.headers.get('retry-after')) > 0;
  const read = await server.request('/v1/documents?limit=1', { headers: tenant.headers });
  const { pagination } = (await read.json()) as { pagination?: { total: number } };
  const isRed = await isReady(server, 503, 'DISK_FULL');
  await rm(ballast);
  const isGreen = await isReady(server, 200, null);
  const again = await postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
  const { document } = (await again.json()) as { document?: ShownDocument };
  return {
    lost: read.status === 200 && pagination?.total === stored ? 0 : 1,
    duplicated: again.status !== 201 || Number(document?.sequential) === stored + 1 ? 0 : 1,
    stuck: isAnnounced && isRed && isGreen && again.status === 201 ? 0 : 1,
    stored: stored + 1,
  };
}

async function isReady(server: ChildServer, status: number, reason: string | null): Promise<boolean> {
  const response = await server.request('/readyz');
  const { reason: refusalReason = null } = (await response.json()) as { readonly reason?: string };
  return response.status === status && refusalReason === reason;
}
