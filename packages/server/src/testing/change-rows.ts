import type { Updateable } from 'kysely';
import type { TenantsTable } from '../accounts/tables.js';
import type { ApiKeysTable } from '../keys/tables.js';
import type { TestServer } from './test-server.js';
import type { TestTenant } from './test-tenant.js';

/** Changes the row of an account, without an entry in its history. */
export async function changeTenant(
  { services }: Pick<TestServer, 'services'>,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  values: Updateable<TenantsTable>,
): Promise<void> {
  await services.database.transaction((tables) =>
    tables.updateTable('tenants').set(values).where('id', '=', tenantId).execute(),
  );
}

/** Changes the rows of an account's keys. */
export async function changeKeys(
  { services }: Pick<TestServer, 'services'>,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  values: Updateable<ApiKeysTable>,
): Promise<void> {
  await services.database.transaction((tables) =>
    tables.updateTable('api_keys').set(values).where('tenant_id', '=', tenantId).execute(),
  );
}
