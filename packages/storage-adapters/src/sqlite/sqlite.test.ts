import { rm } from 'node:fs/promises';
import BetterSqlite from 'better-sqlite3';
import { createTestClock, storageConformance } from 'sri-core/testing';
import { describe, expect, it, vi } from 'vitest';
import { createPostgresStorage } from '../postgres/postgres.js';
import { invoicesOf, sampleBatch, sampleDocument } from '../testing/sample-batches.js';
import { SQLITE } from '../testing/test-databases.js';
import { createSqliteStorage, openSqlite } from './sqlite.js';

describe('SQLite storage', () => {
  it.each(storageConformance)('the SQLite storage keeps a promise of the port: $name', async ({ run }) => {
    const database = await SQLITE.create();
    try {
      await run(() => database.open());
    } finally {
      await database.remove();
    }
  });

  it.each([undefined, 'invoices.db', openSqlite(':memory:')])(
    'names the argument when it is no opened database: %s',
    (given) => {
      expect(() => createSqliteStorage({ database: given as never })).toThrow('`await openSqlite(path)`');
      expect(() => createPostgresStorage({ pool: given as never })).toThrow('`await openPostgresPool(address)`');
    },
  );

  it.each([undefined, ''])('rejects a database without a name, whose documents would be lost: %j', async (path) => {
    await expect(openSqlite(path as string)).rejects.toThrow('path has to be the path of a file.');
  });

  it('sets the database up for commits that survive a power cut', async () => {
    const { place, remove } = await SQLITE.create();
    const database = await openSqlite(place);
    createSqliteStorage({ database });
    const settings = ['journal_mode', 'synchronous', 'foreign_keys'].map((name) =>
      database.pragma(name, { simple: true }),
    );
    expect(settings).toEqual(['wal', 2, 1]);
    database.close();
    await remove();
  });

  it('leaves a transaction of the application open, and reports why it stores nothing', async () => {
    const database = await openSqlite(':memory:');
    const storage = createSqliteStorage({ database });
    await storage.migrate();
    database.exec('create table orders (id integer); begin; insert into orders values (1)');
    await expect(storage.storeDocuments(sampleBatch(1))).rejects.toThrow('in a transaction of the application');
    database.exec('commit');
    expect(database.prepare('select id from orders').all()).toEqual([{ id: 1 }]);
    expect(await storage.storeDocuments(sampleBatch(1))).toEqual({ kind: 'stored' });
    database.close();
  });

  it('takes nothing of an order into its SQL except the two directions', async () => {
    const database = await openSqlite(':memory:');
    const storage = createSqliteStorage({ database });
    await storage.migrate();
    const batch = sampleBatch(1);
    await storage.storeDocuments(batch);
    const query = { page: 1, limit: 10, sortDirection: 'asc, no_such_column' as never };
    expect(await storage.listDocuments(batch.counter, query)).toMatchObject({ total: 1 });
    database.close();
  });

  it('searches quickly through a name that almost has the searched part at every place', async () => {
    const database = await openSqlite(':memory:');
    const storage = createSqliteStorage({ database });
    await storage.migrate();
    const counter = invoicesOf();
    const counterparty = { idType: '05', id: '1710034065', name: 'a'.repeat(100_000), email: null };
    const documents = [sampleDocument(counter, 1, { counterparty })];
    await storage.storeDocuments({ counter, firstSequential: 1, documents });
    const begun = performance.now();
    const query = { page: 1, limit: 10, buyerName: `${'a'.repeat(49_900)}b` };
    expect(await storage.listDocuments(counter, query)).toMatchObject({ total: 0 });
    // LIKE takes four seconds.
    expect(performance.now() - begun).toBeLessThan(1_500);
    database.close();
  });

  it('reads and writes while a test fakes the timers', async () => {
    const database = await openSqlite(':memory:');
    const storage = createSqliteStorage({ database });
    await storage.migrate();
    const batch = sampleBatch(1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'Date'] });
    try {
      const clock = createTestClock(new Date());
      expect(await clock.runUntil(storage.storeDocuments(batch))).toEqual({ kind: 'stored' });
      const reads = Array.from({ length: 2000 }, () =>
        storage.kysely.selectFrom('sri_documents').select('sequential').executeTakeFirst(),
      );
      expect(new Set((await Promise.all(reads)).map((row) => row?.sequential))).toEqual(new Set([1]));
    } finally {
      vi.useRealTimers();
    }
    database.close();
  });

  it('reads a copy without a log, such as a backup, over a connection for reading', async () => {
    const { place, remove } = await SQLITE.create();
    const database = await openSqlite(place);
    await createSqliteStorage({ database }).migrate();
    database.prepare('vacuum into ?').run(`${place}.copy`);
    database.close();
    const copy = new BetterSqlite(`${place}.copy`, { readonly: true });
    const { kysely } = createSqliteStorage({ database: copy });
    expect(await kysely.selectFrom('sri_documents').selectAll().execute()).toEqual([]);
    copy.close();
    await rm(`${place}.copy`);
    await remove();
  });
});
