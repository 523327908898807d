import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, open, rename, rm, stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import BetterSqlite, { type Database } from 'better-sqlite3';
import { StorageUnavailableError } from 'sri-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { KyselyStorage } from './kysely-storage.js';
import { moveNextSequential } from './sequentials.js';
import { createSqliteStorage, openSqlite } from './sqlite/sqlite.js';
import { invoicesOf, sampleBatch } from './testing/sample-batches.js';
import { SQLITE, type TestDatabase } from './testing/test-databases.js';

describe('SQLite in trouble', () => {
  let file: TestDatabase;
  let database: Database;
  let storage: KyselyStorage;

  beforeEach(async () => {
    file = await SQLITE.create();
    database = await openSqlite(file.place);
    storage = createSqliteStorage({ database, busyWaitMs: 150 });
    await storage.migrate();
  });
  afterEach(async () => {
    database.close();
    await file.remove();
  });

  async function expectNothingStored(batch: ReturnType<typeof sampleBatch>): Promise<void> {
    expect(await storage.nextSequential(batch.counter)).toBe(1);
    expect((await storage.listDocuments(batch.counter, { page: 1, limit: 1 })).total).toBe(0);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  }

  it('a writer that keeps its lock makes writes fail in time, with nothing stored, while reads go on', async () => {
    const other = await openSqlite(file.place);
    other.exec('begin exclusive');
    const batch = sampleBatch(1, 3);
    const refused = storage.storeDocuments(batch).catch((error: unknown) => error);
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    }, 5);
    expect(await storage.findDocument(batch.counter, batch.documents[0]?.document.accessKey ?? '')).toBeNull();
    const error = await refused;
    clearInterval(turning);
    expect(error).toBeInstanceOf(StorageUnavailableError);
    expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE', retryable: true, cause: { code: 'SQLITE_BUSY' } });
    expect(turns).toBeGreaterThan(5);
    await expectNothingStored(batch);

    other.exec('commit');
    expect(await storage.storeDocuments(batch)).toEqual({ kind: 'stored' });
    other.close();
  });

  it('a writer that releases its lock only delays other writes', async () => {
    const other = await openSqlite(file.place);
    other.exec('begin exclusive');
    setTimeout(() => other.exec('commit'), 40);
    expect(await storage.storeDocuments(sampleBatch(1))).toEqual({ kind: 'stored' });
    other.close();
  });

  it('statements of the application outside of transactions wait as well, without stopping the process', async () => {
    const other = await openSqlite(file.place);
    other.exec('begin exclusive');
    setTimeout(() => other.exec('commit'), 40);
    const row = { issuer_id: 'i', environment: 'sandbox', document_type: '01', next_sequential: 5 };
    await storage.kysely.insertInto('sri_sequentials').values(row).execute();
    other.exec('begin exclusive');
    const late = storage.kysely.updateTable('sri_sequentials').set({ next_sequential: 6 }).execute();
    await expect(late).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    other.close();
  });

  it('a full disk refuses the write as a whole, leaves reads working, and is overcome without a restart', async () => {
    const stored = sampleBatch(1);
    await storage.storeDocuments(stored);
    const pages = Number(database.pragma('page_count', { simple: true }));
    database.pragma(`max_page_count = ${pages}`);
    const batch = sampleBatch(1, 200);
    const error = await storage.storeDocuments(batch).catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE', cause: { code: 'SQLITE_FULL' } });
    await expectNothingStored(batch);
    const kept = stored.documents[0];
    expect(await storage.readContents(stored.counter, kept?.document.accessKey ?? '')).toMatchObject({
      ...kept?.contents,
    });

    database.pragma('max_page_count = 1000000');
    expect(await storage.storeDocuments(batch)).toEqual({ kind: 'stored' });
  });

  it('a database that was closed is unavailable, not a fault of the caller', async () => {
    const closed = await openSqlite(file.place);
    const orphan = createSqliteStorage({ database: closed });
    closed.close();
    await expect(orphan.nextDueAt()).rejects.toBeInstanceOf(StorageUnavailableError);
    await expect(orphan.storeDocuments(sampleBatch(1))).rejects.toBeInstanceOf(StorageUnavailableError);
  });

  it.each(['', '-wal', '-shm'])(
    'the removed file%s refuses writes at once, and takes them when it is back',
    async (ending) => {
      const counter = invoicesOf();
      await storage.storeDocuments(sampleBatch(1, 2, counter));
      await rename(file.place + ending, `${file.place}.away`);
      const error = await storage.storeDocuments(sampleBatch(3, 1, counter)).catch((refusal: unknown) => refusal);
      expect(error).toBeInstanceOf(StorageUnavailableError);
      expect(error).toMatchObject({
        cause: { code: 'SQLITE_READONLY_DBMOVED', message: expect.stringContaining('was removed') },
      });
      expect(() => storage.requireSound()).toThrow(StorageUnavailableError);
      await rename(`${file.place}.away`, file.place + ending);
      storage.requireSound();
      expect(await storage.storeDocuments(sampleBatch(3, 1, counter))).toEqual({ kind: 'stored' });
    },
  );

  it('a file in the place of the database refuses writes', async () => {
    await storage.storeDocuments(sampleBatch(1));
    await rename(file.place, `${file.place}.away`);
    await copyFile(`${file.place}.away`, file.place);
    await expect(storage.storeDocuments(sampleBatch(1))).rejects.toMatchObject({
      cause: { code: 'SQLITE_READONLY_DBMOVED' },
    });
  });

  it('a commit to a removed file is not acknowledged', async () => {
    const counter = invoicesOf();
    const removed = storage.transaction(async (transaction) => {
      await moveNextSequential(transaction, counter, 7);
      await rm(file.place);
    });
    await expect(removed).rejects.toBeInstanceOf(StorageUnavailableError);
  });

  it('damaged pages make the database unavailable, and nothing is written after', async () => {
    const counter = invoicesOf();
    for (let first = 1; first < 1000; first += 100) await storage.storeDocuments(sampleBatch(first, 100, counter));
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
    const { size } = await stat(file.place);
    const bytes = await open(file.place, 'r+');
    await bytes.write(randomBytes(size - 64 * 4096), 0, null, 64 * 4096);
    await bytes.close();
    database = await openSqlite(file.place);
    storage = createSqliteStorage({ database, busyWaitMs: 150 });
    await expect(storage.listDocuments(counter, { page: 1, limit: 50 })).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      cause: { code: expect.stringMatching(/^SQLITE_CORRUPT/) },
    });
    await expect(storage.storeDocuments(sampleBatch(1))).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      cause: { code: 'SQLITE_CORRUPT', message: expect.stringContaining('nothing is written') },
    });
    expect(() => storage.requireSound()).toThrow(StorageUnavailableError);
  });

  it('the connection keeps the statements used last prepared, at most 300', async () => {
    const prepared = vi.spyOn(database, 'prepare');
    const ask = async (keys: number) => {
      prepared.mockClear();
      const ids = Array.from({ length: keys }, String);
      await storage.kysely.selectFrom('sri_documents').select('id').where('id', 'in', ids).execute();
      return prepared.mock.calls.length;
    };
    for (let keys = 1; keys <= 301; keys += 1) expect(await ask(keys)).toBe(1);
    expect([await ask(2), await ask(301), await ask(1)]).toEqual([0, 0, 1]);
  });
});

describe('SQLite opened by several processes at once', () => {
  /** Holds the lock of a new file in a separate thread, because opening it blocks this thread. */
  async function holdLock(place: string, heldMs: number): Promise<Worker> {
    const holder = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       const database = require('better-sqlite3')(workerData.place);
       database.exec('begin exclusive');
       parentPort.postMessage('held');
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData.heldMs);
       database.exec('commit');
       database.close();`,
      { eval: true, workerData: { place, heldMs } },
    );
    await once(holder, 'message');
    return holder;
  }

  it.each([
    { what: 'waits for the process that changes the journal', heldMs: 60, busyWaitMs: 5000, refused: null },
    { what: 'gives up in time', heldMs: 300, busyWaitMs: 20, refused: StorageUnavailableError },
  ])('the open of a locked database $what', async ({ heldMs, busyWaitMs, refused }) => {
    const { place, remove } = await SQLITE.create();
    const holder = await holdLock(place, heldMs);
    // Without a timeout SQLite rejects at once, as when two processes would wait for each other.
    const database = new BetterSqlite(place, { timeout: 0 });
    const open = () => createSqliteStorage({ database, busyWaitMs });
    if (refused) expect(open).toThrow(refused);
    else {
      expect(open).not.toThrow();
      expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    }
    await once(holder, 'exit');
    database.close();
    await remove();
  });
});
