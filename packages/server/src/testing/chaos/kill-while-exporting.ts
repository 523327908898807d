import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildServer, startChildServer } from '../child-server.js';
import { createDocument, type TestTenant } from '../test-tenant.js';
import { activeTenant, settingsOf, withDatabase } from './chaos-tenant.js';
import { expectInvariants } from './expect-invariants.js';
import type { Fault, FaultContext, FaultCount } from './fault.js';
import { expectIntactFiles } from './intact-files.js';
import { createSeededRandom } from './seeded-random.js';

/** Kills the server while it sends an export. */
export const killWhileExporting: Fault = {
  name: 'kill-while-exporting',
  about:
    'kill -9 of the server at any byte of an export, and readers that leave: nothing that is stored changes, and the next export is whole',
  databases: ['sqlite', 'postgres'],
  shortRuns: 5,
  longRuns: 100,
  run,
};

// --- internal ---

/** Enough documents for an archive larger than the socket buffers. */
const DOCUMENTS = 300;
/** Concurrent exports of one account. */
const EXPORTS_AT_ONCE = 2;
/** The server is killed before this many bytes have arrived. */
const MOST_BYTES = { zip: 1_000_000, csv: 50_000, xlsx: 5_000 } as const;
const FORMATS = ['zip', 'zip', 'csv', 'xlsx'] as const;

async function run(context: FaultContext): Promise<FaultCount> {
  const chance = createSeededRandom(context.seed);
  const settings = { ...settingsOf(context), QUOTA_ENFORCEMENT: 'off', KEY_RATE: '100000/1m' };
  let server: ChildServer = await startChildServer({ settings });
  let kills = 0;
  let brokenOff = 0;
  let lost = 0;
  let duplicated = 0;
  try {
    const tenant = await activeTenant(server, context);
    const keys = new Set<string>();
    for (let made = 0; made < DOCUMENTS; made += 1) keys.add((await createDocument(server, tenant)).accessKey);
    const before = await fingerprint(context);
    for (; kills < context.runs && context.hasTime(); kills += 1) {
      await leaveExports(server, tenant);
      const format = chance.pick(FORMATS);
      const response = await openExport(server, tenant, format);
      if (await breakOff(response, chance.below(MOST_BYTES[format]), server)) brokenOff += 1;
      if ((await fingerprint(context)) !== before) throw new Error('A document has changed.');
      await expectInvariants(context);
      server = await startChildServer({ settings });
      const found = keysIn(await (await openExport(server, tenant, 'csv')).text());
      lost += [...keys].filter((key) => !found.includes(key)).length;
      duplicated += found.length - new Set(found).size;
    }
    // A short file may already be sent as a whole.
    if (kills >= 10 && brokenOff < kills / 4) throw new Error(`Only ${brokenOff} of ${kills} exports broke off.`);
    await server.kill();
    await expectIntactFiles(context);
  } finally {
    await server.kill();
  }
  return { runs: kills, lost, duplicated, stuck: 0, detail: `${DOCUMENTS} documents, ${brokenOff} broken off` };
}

async function openExport(server: ChildServer, tenant: TestTenant, format: string): Promise<Response> {
  const response = await server.request(`/v1/documents/export?format=${format}`, { headers: tenant.headers });
  if (response.status !== 200) throw new Error(`An export answered ${response.status}: ${await response.text()}`);
  return response;
}

/**
 * Abandons more exports than an account may run at once.
 * @throws Error if abandoned exports keep their places.
 */
async function leaveExports(server: ChildServer, tenant: TestTenant): Promise<void> {
  const path = '/v1/documents/export?format=zip';
  for (let left = 0; left < 2 * EXPORTS_AT_ONCE; left += 1) {
    const leaving = new AbortController();
    const { status, body } = await server.request(path, { headers: tenant.headers, signal: leaving.signal });
    if (status !== 200) throw new Error(`An export answered ${status} after ${left} whose readers had left.`);
    await body?.getReader().read();
    leaving.abort();
    // The server notices the abort on the socket.
    await sleep(100);
  }
}

/** Kills the server after this many bytes of its answer. @returns whether the reader got an error. */
async function breakOff({ body }: Response, bytes: number, server: ChildServer): Promise<boolean> {
  const reader = body?.getReader();
  if (!reader) throw new Error('An export has no body.');
  try {
    let step = await reader.read();
    for (let read = 0; !step.done && read < bytes; step = await reader.read()) read += step.value.byteLength;
    await server.kill();
    while (!step.done) step = await reader.read();
    return false;
  } catch {
    return true;
  }
}

function keysIn(csv: string): readonly string[] {
  return csv
    .split('\r\n')
    .flatMap((line) => line.split(',').find((cell, index) => index > 30 && /^\d{49}$/.test(cell)) ?? []);
}

/** A digest of all stored documents. */
function fingerprint(context: FaultContext): Promise<string> {
  return withDatabase(context, async ({ database }) => {
    const rows = await database.read(async (tables) => [
      await tables.selectFrom('sri_documents').selectAll().orderBy('id').execute(),
      await tables.selectFrom('sri_contents').selectAll().orderBy('document_id').execute(),
      await tables
        .selectFrom('sri_events')
        .selectAll()
        .orderBy('document_id')
        .orderBy('revision')
        .orderBy('position')
        .execute(),
    ]);
    return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
  });
}
