import { type RawBuilder, sql } from 'kysely';
import type { Storage } from 'sri-core';
import type { ServerDatabase, Tables } from '../../platform/database/tables.js';
import type { Vault } from '../../platform/secrets/vault.js';

/** Something stored that should not be possible. Names rows by their ids and says nothing of what they hold. */
export interface Violation {
  /** Words in kebab-case: `document-has-its-job`. */
  readonly invariant: string;
  /** What breaks it: a table's word and an id. */
  readonly object: string;
  readonly explanation: string;
}

/** What a check may look at. It writes nothing. */
export interface InvariantParts {
  readonly database: Pick<ServerDatabase, 'read'>;
  readonly storage: Pick<Storage, 'readContents'>;
  /** Opens what is sealed, to see whether it opens; null leaves that out. */
  readonly vault: Vault | null;
  /** How many documents' signatures are verified: that many, spread over all of them, or every one. */
  readonly signatures: number | 'all';
}

/** What is told of a row that breaks an invariant. */
export interface BrokenRow {
  readonly object: string;
  readonly explanation: string;
}

/**
 * Something that holds of what is stored, whatever happened to the servers. Each statement of a check sees one moment, so
 * that it may be made while servers work.
 */
export interface Invariant {
  readonly name: string;
  /** Rows that break it, at most `limit` of them. */
  find(parts: InvariantParts, limit: number): Promise<readonly BrokenRow[]>;
}

/** An invariant that one query decides: it gives the rows that break it, with the columns of `BrokenRow`. */
export function decidedBy(name: string, query: RawBuilder<BrokenRow>): Invariant {
  return {
    name,
    find: ({ database }, limit) => database.read((tables) => firstOf(tables, query, limit)),
  };
}

/** Texts behind one another, each a text or a column of the query. */
export function told(...parts: readonly (string | RawBuilder<unknown>)[]): RawBuilder<string> {
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
