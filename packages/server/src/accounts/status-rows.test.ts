import { beforeAll, expect, it } from 'vitest';
import { readRow } from '../testing/change-rows.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { registerTenant } from '../testing/test-tenant.js';
import { changeStatusBeforeSuspension, changeTenantStatus, statusBeforeSuspension } from './status-rows.js';

describeOnDatabases('the status of an account', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenantId: string;
  beforeAll(async () => {
    server = await open();
    ({ tenantId } = await registerTenant(server));
  });
  const change = <T>(work: Parameters<typeof server.services.database.transaction<T>>[0]) =>
    server.services.database.transaction(work);
  const illegal = expect.objectContaining({ code: 'ILLEGAL_TRANSITION' });

  it('the status to return to changes only during the suspension', async () => {
    const now = server.clock.now();
    const step = { from: 'ACTIVE', to: 'PAST_DUE', now } as const;
    await expect(change((tables) => changeStatusBeforeSuspension(tables, tenantId, step))).rejects.toEqual(illegal);
    const { status } = await readRow(server, 'tenants', { id: tenantId });
    await change((tables) =>
      changeTenantStatus(tables, tenantId, { from: status as 'ACTIVE', to: 'SUSPENDED', reason: 'OTHER', now }),
    );
    expect(await server.services.database.read((tables) => statusBeforeSuspension(tables, tenantId))).toBe(status);
    await change((tables) => changeStatusBeforeSuspension(tables, tenantId, step));
    expect(await server.services.database.read((tables) => statusBeforeSuspension(tables, tenantId))).toBe('PAST_DUE');
  });

  it('rejects a change from another status, and a change against the table', async () => {
    const now = server.clock.now();
    const wrong = { from: 'ACTIVE', to: 'SUSPENDED', reason: 'OTHER', now } as const;
    await expect(change((tables) => changeTenantStatus(tables, tenantId, wrong))).rejects.toEqual(illegal);
    const astray = { from: 'PAST_DUE', to: 'PAST_DUE', now } as const;
    await expect(change((tables) => changeStatusBeforeSuspension(tables, tenantId, astray))).rejects.toEqual(illegal);
  });
});
