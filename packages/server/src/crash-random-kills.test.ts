import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { systemClock } from 'sri-core';
import { createTestP12 } from 'sri-core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from './config.js';
import { type OpenedDatabase, openDatabase } from './store/open-database.js';
import { type ChildServer, startChildServer } from './testing/child-server.js';
import { createStubbornly, startCreators } from './testing/stubborn-creators.js';
import { databaseKinds, type TestDatabase } from './testing/test-databases.js';
import { registerTenant, type ShownDocument, type TestTenant } from './testing/test-tenant.js';

/** How often a server is killed; a long run sets it: `KILLS=200 npm test -- crash-random-kills`. */
const KILLS = Number(process.env['KILLS'] ?? 4);

/** SQLite has one server on its file at a time; on PostgreSQL two share the database, and one of them is killed. */
const SETUPS = (await databaseKinds()).map((kind) => ({ ...kind, servers: kind.name === 'SQLite' ? 1 : 2 }));

describe.each(SETUPS)('servers that are killed while documents are created, on $name', (setup) => {
  let dataDir: string;
  let database: TestDatabase;
  let settings: Record<string, string>;
  const children: ChildServer[] = [];
  beforeEach(async () => {
    if (setup.missing !== null) return;
    dataDir = await mkdtemp(join(tmpdir(), 'sri-crash-'));
    database = await setup.create();
    settings = { DATA_DIR: dataDir, ...(database.url ? { DATABASE_URL: database.url } : {}) };
  });
  afterEach(async () => {
    if (setup.missing !== null) return;
    await Promise.all(children.splice(0).map((child) => child.kill()));
    await database.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  const begin = async (slot: number) => {
    children[slot] = await startChildServer({ settings });
  };
  const anyServer = (): ChildServer => {
    const child = children[Math.floor(Math.random() * children.length)];
    if (!child) throw new Error('No server was started.');
    return child;
  };

  /** Opens the database as the next server would, so that what a crash left is brought in order first. */
  async function withDatabase<T>(work: (opened: OpenedDatabase) => Promise<T>): Promise<T> {
    const opened = await openDatabase(readConfig(settings), systemClock);
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  }

  const integrity = ({ database: opened }: OpenedDatabase) =>
    opened.read(async (tables) => (await sql`pragma integrity_check`.execute(tables)).rows);

  const limit = 120_000 + KILLS * 10_000;
  it.skipIf(setup.missing !== null)(
    '[R221] [R224] [R226] give no number twice, skip none but by the moves of the counter, and lose nothing they acknowledged',
    async () => {
      for (let slot = 0; slot < setup.servers; slot += 1) await begin(slot);
      const cert = await createTestP12({ password: 'prueba' });
      const tenant = await registerTenant(anyServer(), { cert, certPassword: 'prueba' });
      const creators = startCreators(50, tenant, anyServer);
      const mover = startMover(tenant, anyServer, () => creators.acknowledged.at(-1)?.sequential ?? 0);

      for (let kill = 0; kill < KILLS; kill += 1) {
        const enough = creators.acknowledged.length + 1 + Math.floor(Math.random() * 60);
        await creators.until(() => creators.acknowledged.length >= enough);
        await sleep(Math.random() * 15);
        const slot = Math.floor(Math.random() * setup.servers);
        await children[slot]?.kill();
        if (setup.servers === 1 && kill % 2 === 0)
          expect(await withDatabase(integrity)).toEqual([{ integrity_check: 'ok' }]);
        await begin(slot);
      }
      const enough = creators.acknowledged.length + 50;
      await creators.until(() => creators.acknowledged.length >= enough && mover.done > 0);
      await Promise.all([creators.stop(), mover.stop()]);

      const { acknowledged } = creators;
      const keyOf = new Map(acknowledged.map(({ idempotencyKey, accessKey }) => [idempotencyKey, accessKey]));
      const listed = await listAll(anyServer(), tenant);
      const numbers = listed.map(({ sequential }) => Number(sequential));
      const accessKeys = new Map(listed.map(({ accessKey, sequential }) => [accessKey, Number(sequential)]));
      // No number and no key twice; and one document for each order, no more.
      expect(new Set(numbers).size).toBe(listed.length);
      expect(accessKeys.size).toBe(listed.length);
      expect(keyOf.size).toBe(listed.length);
      expect(acknowledged.filter(({ accessKey, sequential }) => accessKeys.get(accessKey) !== sequential)).toEqual([]);
      for (const { idempotencyKey, accessKey } of acknowledged) expect(keyOf.get(idempotencyKey)).toBe(accessKey);
      // No gap but those that a move made.
      const next = await nextSequential(anyServer(), tenant);
      const ends = [...numbers.toSorted((a, b) => a - b), next];
      const afterGaps = ends.filter((number, index) => number !== (ends[index - 1] ?? 0) + 1);
      expect(afterGaps.filter((number) => !mover.attempted.has(number))).toEqual([]);
      expect(mover.done).toBeGreaterThan(0);

      // An answer that was lost is told again, and nothing is made by that.
      for (const { idempotencyKey, accessKey } of acknowledged.slice(-100)) {
        const again = await createStubbornly(idempotencyKey, tenant, anyServer);
        expect(again).toMatchObject({ status: 200, accessKey });
      }
      await Promise.all(children.splice(0).map((child) => child.kill()));
      expect(await withDatabase(countRows)).toEqual({
        documents: listed.length,
        contents: listed.length,
        events: listed.length,
        accessKeys: listed.length,
        idempotencyKeys: listed.length,
        figures: listed.length,
        usage: listed.length,
        jobs: 0,
      });
      if (setup.servers === 1) expect(await withDatabase(integrity)).toEqual([{ integrity_check: 'ok' }]);
      if (process.env['KILLS']) {
        const replays = acknowledged.filter(({ status }) => status === 200).length;
        const figures = [
          `${listed.length} documents, ${KILLS} kills, ${creators.lost} answers lost, ${replays} told again`,
          `${mover.done} moves, ${afterGaps.length} gaps`,
        ];
        process.stdout.write(`${setup.name}: ${figures.join(', ')}\n`);
      }
    },
    limit,
  );
});

// --- internal ---

/** Moves the counter forward now and then, as often as the limit of that route allows. */
function startMover(tenant: TestTenant, pick: () => ChildServer, lastGiven: () => number) {
  /** Numbers the counter was or may have been moved to. */
  const attempted = new Set<number>();
  let done = 0;
  const stopping = new AbortController();
  async function move(): Promise<void> {
    while (!stopping.signal.aborted) {
      const nextSequential = lastGiven() + 60 + Math.floor(Math.random() * 100);
      attempted.add(nextSequential);
      let pauseMs = 50;
      try {
        const response = await pick().request(`/v1/issuers/${tenant.issuerId}/sequentials/01`, {
          method: 'PATCH',
          headers: { ...tenant.auth, 'content-type': 'application/json' },
          body: JSON.stringify({ environment: 'sandbox', nextSequential }),
        });
        await response.body?.cancel();
        if (response.status === 200) done += 1;
        pauseMs = done < 20 ? 200 : 1_200;
      } catch {
        // The server was killed: nobody knows whether it moved the counter.
      }
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const moving = move();
  return {
    attempted,
    get done() {
      return done;
    },
    stop() {
      stopping.abort();
      return moving;
    },
  };
}

async function listAll(server: ChildServer, tenant: TestTenant): Promise<readonly ShownDocument[]> {
  const documents: ShownDocument[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/v1/documents?limit=100&sortBy=sequential&sortDir=asc&page=${page}`;
    const response = await server.request(path, { headers: tenant.headers });
    const { data, pagination } = (await response.json()) as { data: ShownDocument[]; pagination: { total: number } };
    documents.push(...data);
    if (data.length === 0) {
      expect(pagination.total).toBe(documents.length);
      return documents;
    }
  }
}

async function nextSequential(server: ChildServer, tenant: TestTenant): Promise<number> {
  for (;;) {
    const response = await server.request(`/v1/issuers/${tenant.issuerId}/sequentials`, { headers: tenant.auth });
    if (response.status === 429) {
      await sleep(1_000);
      continue;
    }
    const { sequentials } = (await response.json()) as { sequentials: { sandbox: { next: number } }[] };
    return sequentials[0]?.sandbox.next ?? 0;
  }
}

/** Rows of each table that a create writes to; those of documents only where they belong to one. */
async function countRows({ database }: OpenedDatabase) {
  const query = sql<Record<string, number>>`select
    (select count(*) from sri_documents) as documents,
    (select count(*) from sri_documents d join sri_contents c on c.document_id = d.id) as contents,
    (select count(*) from sri_documents d join sri_events e on e.document_id = d.id) as events,
    (select count(*) from sri_documents d join sri_access_keys k
      on k.document_id = d.id and k.access_key = d.access_key) as "accessKeys",
    (select count(distinct idempotency_key) from sri_documents) as "idempotencyKeys",
    (select sum(documents) from sri_figures) as figures,
    (select sum(document_count) from document_usage) as usage,
    (select count(*) from sri_jobs) as jobs`;
  const { rows } = await database.read((tables) => query.execute(tables));
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, count]) => [name, Number(count)]));
}
