import { type RawBuilder, sql } from 'kysely';
import type { Storage } from 'sri-core';
import type { ServerDatabase, Tables } from '../../platform/database/tables.js';
import type { Vault } from '../../platform/secrets/vault.js';

/** A stored state that should not be possible. Names rows by their ids and shows none of their content. */
export interface Violation {
  /** Words in kebab-case: `document-has-its-job`. */
  readonly invariant: string;
  /** The object that breaks it: a table's word and an id. */
  readonly object: string;
  readonly explanation: string;
}

/** The inputs of a check. It writes nothing. */
export interface InvariantDeps {
  readonly database: Pick<ServerDatabase, 'read'>;
  readonly storage: Pick<Storage, 'readContents'>;
  /** Opens secrets to check them; null skips those checks. */
  readonly vault: Vault | null;
  /** The number of signatures to verify, spread over all documents, or `all` of them. */
  readonly signatures: number | 'all';
  /** Whether every notification is still there. On a server in use they end, or accounts remove them. */
  readonly keepsNotifications: boolean;
}

/** The report of a row that breaks an invariant. */
export interface BrokenRow {
  readonly object: string;
  readonly explanation: string;
}

/**
 * A property of stored data that holds whatever happened to the servers. Each statement of a check reads one snapshot,
 * so that it may run while servers work.
 */
export interface Invariant {
  readonly name: string;
  /** Rows that break it, at most `limit` of them. */
  find(parts: InvariantDeps, limit: number): Promise<readonly BrokenRow[]>;
}

/** An invariant decided by one query: the query returns the rows that break it, with the columns of `BrokenRow`. */
export function decidedBy(name: string, query: RawBuilder<BrokenRow>): Invariant {
  return { name, find: ({ database }, limit) => database.read((tables) => firstOf(tables, query, limit)) };
}

/** A concatenation of texts and columns of the query. */
export function phrase(...parts: readonly (string | RawBuilder<unknown>)[]): RawBuilder<string> {
  const texts = parts.map((part) =>
    typeof part === 'string' ? sql`cast(${part} as text)` : sql`coalesce(cast(${part} as text), 'nothing')`,
  );
  return sql<string>`${sql.join(texts, sql` || `)}`;
}

// --- internal ---

async function firstOf(tables: Tables, query: RawBuilder<BrokenRow>, limit: number): Promise<readonly BrokenRow[]> {
  const found = sql<BrokenRow>`select object, explanation from (${query}) as broken order by object limit ${limit}`;
  return (await found.execute(tables)).rows;
}
