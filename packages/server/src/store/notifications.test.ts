import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { NotificationType } from '../notifications/notification-types.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';
import { registerTenant } from '../testing/test-tenant.js';
import { findNewest, insertNotification } from './notifications.js';

describeOnDatabases('the newest notification of an issuer', await databaseKinds(), (open, databaseName) => {
  it('is found by its type among many that tell of authorizations, and of those as far back as is asked for', async () => {
    const server = await open();
    const { tenantId, issuerId } = await registerTenant(server);
    const { database } = server.services;
    const add = (second: number, type: NotificationType) =>
      database.transaction(async (tables) => {
        const createdAt = new Date(Date.UTC(2026, 10, 21, 12, 0, second));
        const time = createdAt.getTime().toString(16).padStart(12, '0');
        const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-00000000000a`;
        const said = {
          environment: 'sandbox' as const,
          severity: 'INFO' as const,
          title: '',
          message: '',
          metadata: null,
        };
        const ends = { readAt: null, expiresAt: null };
        await insertNotification(tables, { id, tenantId, issuerId, type, ...said, ...ends, createdAt });
        return id;
      });
    const expiring = await add(0, 'CERT_EXPIRING');
    const expired = await add(1, 'CERT_EXPIRED');
    const authorized: string[] = [];
    for (let second = 2; second < 6; second += 1) authorized.push(await add(second, 'DOCUMENT_AUTHORIZED'));

    const newest = (wanted: { types: readonly NotificationType[]; since?: Date }) =>
      database.read(async (tables) => (await findNewest(tables, tenantId, { issuerId, ...wanted }))?.id);
    expect(await newest({ types: ['CERT_EXPIRING', 'CERT_EXPIRED'] })).toBe(expired);
    expect(await newest({ types: ['CERT_EXPIRING'] })).toBe(expiring);
    const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second));
    expect(await newest({ types: ['DOCUMENT_AUTHORIZED'], since: at(5) })).toBe(authorized.at(-1));
    expect(await newest({ types: ['DOCUMENT_AUTHORIZED'], since: at(6) })).toBeUndefined();

    const definition = await database.read(async (tables) => {
      const found =
        databaseName === 'SQLite'
          ? sql`select sql from sqlite_master where name = 'notifications_issuer'`
          : sql`select indexdef as sql from pg_indexes where indexname = 'notifications_issuer'`;
      const { rows } = await sql<{ sql: string }>`${found}`.execute(tables);
      return rows[0]?.sql;
    });
    expect(definition).toMatch(/where .*type.* <> 'DOCUMENT_AUTHORIZED'/i);
  });
});
