import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';

/**
 * The part of a pool that Kysely uses. Reads `bigint` as a number, which all of our columns fit, without touching the
 * parsers of the caller's own queries; and keeps a connection that breaks from ending the process, since the query that
 * needs it reports it anyway.
 */
export function watchPool(pool: Pool): PostgresPool {
  pool.on('error', ignore);
  const watched = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const known = watched.get(client);
      if (known) return known;
      client.on('error', ignore);
      const wrapped = new WatchedClient(client);
      watched.set(client, wrapped);
      return wrapped;
    },
  };
}

// --- internal ---

/** OID of `bigint`, in which `count(*)` answers as well. */
const BIGINT = 20;

class WatchedClient implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #types: { getTypeParser: PoolClient['getTypeParser'] };

  constructor(client: PoolClient) {
    this.#client = client;
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
    const result = this.#client.query({ text: sql, values: [...(parameters ?? [])], types: this.#types });
    // pg knows nothing of what a row holds; Kysely does, from the query it built.
    return result as Promise<unknown> as Promise<PostgresQueryResult<R>>;
  }

  /** The pool gives a client another release function at each turn, so it is looked up when it is called. */
  release(destroy?: boolean): void {
    this.#client.release(destroy);
  }
}

function ignore(): void {}
