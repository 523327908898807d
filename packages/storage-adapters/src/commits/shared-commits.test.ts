import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Pool } from 'pg';
import type { Counter, DocumentChange, Job, StoredDocument } from 'sri-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Commit, KyselyStorage } from '../kysely-storage.js';
import { createPostgresStorage } from '../postgres/postgres.js';
import { invoicesOf, sampleBatch } from '../testing/sample-batches.js';
import { findPostgres, SQLITE, type TestDatabase } from '../testing/test-databases.js';

const kinds = [SQLITE, await findPostgres()];

describe.each(kinds)('writes that share their commits on $name', ({ missing, create }) => {
  describe.skipIf(missing)('concurrent writes', () => {
    let database: TestDatabase;
    let storage: KyselyStorage;
    let joined: (commit: Commit) => Promise<void> = async () => {};
    /** The transactions that were joined. */
    const transactions = new Set<unknown>();

    beforeAll(async () => {
      database = await create();
      storage = await database.open({
        async joinCommit(commits, transaction) {
          transactions.add(transaction);
          for (const commit of commits) await joined(commit);
        },
      });
    });
    afterAll(() => database.remove());

    const change = (document: StoredDocument, fields: Partial<DocumentChange> = {}): DocumentChange => {
      const event = { id: randomUUID(), eventType: 'CHANGED', fromStatus: null, toStatus: null, detail: null };
      const events = [{ ...event, createdAt: document.createdAt }];
      return { document, set: { status: 'VOIDED' }, events, responses: [], at: document.createdAt, ...fields };
    };
    const store = async (count: number, counter: Counter = invoicesOf(), job: Job | null = null) => {
      const batch = sampleBatch(1, count, counter);
      const running = job && { ...job, running: false };
      const documents = batch.documents.map((added) => ({ ...added, document: { ...added.document, job: running } }));
      await storage.storeDocuments({ ...batch, documents });
      transactions.clear();
      return documents.map(({ document }) => document);
    };
    const counted = async (counter: Counter) =>
      (await storage.documentFigures(counter)).map(({ status, count, total }) => `${count} ${status} ${total}`);
    const eventsOf = async (document: StoredDocument) =>
      (await storage.documentEvents(document, document.accessKey)).length;

    it('few transactions commit concurrent writes, with exact figures', async () => {
      const counter = invoicesOf();
      const documents = await store(60, counter);
      const outcomes = await Promise.all(documents.map((document) => storage.changeDocument(change(document))));
      expect(new Set(outcomes)).toEqual(new Set(['applied']));
      expect(transactions.size).toBe(1);
      expect(await counted(counter)).toEqual(['60 VOIDED 6900.00']);
      const { total } = await storage.listDocuments(counter, { status: 'VOIDED', page: 1, limit: 1 });
      expect(total).toBe(60);
    });

    /**
     * Stores a batch, and a second one that starts while the first holds the counter. The first may then fail.
     *
     * @param from the first number of the first batch.
     */
    async function storeBehind(counter: Counter, from: number, first: () => Promise<void>) {
      const held = Promise.withResolvers<void>();
      const started = Promise.withResolvers<void>();
      joined = async ({ stored = [] }) => {
        if (stored[0]?.document.sequential !== from) return;
        held.resolve();
        await started.promise;
        await first();
      };
      const storing = storage.storeDocuments(sampleBatch(from, 5, counter));
      await held.promise;
      const behind = storage.storeDocuments(sampleBatch(from + 5, 5, counter));
      started.resolve();
      const outcomes = await Promise.allSettled([storing, behind]);
      joined = async () => {};
      return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message));
    }

    describe.each([
      { name: 'never used', from: 1 },
      { name: 'in use', from: 4 },
    ])('a counter that is $name', ({ from }) => {
      let counter: Counter;
      beforeEach(async () => {
        counter = invoicesOf();
        if (from > 1) await storage.storeDocuments(sampleBatch(1, from - 1, counter));
      });

      it('a batch waits for the batch that holds its counter, and continues behind its numbers', async () => {
        expect(await storeBehind(counter, from, async () => {})).toEqual([{ kind: 'stored' }, { kind: 'stored' }]);
        expect(await storage.nextSequential(counter)).toBe(from + 10);
      });

      it('a batch is refused when the batch that holds its counter fails', async () => {
        const refuse = () => Promise.reject(new Error('over the quota'));
        expect(await storeBehind(counter, from, refuse)).toEqual([
          'over the quota',
          { kind: 'counterMoved', nextSequential: from },
        ]);
        expect(await storage.nextSequential(counter)).toBe(from);
      });
    });

    it('a write in a shared commit equals the same write in a commit of its own, whatever it sets', async () => {
      const counter = invoicesOf();
      const at = new Date('2026-11-22T09:00:00.123Z');
      const response = {
        id: randomUUID(),
        operationType: 'RECEPTION',
        status: 'RECIBIDA',
        messages: [],
        createdAt: at,
      };
      const parts: Omit<Partial<DocumentChange>, 'document'>[] = [
        { set: {} },
        { set: { status: 'AUTHORIZED', authorization: { number: '1', date: 'x' } } },
        { set: { status: 'VOIDED', voided: { reason: 'r', at } } },
        { set: { voided: null, authorization: null, modifies: null } },
        { set: { mail: { status: 'SENT', sentAt: at, error: null } } },
        { set: { mail: { status: 'FAILED', sentAt: null, error: 'e' } }, job: sampleJob(at) },
        { set: { total: '9999999999.99', issueDate: '2026-11-22' }, job: sampleJob(null) },
        {
          set: { counterparty: { idType: '07', id: '9', name: 'ÑANDÚ', email: 'x@y.ec' } },
          contents: { authorizedXml: '<b/>' },
        },
        { set: { status: 'RECEIVED' }, responses: [{ ...response, operationType: 'RECEPTION' as const }], job: null },
      ];
      const together = await store(parts.length, counter, sampleJob(at));
      const apart = await store(parts.length, invoicesOf(), sampleJob(at));
      await storage.changeDocument(change(apart[0] ?? never(), { ...parts[0], at }));
      for (const [index, part] of parts.entries()) {
        if (index > 0) await storage.changeDocument(change(apart[index] ?? never(), { ...part, at }));
      }
      transactions.clear();
      await Promise.all(
        parts.map((part, index) => storage.changeDocument(change(together[index] ?? never(), { ...part, at }))),
      );
      expect(transactions.size).toBe(1);
      const seen = async (documents: readonly StoredDocument[]) =>
        Promise.all(
          documents.map(async ({ issuerId, environment, accessKey }) => {
            const scope = { issuerId, environment };
            const found = await storage.findDocument(scope, accessKey);
            const contents = await storage.readContents(scope, accessKey);
            const responses = await storage.sriResponses(scope, accessKey);
            return {
              ...found,
              ...{ id: '', issuerId: '', accessKey: '' },
              authorizedXml: contents?.authorizedXml,
              statuses: responses.map(({ status }) => status),
              events: (await storage.documentEvents(scope, accessKey)).length,
            };
          }),
        );
      expect(await seen(together)).toEqual(await seen(apart));
      expect(await counted(counter)).toEqual(await counted(apart[0] ?? never()));
    });

    it('a refused write touches nothing, and the other writes are applied', async () => {
      const counter = invoicesOf();
      const documents = await store(8, counter, sampleJob(new Date(0)));
      const [first, stale, crossed, lost, held, unheld, ...others] = documents.map((document) => document);
      if (!first || !stale || !crossed || !lost || !held || !unheld) throw never();
      const claim = async (document: StoredDocument) =>
        (await storage.claimJobOf(document, { now: new Date(1), leaseMs: 60_000 }))?.lease ?? never();
      const lease = await claim(held);
      const gone = await claim(lost);
      transactions.clear();
      const outcomes = await Promise.all(
        [
          change(first),
          change({ ...stale, revision: 9 }, { job: null }),
          change({ ...crossed, issuerId: randomUUID() }, { job: null }),
          change(lost, { lease: { ...gone, token: gone.token + 1 }, job: null }),
          change(held, { lease, job: null }),
          change({ ...unheld, revision: 9 }, { lease: { documentId: unheld.id, token: 1 }, job: null }),
          ...others.map((document) => change(document, { job: null })),
        ].map((each) => storage.changeDocument(each)),
      );
      expect(outcomes).toEqual([
        'applied',
        'stale',
        'stale',
        'leaseLost',
        'applied',
        'leaseLost',
        'applied',
        'applied',
      ]);
      for (const document of [stale, crossed, lost, unheld]) {
        const found = await storage.findDocument(counter, document.accessKey);
        expect([found?.status, found?.revision, found?.job?.operation]).toEqual(['SIGNED', 1, 'SEND']);
        expect(await eventsOf(document)).toBe(1);
      }
      expect(await counted(counter)).toEqual(['4 SIGNED 460.00', '4 VOIDED 460.00']);
    });

    it('an error during a join undoes only its own write', async () => {
      const counter = invoicesOf();
      const documents = await store(20, counter);
      const [, unlucky] = documents;
      joined = async (commit) => {
        if (commit.change?.document.id === unlucky?.id) throw new Error('over the quota');
      };
      const settled = await Promise.allSettled(documents.map((document) => storage.changeDocument(change(document))));
      joined = async () => {};
      expect(settled.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual(
        documents.map((document) => (document === unlucky ? 'Error: over the quota' : 'applied')),
      );
      expect(await counted(counter)).toEqual(['1 SIGNED 115.00', '19 VOIDED 2185.00']);
      expect(await Promise.all(documents.map(eventsOf))).toEqual(documents.map((each) => (each === unlucky ? 1 : 2)));
    });

    it('writes of one document are applied in the order of their arrival', async () => {
      const counter = invoicesOf();
      const [first, document] = await store(2, counter);
      if (!first || !document) throw never();
      const outcomes = await Promise.all([
        storage.changeDocument(change(first)),
        storage.changeDocument(change(document, { set: { total: '1.00' } })),
        storage.changeDocument(change(document, { set: { total: '2.00' } })),
        storage.changeDocument(change({ ...document, revision: 2, total: '1.00' }, { set: { total: '3.00' } })),
      ]);
      expect(outcomes).toEqual(['applied', 'applied', 'stale', 'applied']);
      expect((await storage.findDocument(counter, document.accessKey))?.total).toBe('3.00');
      expect(await counted(counter)).toEqual(['1 SIGNED 3.00', '1 VOIDED 115.00']);
    });

    it('writes take numbers without a gap, and refused writes give their numbers back', async () => {
      const counter = invoicesOf();
      const documents = await store(4, counter);
      const [first, second, refused, last] = documents;
      if (!first || !second || !refused || !last) throw never();
      const outcomes = await Promise.all([
        storage.changeDocument(change(first)),
        storage.changeDocument(change(second, { set: { sequential: 5 }, takes: { counter, sequential: 5 } })),
        storage.changeDocument(
          change({ ...refused, revision: 9 }, { set: { sequential: 6 }, takes: { counter, sequential: 6 } }),
        ),
        storage.changeDocument(change(last)),
      ]);
      expect(outcomes).toEqual(['applied', 'applied', 'stale', 'applied']);
      expect(await storage.storeDocuments(sampleBatch(6, 2, counter))).toEqual({ kind: 'stored' });
      expect(await storage.nextSequential(counter)).toBe(8);
      expect(await counted(counter)).toEqual(['4 SIGNED 460.00', '2 VOIDED 230.00']);
    });

    it('new documents of several issuers are stored or refused independently', async () => {
      const taken = invoicesOf();
      const [bound] = sampleBatch(1, 1, taken).documents;
      if (!bound) throw never();
      const withKey = { ...bound, document: { ...bound.document, idempotencyKey: 'a-key' } };
      await storage.storeDocuments({ counter: taken, firstSequential: 1, documents: [withKey] });
      transactions.clear();
      const again = sampleBatch(2, 2, taken);
      const clashing = again.documents.map((added, index) => ({
        ...added,
        document: { ...added.document, idempotencyKey: index === 1 ? 'a-key' : null },
      }));
      const counters = Array.from({ length: 12 }, () => invoicesOf());
      const outcomes = await Promise.all([
        ...counters.map((counter) => storage.storeDocuments(sampleBatch(1, 2, counter))),
        storage.storeDocuments({ ...again, documents: clashing }),
        storage.storeDocuments(sampleBatch(7, 1)),
      ]);
      expect(outcomes).toEqual([
        ...counters.map(() => ({ kind: 'stored' })),
        { kind: 'idempotencyKeyTaken', index: 1 },
        { kind: 'counterMoved', nextSequential: 1 },
      ]);
      expect(await storage.nextSequential(taken)).toBe(2);
      for (const counter of counters) expect(await counted(counter)).toEqual(['2 SIGNED 230.00']);
      transactions.clear();
      await Promise.all(Array.from({ length: 12 }, () => storage.storeDocuments(sampleBatch(1))));
      expect(transactions.size).toBe(1);
    });

    it('new documents wait for the commit that holds their counters, each behind its numbers', async () => {
      const counters = Array.from({ length: 5 }, () => invoicesOf());
      const [used, unused, ...rest] = counters;
      if (!used || !unused) throw never();
      for (const counter of [used, ...rest]) await storage.storeDocuments(sampleBatch(1, 1, counter));
      const held = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      joined = async ({ stored = [] }) => {
        if (stored[0]?.document.sequential !== 2) return;
        held.resolve();
        await goOn.promise;
      };
      const storing = [used, ...rest].map((counter) => storage.storeDocuments(sampleBatch(2, 3, counter)));
      await held.promise;
      const behind = [
        ...[used, ...rest].map((counter) => storage.storeDocuments(sampleBatch(5, 2, counter))),
        // In one commit: two batches of one counter, one for taken numbers, and the first of another counter.
        storage.storeDocuments(sampleBatch(7, 1, used)),
        storage.storeDocuments(sampleBatch(3, 1, rest[0])),
        storage.storeDocuments(sampleBatch(1, 2, unused)),
      ];
      goOn.resolve();
      const outcomes = await Promise.all([...storing, ...behind]);
      joined = async () => {};
      expect(outcomes).toEqual([
        ...Array(8).fill({ kind: 'stored' }),
        { kind: 'stored' },
        { kind: 'counterMoved', nextSequential: 7 },
        { kind: 'stored' },
      ]);
      expect(await Promise.all(counters.map((counter) => storage.nextSequential(counter)))).toEqual([8, 3, 7, 7, 7]);
    });

    it('a transaction of the application does not share commits, because its write would wait for itself', async () => {
      const [document] = await store(1);
      if (!document) throw never();
      const inside = storage.transaction(() => storage.changeDocument(change(document)));
      await expect(inside).rejects.toThrow('use the handle');
      expect(await storage.changeDocument(change(document))).toBe('applied');
    });

    it('writes of two processes neither wait for each other for ever nor lose a figure', async () => {
      const counter = invoicesOf();
      const documents = await store(120, counter);
      const storages = [storage, await database.open({ migrate: false })];
      const outcomes = await Promise.all(
        documents.flatMap((document, index) =>
          [documents.length - 1 - index, index].map((place, side) =>
            storages[side]?.changeDocument(change(documents[place] ?? document)),
          ),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(120);
      expect(outcomes.filter((outcome) => outcome === 'stale')).toHaveLength(120);
      expect(await counted(counter)).toEqual(['120 VOIDED 13800.00']);
      expect(new Set(await Promise.all(documents.map(eventsOf)))).toEqual(new Set([2]));
    });
  });
});

const postgres = kinds[1];

describe.skipIf(postgres?.missing)('joins of the application to a shared commit, on PostgreSQL', () => {
  it('a shared commit asks the application once for all its writes, issuer by issuer', async () => {
    const database = (await postgres?.create()) ?? never();
    const pool = new Pool({ connectionString: database.place, max: 10 });
    const joined: string[][] = [];
    const storage = createPostgresStorage({
      pool,
      joinCommit: async (commits) =>
        void joined.push(commits.map(({ change, stored = [] }) => (change ?? stored[0])?.document.issuerId ?? '')),
    });
    await storage.migrate();
    const batches = Array.from({ length: 30 }, () => sampleBatch(1));
    await Promise.all(batches.map((batch) => storage.storeDocuments(batch)));
    const change = ({ documents }: (typeof batches)[number]) => {
      const { document } = documents[0] ?? never();
      return storage.changeDocument({ document, set: {}, events: [], responses: [], at: document.createdAt });
    };
    expect(new Set(await Promise.all(batches.map(change)))).toEqual(new Set(['applied']));
    expect(joined.map(({ length }) => length)).toEqual([30, 30]);
    for (const issuerIds of joined) expect(issuerIds).toEqual(issuerIds.toSorted());
    await pool.end();
    await database.remove();
  });
});

describe.skipIf(postgres?.missing)('shared commits of PostgreSQL in trouble', () => {
  it.each([
    { name: 'a connection that is lost before the commit', losing: 'before' },
    { name: 'an answer to the commit that is lost', losing: 'after' },
  ])('each write is applied once, with the right outcome, after $name', async ({ losing }) => {
    const database = (await postgres?.create()) ?? never();
    const sound = await database.open();
    const pool = new Pool({ connectionString: database.place, max: 1 });
    let lost = 0;
    let isArmed = false;
    pool.on('connect', (client) => {
      const query = client.query.bind(client);
      Object.assign(client, {
        async query(config: { text?: string } | string, ...rest: unknown[]) {
          const strikes = isArmed && lost === 0 && typeof config !== 'string' && config.text === 'commit';
          if (strikes) lost += 1;
          const broken = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
          if (strikes && losing === 'before') {
            await Reflect.apply(query, client, ['rollback']);
            throw broken;
          }
          const result = await Reflect.apply(query, client, [config, ...rest]);
          if (strikes) throw broken;
          return result;
        },
      });
    });
    const { createPostgresStorage } = await import('../postgres/postgres.js');
    const unlucky = createPostgresStorage({ pool });
    const batch = sampleBatch(1, 20);
    await unlucky.storeDocuments(batch);
    const changes = batch.documents.map(({ document }, index) => ({
      document: index === 5 ? { ...document, revision: 9 } : document,
      set: { status: 'VOIDED' as const },
      events: [
        { id: randomUUID(), eventType: 'E', fromStatus: null, toStatus: null, detail: null, createdAt: new Date() },
      ],
      responses: [],
      at: new Date(),
    }));
    isArmed = true;
    const outcomes = await Promise.all(changes.map((each) => unlucky.changeDocument(each)));
    expect(lost).toBe(1);
    expect(outcomes).toEqual(changes.map((_, index) => (index === 5 ? 'stale' : 'applied')));
    const figures = await sound.documentFigures(batch.counter);
    expect(figures.map(({ status, count }) => [status, count])).toEqual([
      ['SIGNED', 1],
      ['VOIDED', 19],
    ]);
    const { rows } = await sql<{ events: number }>`select cast(count(*) as integer) as events from sri_events`.execute(
      sound.kysely,
    );
    expect(rows).toEqual([{ events: 39 }]);
    await pool.end();
    await database.remove();
  });
});

function sampleJob(dueAt: Date | null): Job {
  return { operation: 'SEND', status: 'PENDING', dueAt, attemptCount: 2, lastError: 'e', unconfirmed: true };
}

function never(): never {
  throw new Error('The test is set up wrongly.');
}
