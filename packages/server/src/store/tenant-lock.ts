import type { Tables } from './schema.js';

/**
 * Keeps others who take the same lock waiting until the transaction ends, so that what is decided by counting things of
 * an account stays true.
 */
export async function lockTenant(tables: Tables, tenantId: string): Promise<void> {
  await tables
    .updateTable('tenants')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('id', '=', tenantId)
    .execute();
}
