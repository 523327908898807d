import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliSettings, runCli } from '../testing/run-cli.js';
import { everyDatabaseKind, type TestDatabase } from '../testing/test-databases.js';
import { openTestServer, TEST_RUC, type TestServer } from '../testing/test-server.js';
import { createDocument, postJson, registerTenant, type TestTenant } from '../testing/test-tenant.js';

const SCRIPT = readFileSync(new URL('../../../../deploy/partitions.sql', import.meta.url), 'utf8');
const kind = (await everyDatabaseKind()).find(({ serverUrl }) => serverUrl !== null);

describe.skipIf(!kind || kind.missing !== null)('deploy/partitions.sql', () => {
  let database: TestDatabase | undefined;
  let server: TestServer;
  let tenant: TestTenant;
  let client: Client;

  beforeAll(async () => {
    database = await kind?.create();
    server = await openTestServer(database?.url);
    tenant = await registerTenant(server, { ruc: TEST_RUC });
    client = new Client({ connectionString: database?.url ?? '' });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await server?.close();
    await database?.remove();
  });

  /** A document that the SRI authorizes, which writes all three tables. */
  async function issue(): Promise<string> {
    const { accessKey } = await createDocument(server, tenant);
    expect((await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {})).status).toBe(202);
    for (let round = 0; round < 2; round += 1) {
      await server.tick();
      await server.clock.advance(5_000);
    }
    return accessKey;
  }
  const get = (path: string) => server.request(path, { headers: tenant.headers });
  const placesOf = async (table: string) => {
    const { rows } = await client.query<{ place: string }>(
      `select distinct tableoid::regclass::text as place from ${table} order by 1`,
    );
    return rows.map(({ place }) => place);
  };
  const advanceTo = (time: string) => server.clock.advance(Date.parse(time) - server.clock.now().getTime());

  it('the script makes, rotates, detaches and restores the partitions of a month while documents are issued', async () => {
    const old = await issue();
    // The script runs as on the day of the test's clock.
    await client.query(
      `begin; ${SCRIPT.replace('now()', `timestamptz '${server.clock.now().toISOString()}'`)}; commit`,
    );
    const inNovember = await issue();
    // The last and the first millisecond of a month in Ecuador.
    await advanceTo('2026-12-01T04:59:59.999Z');
    const last = await issue();
    await advanceTo('2026-12-15T15:00:00Z');
    const inDecember = await issue();
    expect(await placesOf('sri_contents')).toEqual(['sri_contents_2026_12', 'sri_contents_before']);
    expect(await placesOf('sri_events')).toEqual(['sri_events_2026_12', 'sri_events_before']);
    expect(await placesOf('sri_responses')).toEqual(['sri_responses_2026_12', 'sri_responses_before']);
    const { rows } = await client.query('select count(*)::int as contents from sri_contents_before');
    expect(rows).toEqual([{ contents: 3 }]);

    // Months after the script's partitions are accepted too. A month added in time gets its own rows.
    await advanceTo('2028-01-10T15:00:00Z');
    await client.query(`select sri_add_month('2028-02-01'), sri_add_month('2028-02-01')`);
    expect(await placesOf('sri_contents_later')).toEqual([]);

    await client.query(`select sri_detach_month('sri_contents', '2026-12-01')`);
    expect((await get(`/v1/documents/${inDecember}/xml`)).status).toBe(404);
    const { data } = (await (await get('/v1/documents')).json()) as { data: { accessKey: string; status: string }[] };
    expect(data).toContainEqual(expect.objectContaining({ accessKey: inDecember, status: 'AUTHORIZED' }));
    expect((await get(`/v1/documents/${last}/xml`)).status).toBe(200);

    // Stands for a dump and restore of the table with pg_dump and pg_restore.
    const { rows: kept } = await client.query('select json_agg(c)::text as rows from sri_contents_2026_12 c');
    await client.query(
      `drop table sri_contents_2026_12; create table sri_contents_2026_12 (like sri_contents including all)`,
    );
    await client.query(
      'insert into sri_contents_2026_12 select * from json_populate_recordset(null::sri_contents_2026_12, $1::json)',
      [kept[0]?.rows],
    );
    await client.query(`select sri_attach_month('sri_contents', '2026-12-01')`);
    for (const accessKey of [old, inNovember, last, inDecember]) {
      expect((await get(`/v1/documents/${accessKey}/xml`)).status).toBe(200);
      const { document } = (await (await get(`/v1/documents/${accessKey}`)).json()) as { document: { status: string } };
      expect(document.status).toBe('AUTHORIZED');
    }
    const doctor = await runCli(cliSettings(server), 'doctor', '--invariants', '--json');
    const { findings } = doctor.json<{ findings: { check: string; verdict: string }[] }>();
    expect(findings.filter(({ check, verdict }) => check.startsWith('invariants') && verdict === 'fail')).toEqual([]);
  });
});
