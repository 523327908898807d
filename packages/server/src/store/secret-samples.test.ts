import { beforeAll, expect, it } from 'vitest';
import { masterKeySettings } from '../testing/master-keys.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { postJson, registerTenant, type TestTenant } from '../testing/test-tenant.js';
import { countByMasterKey } from './sealed-secrets.js';
import { sampleSecrets } from './secret-samples.js';

const DAY_MS = 86_400_000;

describeOnDatabases('samples of the stored secrets', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let endpoints: readonly string[];

  beforeAll(async () => {
    server = await open({ settings: masterKeySettings('old') });
    tenant = await registerTenant(server);
    await server.tick();
    await server.services.database.transaction((tables) =>
      tables.updateTable('tenants').set({ status: 'ACTIVE', subscription_tier: 'BUSINESS' }).execute(),
    );
    const ids: string[] = [];
    for (const name of ['a', 'b']) {
      const created = await postJson(server, '/v1/webhooks', tenant.auth, { url: `https://hooks.example.com/${name}` });
      const { endpoint } = (await created.json()) as { endpoint: { id: string } };
      ids.push(endpoint.id);
    }
    endpoints = ids.toSorted();
  });

  const samples = (now = server.clock.now()) =>
    server.services.database.read(async (tables) =>
      (await sampleSecrets(tables, now)).map(({ kind, ownerId, keyVersion }) => ({ kind, ownerId, keyVersion })),
    );
  const counts = async () =>
    Object.fromEntries(await server.services.database.read((tables) => countByMasterKey(tables)));

  it('are none of a server without accounts', async () => {
    const { services, clock } = await open();
    expect(await services.database.read((tables) => sampleSecrets(tables, clock.now()))).toEqual([]);
  });

  it('are one of each place and master key', async () => {
    expect(await samples()).toEqual([
      { kind: 'certificate', ownerId: tenant.issuerId, keyVersion: 1 },
      { kind: 'webhook', ownerId: endpoints[0], keyVersion: 1 },
    ]);
    expect(await counts()).toEqual({ old: 3 });
  });

  it('have the former secret of a webhook for as long as it signs along', async () => {
    await postJson(server, `/v1/webhooks/${endpoints[1]}/rotate-secret`, tenant.auth, {});
    const kinds = async (now?: Date) => (await samples(now)).map(({ kind }) => kind);
    expect(await kinds()).toEqual(['certificate', 'webhook', 'formerWebhook']);
    expect((await samples()).at(-1)).toEqual({ kind: 'formerWebhook', ownerId: endpoints[1], keyVersion: 1 });
    expect(await kinds(new Date(server.clock.now().getTime() + 30 * DAY_MS))).toEqual(['certificate', 'webhook']);
    expect(await counts()).toEqual({ old: 4 });
  });

  it('leave out webhooks that are not in use, and have every master key', async () => {
    await server.services.database.transaction(async (tables) => {
      await tables
        .updateTable('webhook_endpoints')
        .set({ active: 0 })
        .where('id', '=', endpoints[1] ?? '')
        .execute();
      const sealed = { masterKeyId: 'new', wrappedKey: 'x', ciphertext: 'x' };
      const row = await tables
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where('id', '=', endpoints[0] ?? '')
        .executeTakeFirstOrThrow();
      await tables
        .insertInto('webhook_endpoints')
        .values({ ...row, id: 'ffffffff-0000-7000-8000-000000000000', secret: JSON.stringify(sealed) })
        .execute();
    });
    expect((await samples()).map(({ kind, ownerId }) => `${kind} ${ownerId}`)).toEqual([
      `certificate ${tenant.issuerId}`,
      `webhook ${endpoints[0]}`,
      'webhook ffffffff-0000-7000-8000-000000000000',
    ]);
    expect(await counts()).toEqual({ old: 4, new: 1 });
  });
});
