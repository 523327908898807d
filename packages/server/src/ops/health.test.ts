import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../app.js';
import type { Services } from '../platform/http/services.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, openTestServer, type TestServer } from '../testing/test-server.js';

describe('readiness', () => {
  let server: TestServer;
  const logged: Readonly<Record<string, unknown>>[] = [];

  beforeAll(async () => {
    server = await openTestServer(null, {
      logger: { info: () => {}, warn: () => {}, error: (fields) => void logged.push(fields) },
    });
  });
  afterAll(() => server.close());

  /** Calls a server with some services replaced. */
  async function ask(other: Partial<Services> = {}): Promise<readonly [number, unknown]> {
    logged.length = 0;
    const response = await createApp({ ...server.services, ...other }).request('/readyz');
    return [response.status, ((await response.json()) as { checks: unknown }).checks];
  }

  const FINE = { database: true, masterKey: true, background: true, draining: false };

  it('readiness reports each service separately', async () => {
    expect(await ask()).toEqual([200, FINE]);
    expect(await ask({ isDraining: () => true })).toEqual([503, { ...FINE, draining: true }]);
    const checkDatabase = () => Promise.reject(new Error('Migrations that have not been run: 099-later.'));
    expect(await ask({ checkDatabase })).toEqual([503, { ...FINE, database: false }]);
    expect(logged).toMatchObject([{ check: 'database', error: expect.stringContaining('099-later') }]);
  });

  it('readiness ends while a background loop is stuck, and the log names the loop', async () => {
    const loops = [
      { name: 'mail', isStuck: true },
      { name: 'webhooks', isStuck: false },
    ];
    expect(await ask({ watchdog: { ...server.services.watchdog, all: () => loops } })).toEqual([
      503,
      { ...FINE, background: false },
    ]);
    expect(logged).toEqual([{ check: 'background', stuck: ['mail'] }]);
  });

  it('readiness is answered in time if the database does not answer', { timeout: 10_000 }, async () => {
    const never = new Promise<never>(() => {});
    expect(await ask({ checkDatabase: () => never, checkMasterKeys: () => never })).toEqual([
      503,
      { ...FINE, database: false, masterKey: false },
    ]);
  });
});

describeOnDatabases('a busy server', await databaseKinds(), (open) => {
  it('readiness holds while all connections are in use and requests wait for them', async () => {
    const server = await open();
    const free = Promise.withResolvers<void>();
    const taken = Array.from({ length: 40 }, () => server.services.database.transaction(() => free.promise));
    const response = await server.request('/readyz');
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { checks: { database: true, masterKey: true } },
    ]);
    free.resolve();
    await Promise.all(taken);
  });

  it('simultaneous requests share one database check', async () => {
    const server = await open();
    const { checkDatabase } = server.services;
    const [first, ...others] = Array.from({ length: 20 }, () => checkDatabase());
    expect(others.every((other) => other === first)).toBe(true);
    await first;
    const later = checkDatabase();
    expect(later).not.toBe(first);
    await later;
  });
});
