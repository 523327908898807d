import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pgDumpFits } from './testing/pg-dump-fits.js';
import { cliSettings, runCli } from './testing/run-cli.js';
import { everyDatabaseKind } from './testing/test-databases.js';
import { testFolder } from './testing/test-folder.js';
import { openTestServer, TEST_RUC, type TestServer } from './testing/test-server.js';
import { createDocument, postJson, registerTenant, type TestTenant } from './testing/test-tenant.js';

const kind = (await everyDatabaseKind()).find(({ serverUrl }) => serverUrl !== null);
const SCHEMAS = ['celda_este', 'celda_oeste'] as const;

describe.skipIf(!kind || kind.missing !== null)('two cells in one database', () => {
  let admin: Client;
  const folder = testFolder('cells');
  const servers: TestServer[] = [];
  const tenants: TestTenant[] = [];
  const documents: string[] = [];

  beforeAll(async () => {
    admin = new Client({ connectionString: kind?.serverUrl ?? '' });
    await admin.connect();
    for (const schema of SCHEMAS) {
      // A statement that leaves the schema fails: the account has no right to any other.
      await admin.query(`create role ${schema} login; create schema ${schema} authorization ${schema}`);
      const url = new URL(kind?.serverUrl ?? '');
      url.username = schema;
      url.searchParams.set('options', `-c search_path=${schema}`);
      servers.push(await openTestServer(url.href, { settings: { API_KEY_BRAND: schema.slice(6) } }));
    }
    for (const server of servers) {
      // Each cell has the same company with the same numbers.
      const tenant = await registerTenant(server, { ruc: TEST_RUC });
      const { accessKey } = await createDocument(server, tenant);
      expect((await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {})).status).toBe(202);
      await server.tick();
      await server.tickAfter(5_000);
      tenants.push(tenant);
      documents.push(accessKey);
    }
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    for (const schema of SCHEMAS) await admin.query(`drop schema ${schema} cascade; drop role ${schema}`);
    await admin.end();
  });

  const cell = (index: 0 | 1) => {
    const [server, tenant, accessKey] = [servers[index], tenants[index], documents[index]];
    if (!server || !tenant || !accessKey) throw new Error('There are two cells.');
    return { server, tenant, accessKey };
  };

  it('a cell issues, sends and shows its own documents alone, and accepts its own keys alone', async () => {
    const [east, west] = [cell(0), cell(1)];
    const statusIn = async ({ server }: typeof east, of: typeof east) =>
      (await server.request(`/v1/documents/${of.accessKey}`, { headers: of.tenant.headers })).status;
    expect([await statusIn(east, east), await statusIn(west, west)]).toEqual([200, 200]);
    expect([await statusIn(east, west), await statusIn(west, east)]).toEqual([401, 401]);
    const foreign = { headers: { ...east.tenant.headers } };
    expect((await east.server.request(`/v1/documents/${west.accessKey}`, foreign)).status).toBe(404);
    for (const { server, tenant, accessKey } of [east, west]) {
      const response = await server.request('/v1/documents', { headers: tenant.headers });
      const { data } = (await response.json()) as { data: { accessKey: string; status: string }[] };
      expect(data).toMatchObject([{ accessKey, status: 'AUTHORIZED' }]);
    }
    expect([east.tenant.apiKey, west.tenant.apiKey].map((key) => key.split('_')[0])).toEqual(['este', 'oeste']);
  });

  it('metrics and doctor see one cell', async () => {
    const { server, tenant } = cell(0);
    const { accessKey } = await createDocument(server, tenant);
    await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
    for (const [index, due] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const asked = cell(index).server;
      const metrics = await asked.request('/metrics', { headers: { host: 'localhost' } }, '127.0.0.1');
      expect(await metrics.text()).toContain(`sri_queue_jobs{queue="documents",state="due"} ${due}\n`);
      const doctor = await runCli(cliSettings(asked), 'doctor', '--invariants', '--json');
      const { findings } = doctor.json<{ findings: { check: string; verdict: string }[] }>();
      expect(findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    }
  });

  it('every table has a primary key, which is its replica identity', async () => {
    const { rows } = await admin.query<{ name: string; identified: boolean }>(`
      select relname as name, relreplident = 'd' and exists (
        select from pg_index where indrelid = relation.oid and indisprimary and indisvalid) as identified
      from pg_class relation where relnamespace = 'celda_oeste'::regnamespace and relkind in ('r', 'p')`);
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter(({ identified }) => !identified)).toEqual([]);
  });

  it('a backup holds one cell, and restores it alone', async () => {
    const { server, tenant, accessKey } = cell(0);
    const dump = join(folder, 'este.dump');
    const backup = await runCli(cliSettings(server), 'admin', 'backup', dump, '--json');
    if (!(await pgDumpFits(server.databaseUrl ?? ''))) {
      // `npm run drill:restore` uses a server that fits.
      expect(backup.json()['code']).toMatch(/^BACKUP_(TOOL_MISSING|FAILED)$/);
      return;
    }
    expect(backup.code, backup.out).toBe(0);
    expect(execFileSync('pg_restore', ['--list', dump], { encoding: 'utf8' })).not.toContain('celda_oeste');
    await server.close();
    servers.shift();
    await admin.query('drop schema celda_este cascade');
    await admin.query(`grant create on database ${admin.database} to celda_este`);
    const url = new URL(server.databaseUrl ?? '');
    url.search = '';
    execFileSync('pg_restore', ['--single-transaction', '--no-owner', `--dbname=${url.href}`, dump]);
    const restored = await openTestServer(server.databaseUrl);
    servers.unshift(restored);
    expect((await restored.request(`/v1/documents/${accessKey}`, { headers: tenant.headers })).status).toBe(200);
    const west = cell(1);
    const path = `/v1/documents/${west.accessKey}`;
    expect((await west.server.request(path, { headers: west.tenant.headers })).status).toBe(200);
    await admin.query(`revoke create on database ${admin.database} from celda_este`);
  });
});
