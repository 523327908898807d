import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPostgresStorage } from '../postgres/postgres.js';
import { invoicesOf, sampleBatch } from '../testing/sample-batches.js';
import { findPostgres, type TestDatabase } from '../testing/test-databases.js';

const postgres = await findPostgres();

const JOB = {
  operation: 'SEND',
  status: 'PENDING',
  dueAt: null,
  attemptCount: 0,
  lastError: null,
  unconfirmed: false,
  running: false,
} as const;

describe.skipIf(postgres.missing)('a batch on PostgreSQL', () => {
  let database: TestDatabase;
  let pool: Pool;
  let others: Pool;

  beforeAll(async () => {
    database = await postgres.create();
    await database.open();
    // One connection, so that the test sees every statement.
    pool = new Pool({ connectionString: database.place, max: 1, application_name: 'store-documents' });
    others = new Pool({ connectionString: database.place });
  });
  afterAll(async () => {
    await others.end();
    await pool.end();
    await database.remove();
  });

  /** Resolves once the pool waits for a lock. */
  const waiting = () =>
    vi.waitFor(
      async () => {
        const { rows } = await others.query(`select 1 from pg_stat_activity
        where application_name = 'store-documents' and wait_event_type = 'Lock'`);
        expect(rows).toHaveLength(1);
      },
      { timeout: 10_000 },
    );

  it('a batch waits for the commit of the numbers before it, and is then written in one statement', async () => {
    const storage = createPostgresStorage({ pool });
    const counter = invoicesOf();
    await storage.storeDocuments(sampleBatch(1, 5, counter));
    const client = await pool.connect();
    client.release();
    const asked = vi.spyOn(client, 'query');
    const before = await others.connect();
    await before.query('begin');
    await before.query('update sri_sequentials set next_sequential = 11 where issuer_id = $1', [counter.issuerId]);

    const { documents } = sampleBatch(11, 3, counter);
    const withJobs = documents.map((added) => ({ ...added, document: { ...added.document, job: JOB } }));
    const storing = storage.storeDocuments({ counter, firstSequential: 11, documents: withJobs });
    await waiting();
    await before.query('commit');
    before.release();
    expect(await storing).toEqual({ kind: 'stored' });

    const statements = asked.mock.calls.map(([query]) => query as unknown as { readonly text: string });
    expect(
      statements.slice(statements.findIndex(({ text }) => /^begin [a-z ]*; select count/.test(text))),
    ).toMatchObject([
      { text: 'begin isolation level read committed; select count(*) as steps from sri_migrations' },
      { text: expect.stringContaining('sri_documents'), name: expect.stringContaining('sri_') },
      { text: expect.stringContaining('sri_figures'), name: expect.stringContaining('sri_') },
      { text: 'commit' },
    ]);
    expect(await storage.nextSequential(counter)).toBe(14);
    const { total } = await storage.listDocuments(counter, { page: 1, limit: 1 });
    expect(total).toBe(8);
  });
});
