import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from 'sri-core';
import { expect, it } from 'vitest';
import { startServer } from './server.js';
import { FaultSkipped } from './testing/chaos/fault.js';
import { openPgbouncer } from './testing/chaos/pgbouncer.js';
import { startStandbyPair } from './testing/chaos/standby-pair.js';
import { runCli } from './testing/run-cli.js';
import { createDocument, postJson, registerTenant, SIMPLE_INVOICE } from './testing/test-tenant.js';

it('PostgreSQL behind PgBouncer rejects only writes of a read-only server, and doctor names a missing limit', {
  timeout: 120_000,
}, async ({ skip }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sri-read-only-'));
  const closing = [() => rm(dataDir, { recursive: true, force: true })];
  try {
    const pair = await startStandbyPair();
    closing.unshift(pair.remove);
    const way = await openPgbouncer(pair);
    closing.unshift(way.remove);
    const start = async (settings: Record<string, string>) => {
      const place = { PORT: '0', DATA_DIR: dataDir, DATABASE_URL: way.address, ONBOARDING_RATE: '1000/1h' };
      const server = await startServer({ ...place, ...settings }, { logger: silentLogger });
      closing.unshift(() => server.close());
      return { request: (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init) };
    };
    const writing = await start({});
    const tenant = await registerTenant(writing);
    const { accessKey } = await createDocument(writing, tenant);
    const reading = await start({ READ_ONLY: 'true' });

    // Both servers share the sessions of PgBouncer.
    for (let round = 0; round < 5; round += 1) {
      const read = await reading.request(`/v1/documents/${accessKey}`, { headers: tenant.headers });
      expect(read.status).toBe(200);
      const written = await postJson(reading, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
      expect(written.status).toBe(503);
      await createDocument(writing, tenant);
    }
    const list = await reading.request('/v1/documents', { headers: tenant.headers });
    expect(await list.json()).toMatchObject({ pagination: { total: 6 } });

    // A session of PgBouncer has only the settings of its account.
    const fixes = async (address: string) => {
      const settings = { DATA_DIR: dataDir, DATABASE_URL: address, SRI_MODE: 'offline' };
      const { findings } = (await runCli(settings, 'doctor', '--json')).json<{ findings: { fix: unknown }[] }>();
      return findings.map(({ fix }) => fix);
    };
    const fix = "alter role postgres set idle_in_transaction_session_timeout = '10s'";
    expect(await fixes(way.address)).toContain(fix);
    expect(await fixes(`postgres://postgres@${pair.hosts[0]}/postgres`)).not.toContain(fix);
    const unnamed = { DATA_DIR: dataDir, DATABASE_URL: way.address.replace('?pgbouncer=true', '') };
    const { code, errors } = await runCli(unnamed, 'admin', 'tenants');
    expect([code, errors]).toEqual([1, expect.stringContaining('needs ?pgbouncer=true')]);
  } catch (error) {
    if (!(error instanceof FaultSkipped)) throw error;
    skip(error.message);
  } finally {
    for (const close of closing) await close();
  }
});
