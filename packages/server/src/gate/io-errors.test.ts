import BetterSqlite from 'better-sqlite3';
import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { checkInvariants } from '../ops/invariants/check-invariants.js';
import { watchPostgres, watchSqlite } from '../testing/chaos/watched-drivers.js';
import { partsOf } from '../testing/invariant-suite.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';
import { registerTenant, type ShownDocument, SIMPLE_INVOICE } from '../testing/test-tenant.js';

/** The errors of the databases for a faulty disk, or a full one. */
const TROUBLE = [
  { name: 'a failing disk', sqlite: 'SQLITE_IOERR_WRITE', postgres: '58030' },
  { name: 'a full disk', sqlite: 'SQLITE_FULL', postgres: '53100' },
] as const;

/** The fewest statements of a create: PostgreSQL stores a whole document in one statement. */
const FEWEST = { sqlite: 12, postgres: 7 };

/** The statement, counted from 1, from which the database fails; null for none. */
let failing: { readonly at: number; readonly error: Error } | null = null;
let statements = 0;
const refuse = ({ moment }: { readonly moment: 'before' | 'after' }) => {
  if (!failing || moment !== 'before') return;
  statements += 1;
  if (statements === failing.at) throw failing.error;
};
watchSqlite(refuse);
watchPostgres(refuse);

describeOnDatabases('a create', await databaseKinds(), (open, databaseName) => {
  it.each(TROUBLE)('a create that meets $name at any statement stores nothing, and succeeds later', async (trouble) => {
    const server = await open();
    const tenant = await registerTenant(server);
    const error =
      databaseName === 'SQLite'
        ? new BetterSqlite.SqliteError('trouble', trouble.sqlite)
        : Object.assign(new DatabaseError('trouble', 7, 'error'), { code: trouble.postgres });
    const create = async (idempotencyKey: string) => {
      const response = await server.request('/v1/documents', {
        method: 'POST',
        headers: { ...tenant.headers, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(SIMPLE_INVOICE),
      });
      const { document } = (await response.json()) as { document?: ShownDocument };
      return { status: response.status, retryAfter: response.headers.get('retry-after'), number: document?.sequential };
    };
    expect(await create('first')).toMatchObject({ status: 201, number: '000000001' });
    let stored = 1;
    for (let at = 1; ; at += 1) {
      statements = 0;
      failing = { at, error };
      const reported = await create(`statement ${at}`);
      const wasReached = statements >= at;
      failing = null;
      if (!wasReached) {
        expect(reported.status).toBe(201);
        expect(at).toBeGreaterThan(FEWEST[databaseName === 'SQLite' ? 'sqlite' : 'postgres']);
        break;
      }
      expect(reported, `statement ${at}`).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
      const listed = await server.request('/v1/documents?limit=1', { headers: tenant.headers });
      expect(await listed.json()).toMatchObject({ pagination: { total: stored } });
      stored += 1;
      const number = String(stored).padStart(9, '0');
      expect(await create(`statement ${at}`), `after statement ${at}`).toMatchObject({ status: 201, number });
    }
    expect(await checkInvariants(partsOf(server))).toEqual([]);
  });
});
