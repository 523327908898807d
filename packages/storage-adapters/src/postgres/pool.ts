import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { AppliedStep, MigrationFence } from '../migrations/migration-fence.js';
import { requireSchema } from './postgres-schema.js';
import type { StatementNames } from './statements.js';

/**
 * The part of a pool that Kysely uses.
 *
 * - It reads `bigint` as a number, which all columns fit. The parsers of the caller's queries stay unchanged.
 * - A broken connection does not end the process: the query on it reports the failure.
 * - It drops a connection after `query_timeout`: the next query on it would wait as long again.
 * - It drops a connection whose server became read-only: the next one may go to another host. A caller that only reads
 *   keeps it.
 * - It discards the plans of a connection when they are old.
 *
 * @param names the names of prepared statements; null prepares none.
 * @param options.fence checks the steps of the schema in each transaction; null checks none.
 * @param options.schema each new connection is checked once to work in it; null checks none.
 * @param options.readOnly true makes the server reject every write in a transaction.
 */
export function watchPool(
  pool: Pool,
  names: Names | null,
  {
    fence = null,
    schema = null,
    readOnly = false,
  }: { readonly fence?: MigrationFence | null; readonly schema?: string | null; readonly readOnly?: boolean } = {},
): PostgresPool {
  pool.on('error', ignore);
  // Registered at once: a waiting caller gets the connection a turn later, when it may have ended already.
  pool.on('connect', (client) => client.on('error', ignore));
  const watched = new WeakMap<PoolClient, WatchedClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        if (error instanceof Error) ofConnecting.add(error);
        throw error;
      });
      const known = watched.get(client);
      if (known) {
        known.planAnew();
        return known;
      }
      client.on('error', ignore);
      if (schema !== null) {
        await requireSchema(client, schema).catch((error: unknown) => {
          client.release(true);
          throw error;
        });
      }
      const wrapped = new WatchedClient(client, names, fence, readOnly);
      watched.set(client, wrapped);
      return wrapped;
    },
  };
}

/** Whether a failure came from the pool instead of a connection: a missing socket, TLS, no free connection in time. */
export function isOfConnecting(error: unknown): boolean {
  return error instanceof Error && ofConnecting.has(error);
}

// --- internal ---

const ofConnecting = new WeakSet<Error>();

type Names = Pick<StatementNames, 'nameOf'>;

/** How Kysely begins a transaction. */
const BEGIN = 'begin';

/** Statements wait for each other's rows, whatever isolation the database or the role has by default. */
const BEGIN_COMMITTED = 'begin isolation level read committed';

/** Before the first migration the table does not exist. */
const FIND_STEPS = `select to_regclass('sri_migrations') is not null as there`;
const COUNT_STEPS = 'select count(*) as steps from sri_migrations';

/** OID of `bigint`, in which `count(*)` answers as well. */
const BIGINT = 20;

/**
 * The lifetime of plans: the age of their connection when they were made, within these bounds. PostgreSQL keeps a plan until
 * it analyzes the table, for a minute or more. A plan of an empty table then scanned ten thousand documents per commit.
 * Discarding all plans every five seconds cost up to 12 % of the creates.
 */
const PLANS_MS = { first: 5_000, most: 60_000 };

/** The message of pg after `query_timeout`. */
const SILENT = 'Query read timeout';

/** The code of a write that a standby or a read-only server rejects. */
const READ_ONLY = '25006';

class WatchedClient implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #names: Names | null;
  readonly #fence: MigrationFence | null;
  readonly #onlyReads: boolean;
  readonly #begins: string;
  readonly #types: { getTypeParser: PoolClient['getTypeParser'] };
  #isSilent = false;
  /** Whether the server became read-only, for a caller that writes. */
  #isReadOnly = false;
  /** Whether the table of steps exists. It is never dropped. */
  #hasSteps = false;
  readonly #openedAt = performance.now();
  /** When its plans are discarded next, by the clock of the process. */
  #planAnewAt = this.#openedAt + PLANS_MS.first;

  constructor(client: PoolClient, names: Names | null, fence: MigrationFence | null, readOnly: boolean) {
    this.#client = client;
    this.#onlyReads = readOnly;
    this.#begins = readOnly ? `${BEGIN_COMMITTED} read only` : BEGIN_COMMITTED;
    this.#names = names;
    this.#fence = fence;
    this.#types = { getTypeParser: (oid, format) => (oid === BIGINT ? Number : client.getTypeParser(oid, format)) };
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    sql: string | PostgresCursor<R>,
    parameters?: readonly unknown[],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof sql !== 'string') throw new TypeError('Streaming queries are not set up.');
    // Above all a rollback: the server undoes the transaction of a lost connection.
    if (this.#isSilent) return Promise.reject(new Error(SILENT));
    if (sql === BEGIN) return typed(this.#fence ? this.#begin(this.#fence) : this.#send(this.#begins, []));
    return this.#send(sql, parameters ?? []);
  }

  #send<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const values = [...parameters];
    const name = this.#names?.nameOf(sql, values.length);
    const result = this.#client.query({ ...(name && { name }), text: sql, values, types: this.#types });
    // pg does not know the type of a row; Kysely does.
    return typed(
      result.catch((error: unknown) => {
        if (error instanceof Error && error.message === SILENT) this.#isSilent = true;
        if (error instanceof Error && 'code' in error && error.code === READ_ONLY) this.#isReadOnly = !this.#onlyReads;
        throw error;
      }),
    );
  }

  /**
   * Begins a transaction and counts the steps of the schema, in one message. A migration waits for these transactions, and
   * they wait for a running migration.
   */
  async #begin(fence: MigrationFence): Promise<unknown> {
    try {
      const begun: unknown = await this.#send(`${this.#begins}; ${this.#hasSteps ? COUNT_STEPS : FIND_STEPS}`, []);
      const [, found] = begun as readonly PostgresQueryResult<{ there?: boolean; steps?: number }>[];
      const { there = false, steps = null } = found?.rows[0] ?? {};
      this.#hasSteps ||= there;
      if (this.#hasSteps && !fence.isJudged(steps)) {
        fence.judge((await this.#send<AppliedStep>('select namespace, name from sri_migrations', [])).rows);
      }
      return found;
    } catch (error) {
      await this.#send('rollback', []).catch(ignore);
      throw error;
    }
  }

  /**
   * Discards the plans of prepared statements when they are old. Called between transactions; the next query waits for it. A
   * database without that statement is asked once.
   */
  planAnew(): void {
    const now = performance.now();
    if (this.#names === null || now < this.#planAnewAt) return;
    this.#planAnewAt = now + Math.min(now - this.#openedAt, PLANS_MS.most);
    this.query('discard plans', []).catch(() => {
      this.#planAnewAt = Number.POSITIVE_INFINITY;
    });
  }

  /** The pool replaces the client's release function at each use, so it is looked up at the call. */
  release(destroy?: boolean): void {
    this.#client.release(destroy || this.#isSilent || this.#isReadOnly);
  }
}

function typed<R>(result: Promise<unknown>): Promise<PostgresQueryResult<R>> {
  return result as Promise<PostgresQueryResult<R>>;
}

function ignore(): void {}
