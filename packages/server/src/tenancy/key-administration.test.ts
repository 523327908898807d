import { beforeAll, expect, it } from 'vitest';
import { findTenant } from '../store/tenants.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { registerTenant } from '../testing/test-tenant.js';
import { createKey, revokeKey } from './key-administration.js';
import { SCOPES } from './scopes.js';
import type { TenantContext } from './tenant.js';

describeOnDatabases('who asks without a key of the account', await databaseKinds(), (open) => {
  let server: TestServer;
  let context: TenantContext;
  beforeAll(async () => {
    server = await open();
    const { tenantId } = await registerTenant(server);
    const tenant = await server.services.database.read((tables) => findTenant(tables, tenantId));
    if (!tenant) throw new Error('The account is missing.');
    context = { tenant, environment: 'sandbox', keyId: null, scopes: SCOPES };
  });
  const refused = expect.objectContaining({ code: 'UNAUTHORIZED' });

  it('makes none, since a key never can do more than the one that asks', async () => {
    const request = { label: null, environment: 'sandbox', scopes: null } as const;
    await expect(createKey(server.services.keys, context, request)).rejects.toEqual(refused);
  });

  it('revokes none', async () => {
    const keys = await server.services.database.read((tables) => tables.selectFrom('api_keys').select('id').execute());
    for (const { id } of keys) await expect(revokeKey(server.services.keys, context, id)).rejects.toEqual(refused);
  });

  it('is refused with a key that is another account’s', async () => {
    const other = await registerTenant(server);
    const { id } = await server.services.database.read((tables) =>
      tables.selectFrom('api_keys').select('id').where('tenant_id', '=', other.tenantId).executeTakeFirstOrThrow(),
    );
    const request = { label: null, environment: 'sandbox', scopes: [] } as const;
    await expect(createKey(server.services.keys, { ...context, keyId: id }, request)).rejects.toEqual(refused);
  });
});
