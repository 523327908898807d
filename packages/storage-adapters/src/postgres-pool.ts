import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { AppliedStep, MigrationFence } from './migration-fence.js';
import type { StatementNames } from './postgres-statements.js';

/**
 * The part of a pool that Kysely uses. Reads `bigint` as a number, which all of our columns fit, without touching the
 * parsers of the caller's own queries; keeps a connection that breaks from ending the process, since the query that
 * needs it reports it anyway; throws away one whose answer did not come within the pool's `query_timeout`, on which
 * whatever came next would wait as long again; and has what is prepared on one planned anew once its plans are old.
 *
 * @param names how statements are prepared; null to prepare none.
 * @param fence looks at the steps of the schema within each transaction; null to look at none.
 */
export function watchPool(pool: Pool, names: StatementNames | null, fence: MigrationFence | null = null): PostgresPool {
  pool.on('error', ignore);
  // From its first moment on: whoever waits for it is told of it a turn later, and it may have been ended by then.
  pool.on('connect', (client) => client.on('error', ignore));
  const watched = new WeakMap<PoolClient, WatchedClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const known = watched.get(client);
      if (known) {
        known.planAnew();
        return known;
      }
      client.on('error', ignore);
      const wrapped = new WatchedClient(client, names, fence);
      watched.set(client, wrapped);
      return wrapped;
    },
  };
}

// --- internal ---

/** How Kysely begins a transaction. */
const BEGIN = 'begin';

/** Before the first migration there is no table to count. */
const FIND_STEPS = `select to_regclass('sri_migrations') is not null as there`;
const COUNT_STEPS = 'select count(*) as steps from sri_migrations';

/** OID of `bigint`, in which `count(*)` answers as well. */
const BIGINT = 20;

/**
 * How long plans are kept: as long as their connection had been open when they were made, within these bounds. PostgreSQL
 * keeps one until it next looks at the table, a minute or more: a plan made for an empty table went through all of ten
 * thousand documents for each commit by then. Making them all every five seconds took up to 12 % of the creates, and a table
 * that has grown for a minute is hardly larger five seconds later.
 */
const PLANS_MS = { first: 5_000, most: 60_000 };

/** What pg says when `query_timeout` is over. */
const SILENT = 'Query read timeout';

class WatchedClient implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #names: StatementNames | null;
  readonly #fence: MigrationFence | null;
  readonly #types: { getTypeParser: PoolClient['getTypeParser'] };
  #isSilent = false;
  /** Whether the table of steps is there, which stays. */
  #hasSteps = false;
  readonly #openedAt = performance.now();
  /** When its plans are next thrown away, by the process's own clock. */
  #planAnewAt = this.#openedAt + PLANS_MS.first;

  constructor(client: PoolClient, names: StatementNames | null, fence: MigrationFence | null) {
    this.#client = client;
    this.#names = names;
    this.#fence = fence;
    this.#types = {
      getTypeParser: (oid, format) => (oid === BIGINT ? Number : client.getTypeParser(oid, format)),
    };
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    sql: string | PostgresCursor<R>,
    parameters?: readonly unknown[],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof sql !== 'string') throw new TypeError('Streaming queries are not set up.');
    // A rollback above all: the server undoes what a lost connection had begun.
    if (this.#isSilent) return Promise.reject(new Error(SILENT));
    if (sql === BEGIN && this.#fence) return typed(this.#begin(this.#fence));
    return this.#send(sql, parameters ?? []);
  }

  #send<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const values = [...parameters];
    const name = this.#names?.nameOf(sql, values.length);
    const result = this.#client.query({ ...(name && { name }), text: sql, values, types: this.#types });
    // pg knows nothing of what a row holds; Kysely does, from the query it built.
    return typed(
      result.catch((error: unknown) => {
        if (error instanceof Error && error.message === SILENT) this.#isSilent = true;
        throw error;
      }),
    );
  }

  /**
   * Begins a transaction and counts the steps of the schema in it, in one message. A migration waits for those that have
   * counted them, and those that count meanwhile wait for the migration.
   */
  async #begin(fence: MigrationFence): Promise<unknown> {
    try {
      const begun: unknown = await this.#send(`${BEGIN}; ${this.#hasSteps ? COUNT_STEPS : FIND_STEPS}`, []);
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
   * Throws the plans of prepared statements away once they are old. To be called between transactions; what is asked next
   * waits behind it. A database that knows no such statement is asked once.
   */
  planAnew(): void {
    const now = performance.now();
    if (this.#names === null || now < this.#planAnewAt) return;
    this.#planAnewAt = now + Math.min(now - this.#openedAt, PLANS_MS.most);
    this.query('discard plans', []).catch(() => {
      this.#planAnewAt = Number.POSITIVE_INFINITY;
    });
  }

  /** The pool gives a client another release function at each turn, so it is looked up when it is called. */
  release(destroy?: boolean): void {
    this.#client.release(destroy || this.#isSilent);
  }
}

function typed<R>(result: Promise<unknown>): Promise<PostgresQueryResult<R>> {
  return result as Promise<PostgresQueryResult<R>>;
}

function ignore(): void {}
