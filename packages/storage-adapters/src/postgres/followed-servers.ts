import type { ClientConfig, Client as PgClient, Pool as PgPool, PoolClient, PoolConfig } from 'pg';
import { poolInSchema } from './postgres-schema.js';
import { parseServerAddress } from './server-address.js';

/**
 * Creates a pool for an address with one host or several. With several, each new connection goes to the host that takes
 * writes, the last good one first. Once a connection was dropped, or another host takes the writes, all earlier connections
 * are replaced.
 *
 * @param address as `parseServerAddress` reads it. Behind PgBouncer the session's `statement_timeout` and
 * `idle_in_transaction_session_timeout` are left out, and the schema is that of the account (`alter role … set search_path`);
 * give `createPostgresStorage` also `preparedStatements: false`.
 * @param options of pg's pool, and the schema of all tables: give `createPostgresStorage` the same one.
 * @throws ServerAddressError; SchemaUnusableError for a name that breaks the rule.
 */
export async function openPostgresPool(
  address: string,
  { schema, ...options }: PoolConfig & { readonly schema?: string } = {},
): Promise<PgPool> {
  const { hosts: places, pgbouncer } = parseServerAddress(address);
  const { Client, Pool } = await import('pg');
  const { statement_timeout: _, idle_in_transaction_session_timeout: __, ...stateless } = options;
  const within = schema === undefined || pgbouncer ? [] : places.map((place) => poolInSchema(place, schema));
  const hosts = within.length > 0 ? within.map(({ connectionString }) => connectionString) : places;
  const given = { ...(pgbouncer ? stateless : options), ...(within[0] && { options: within[0].options }) };
  const [first] = hosts;
  if (hosts.length === 1) return new Pool({ ...given, connectionString: first });

  /** The host of the last good connection, the host to try next, and the generation of usable connections. */
  const followed = { good: first, next: first, generation: 0 };

  class FollowingClient extends Client {
    readonly address = followed.next;
    generation = 0;

    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: followed.next });
      // A connection may break between its start and its first query.
      this.on('error', () => {});
    }

    override connect(): Promise<PgClient>;
    override connect(done: (error: Error) => void): void;
    override connect(done?: (error: Error) => void): Promise<PgClient> | undefined {
      const connected = this.#connectToWritable();
      if (!done) return connected;
      connected.then(() => Reflect.apply(done, null, []), done);
      return undefined;
    }

    async #connectToWritable(): Promise<PgClient> {
      try {
        await super.connect();
        const { rows } = await this.query<{ transaction_read_only: string }>('show transaction_read_only');
        if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyServer();
        if (followed.good !== this.address) followed.generation += 1;
        followed.good = this.address;
        followed.next = this.address;
        this.generation = followed.generation;
        return this;
      } catch (error) {
        this.end().catch(() => {});
        // Another connection may have moved on already.
        if (followed.next === this.address) followed.next = after(hosts, this.address);
        throw error;
      }
    }
  }

  class FollowingPool extends Pool {
    constructor(config: PoolConfig) {
      super(config);
      this.on('release', (dropped: unknown, client) => {
        if (dropped && generationOf(client) === followed.generation) followed.generation += 1;
      });
    }

    override connect(): Promise<PoolClient>;
    override connect(done: Connected): void;
    override connect(done?: Connected): Promise<PoolClient> | undefined {
      const connected = this.#connectToWritable();
      if (!done) return connected;
      connected.then(
        (client) => done(undefined, client, (error) => client.release(error)),
        (error: Error) => done(error, undefined, () => {}),
      );
      return undefined;
    }

    async #connectToWritable(): Promise<PoolClient> {
      for (let tried = 1; ; ) {
        const { next } = followed;
        try {
          const client = await super.connect();
          if (generationOf(client) === followed.generation) return client;
          client.release(true);
        } catch (error) {
          // A failure that selects no other host comes from the pool itself.
          if (tried === hosts.length || followed.next === next) throw error;
          tried += 1;
        }
      }
    }
  }

  return new FollowingPool({ ...given, Client: FollowingClient });
}

// --- internal ---

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: (error?: boolean) => void) => void;

/** The host is a standby, or was made read-only. */
class ReadOnlyServer extends Error {
  /** PostgreSQL's own code of a server that cannot be used yet (`cannot_connect_now`): the storage tries again. */
  readonly code = '57P03';

  constructor() {
    super('No server of the address takes writes.');
  }
}

function after(hosts: readonly string[], address: string): string {
  return hosts[(hosts.indexOf(address) + 1) % hosts.length] ?? address;
}

function generationOf(client: object): unknown {
  return Reflect.get(client, 'generation');
}
