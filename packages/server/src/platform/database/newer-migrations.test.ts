import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { databaseKinds } from '../../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../../testing/test-server.js';
import { createDocument, postJson, register, registerTenant, SIMPLE_INVOICE } from '../../testing/test-tenant.js';

describeOnDatabases('a server with the database of a newer version', await databaseKinds(), (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open();
  });

  it('an older server rejects every write with 503, reports NEWER_VERSION and continues to read', async () => {
    const tenant = await registerTenant(server);
    const { accessKey } = await createDocument(server, tenant);
    const addStep = (name: string) =>
      server.services.database.transaction((tables) =>
        sql`insert into sri_migrations (namespace, name, applied_at) values ('sri-server', ${name}, 1)`.execute(tables),
      );
    await addStep('099-later');

    const created = await postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
    expect([created.status, created.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await register(server, { email: 'otra@ejemplo.ec', ruc: '1791999999001' })).status).toBe(503);
    await expect(server.services.database.transaction(async () => 1)).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      cause: { unknownMigrations: ['099-later'] },
    });
    const ready = await server.request('/readyz');
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { reason: 'NEWER_VERSION', checks: { database: false } },
    ]);

    const shown = await server.request(`/v1/documents/${accessKey}`, { headers: tenant.headers });
    expect(shown.status).toBe(200);
    const listed = await server.request('/v1/documents', { headers: tenant.headers });
    expect(await listed.json()).toMatchObject({ pagination: { total: 1 } });
  });
});
