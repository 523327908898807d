import { sql } from 'kysely';
import type { Environment } from 'sri-core';
import { expect, it } from 'vitest';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';
import { registerTenant } from '../testing/test-tenant.js';
import { notificationsTask } from './jobs.js';
import type { NotificationType } from './notification-types.js';
import { publish } from './publish.js';
import { dropExpiredNotifications, findNewest, insertNotification } from './rows.js';

describeOnDatabases('the newest notification of an issuer', await databaseKinds(), (open, databaseName) => {
  it('finds the newest notification of a type among many, no older than a given time', async () => {
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

    const newest = (wanted: { types: readonly NotificationType[]; since?: Date; environment?: Environment }) =>
      database.read(async (tables) => (await findNewest(tables, tenantId, { issuerId, ...wanted }))?.id);
    expect(await newest({ types: ['CERT_EXPIRING', 'CERT_EXPIRED'] })).toBe(expired);
    expect(await newest({ types: ['CERT_EXPIRING'] })).toBe(expiring);
    expect(await newest({ types: ['CERT_EXPIRING'], environment: 'production' })).toBeUndefined();
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

describeOnDatabases('expired notifications', await databaseKinds(), (open) => {
  it('deletes expired notifications in batches, oldest first', async () => {
    const server = await open();
    const { tenantId } = await registerTenant(server);
    const { database } = server.services;
    const now = server.clock.now();
    const id = (index: number) => `0197f3a0-c5d2-7b1e-8000-${String(index).padStart(12, '0')}`;
    const ends = [-30, -10, -20, 0, 1, null, ...Array(101).fill(1)];
    await database.transaction(async (tables) => {
      for (const [index, second] of ends.entries()) {
        await insertNotification(tables, {
          id: id(index),
          tenantId,
          issuerId: null,
          environment: null,
          type: 'PAYMENT_VERIFIED',
          severity: 'INFO',
          title: '',
          message: '',
          metadata: null,
          readAt: null,
          expiresAt: second === null ? null : new Date(now.getTime() + second * 1000),
          createdAt: now,
        });
      }
    });
    const drop = (limit: number) => database.transaction((tables) => dropExpiredNotifications(tables, { now, limit }));
    const left = async () => {
      const rows = await database.read((tables) =>
        tables.selectFrom('notifications').select('id').orderBy('id').execute(),
      );
      return rows.map((row) => Number(row.id.slice(-3)));
    };
    const later = Array.from({ length: 101 }, (_, index) => index + 6);
    expect(await drop(2)).toBe(2);
    expect(await left()).toEqual([1, 3, 4, 5, ...later]);
    expect(await drop(100)).toBe(2);
    expect(await left()).toEqual([4, 5, ...later]);
    expect(await drop(100)).toBe(0);
    const task = notificationsTask(database, server.clock);
    await server.clock.advance(1000);
    await task.run(AbortSignal.abort());
    expect(await left()).toHaveLength(103);
    await task.run(new AbortController().signal);
    expect(await left()).toEqual([5]);
  });
});

describeOnDatabases('a notification of the sandbox', await databaseKinds(), (open) => {
  it('a notification of the sandbox expires no later than a notification of production', async () => {
    const server = await open();
    const { tenantId } = await registerTenant(server);
    const { database, registration } = server.services;
    const now = server.clock.now();
    const parts = { newId: registration.newId, notificationTtlMs: 86_400_000, announce: async () => {} };
    const said = { type: 'QUOTA_WARNING', severity: 'INFO', title: '', message: '', metadata: null } as const;
    const draft = { tenantId, issuerId: null, environment: 'sandbox', ...said } as const;
    await database.transaction((tables) => publish(tables, { tenantId, now }, parts, async () => draft));
    const rows = await database.read((tables) => tables.selectFrom('notifications').select('expires_at').execute());
    expect(rows).toEqual([{ expires_at: now.getTime() + 86_400_000 }]);
  });
});
