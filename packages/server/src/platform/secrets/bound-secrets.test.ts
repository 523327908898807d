import { FIRST_ID } from 'sri-storage-adapters';
import { beforeAll, expect, it } from 'vitest';
import { changeRows, readRow } from '../../testing/change-rows.js';
import { databaseKinds } from '../../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../../testing/test-server.js';
import { postJson, registerTenant, type TestTenant } from '../../testing/test-tenant.js';
import { labelOfSecret } from './secret-label.js';
import { listForeignSecrets, SECRET_KINDS, type StoredSecret } from './secret-rows.js';
import { SecretUnreadableError } from './vault.js';

describeOnDatabases('stored secrets', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenants: readonly TestTenant[];
  let secrets: readonly StoredSecret[];

  beforeAll(async () => {
    server = await open();
    tenants = [await registerTenant(server), await registerTenant(server)];
    await changeRows(server, 'tenants', {}, { status: 'ACTIVE', subscription_tier: 'BUSINESS' });
    for (const { auth } of tenants) {
      await postJson(server, '/v1/issuers', auth, { branchCode: '001', issuePointCode: '044' });
      for (const name of ['a', 'b']) {
        const made = await postJson(server, '/v1/webhooks', auth, { url: `https://hooks.ejemplo.ec/${name}` });
        const { endpoint } = (await made.json()) as { endpoint: { id: string } };
        await postJson(server, `/v1/webhooks/${endpoint.id}/rotate-secret`, auth, {});
      }
    }
    const page = { masterKeyId: 'none', after: FIRST_ID, limit: 100 };
    secrets = await server.services.database.read(async (tables) => {
      const found: StoredSecret[] = [];
      for (const kind of SECRET_KINDS) found.push(...(await listForeignSecrets(tables, kind, page)));
      return found;
    });
  });

  it('a stored secret opens in its own row alone, not for another kind, account, owner or version', () => {
    const { vault } = server.services;
    const counts = Map.groupBy(secrets, ({ kind }) => kind);
    expect(Object.fromEntries([...counts].map(([kind, of]) => [kind, of.length]))).toEqual({
      certificate: 4,
      mail: 2,
      webhook: 4,
      formerWebhook: 4,
    });
    for (const secret of secrets) {
      expect(vault.open(secret.sealed, labelOfSecret(secret)).length).toBeGreaterThan(30);
      for (const other of secrets) {
        if (other === secret) continue;
        const moved = () => vault.open(secret.sealed, labelOfSecret(other));
        expect(moved, `${secret.kind} as ${other.kind}`).toThrow(SecretUnreadableError);
      }
    }
  });

  it('a stored secret does not open with the data key or the content of another secret', () => {
    const { vault } = server.services;
    for (const secret of secrets) {
      const other = secrets.find(({ kind, ownerId }) => kind === secret.kind && ownerId !== secret.ownerId);
      if (!other) throw new Error('There is another of each kind.');
      const { wrappedKey, ciphertext } = other.sealed;
      expect(() => vault.open({ ...secret.sealed, wrappedKey }, labelOfSecret(secret))).toThrow(SecretUnreadableError);
      expect(() => vault.open({ ...secret.sealed, ciphertext }, labelOfSecret(secret))).toThrow(SecretUnreadableError);
    }
  });

  it('a link that was moved to a mail of another account is not sent', async () => {
    const [victim, thief] = tenants;
    await server.services.database.transaction(async (tables) => {
      const { wrapped_key, sealed_token } = await tables
        .selectFrom('jobs')
        .select(['wrapped_key', 'sealed_token'])
        .where('tenant_id', '=', victim?.tenantId ?? '')
        .executeTakeFirstOrThrow();
      await tables
        .updateTable('jobs')
        .set({ wrapped_key, sealed_token })
        .where('tenant_id', '=', thief?.tenantId ?? '')
        .execute();
    });
    await server.tick();
    expect(await server.mails()).toHaveLength(1);
    const row = await readRow(server, 'jobs', { tenant_id: thief?.tenantId ?? '' }, [
      'status',
      'attempt_count',
      'last_error',
    ]);
    expect(row).toMatchObject({ status: 'PENDING', attempt_count: 1, last_error: expect.stringMatching(/label/) });
  });
});
