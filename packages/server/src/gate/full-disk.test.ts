import BetterSqlite from 'better-sqlite3';
import { DatabaseError } from 'pg';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { watchPostgres, watchSqlite } from '../testing/chaos/watched-drivers.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { createDocument, registerTenant, type TestTenant } from '../testing/test-tenant.js';

/** The error of every write statement; null for a disk with room. */
let refusal: Error | null = null;
const refuse = ({ moment, statement }: { readonly moment: 'before' | 'after'; readonly statement: string }) => {
  if (refusal && moment === 'before' && /^\s*(insert|update|delete)/i.test(statement)) throw refusal;
};
watchSqlite(refuse);
watchPostgres(refuse);
afterEach(() => {
  refusal = null;
});

describeOnDatabases('a server on a full disk', await databaseKinds(), (open, databaseName) => {
  let server: TestServer;
  let byTier: TestServer;
  let tenant: TestTenant;
  let path: string;
  beforeAll(async () => {
    server = await open();
    byTier = await open({ beside: server, settings: { RATE_LIMITS: 'tier' } });
    tenant = await registerTenant(server);
    path = `/v1/documents/${(await createDocument(server, tenant)).accessKey}`;
  });

  function fill(): void {
    refusal =
      databaseName === 'SQLite'
        ? new BetterSqlite.SqliteError('database or disk is full', 'SQLITE_FULL')
        : Object.assign(new DatabaseError('no space left on device', 7, 'error'), { code: '53100' });
  }
  const statusOf = async (of: TestServer, asked: string, headers: Readonly<Record<string, string>>) =>
    (await of.request(asked, { headers })).status;

  it('a full disk allows reads, including reads with a limit', async () => {
    fill();
    const issuer = `/v1/issuers/${tenant.issuerId}/sequentials`;
    for (const asked of ['/v1/tenants/me', '/v1/tenants/events', issuer, path, '/v1/documents', '/v1/tiers']) {
      expect(await statusOf(server, asked, tenant.headers), asked).toBe(200);
      expect(await statusOf(byTier, asked, tenant.headers), asked).toBe(200);
    }
  });

  it('a full disk rejects an unknown key as usual, and limits its attempts', async () => {
    fill();
    const seen = new Set<number>();
    for (let tried = 0; tried < 300; tried += 1) {
      seen.add(await statusOf(server, '/v1/tenants/me', { authorization: 'Bearer sk_unknown' }));
    }
    expect([...seen]).toEqual([401]);
    expect(await statusOf(server, '/v1/tenants/me', { authorization: 'Bearer sk_unknown' })).toBe(429);
  });

  it('a limit counts in memory while the disk is full', async () => {
    await server.clock.advance(120_000);
    fill();
    const statuses: number[] = [];
    for (let asked = 0; asked < 61; asked += 1) {
      statuses.push(await statusOf(server, '/v1/tenants/events', tenant.headers));
    }
    expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });

  it('a full disk rejects a request that needs a write for now', async () => {
    fill();
    const registered = await registerTenant(server).catch((error: Error) => error.message);
    expect(registered).toContain('Registration answered 503');
  });
});
