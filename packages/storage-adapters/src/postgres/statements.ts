import { createHash } from 'node:crypto';
import type { Occupancy } from 'sri-core';

/** Names the statements that a connection prepares once instead of planning each call. */
export interface StatementNames {
  /** The name of the prepared statement; undefined for a statement that is planned at each call. */
  nameOf(sql: string, parameterCount: number): string | undefined;
  occupancy(): Occupancy;
}

/**
 * Statements that write, or read by key, are prepared: their planning took longer than their execution. A look-up became
 * two to three times as fast, a change a half faster. Not prepared:
 * - searches and counts, because their best plan depends on the size of the issuer;
 * - `select *`, which breaks when a migration adds a column while an older process runs;
 * - large batches, because each connection would keep every size. A list of keys is one array: see `ArrayListCompiler`.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  return {
    nameOf(sql, parameterCount) {
      if (parameterCount === 0 || parameterCount > MOST_PARAMETERS) return undefined;
      const known = names.get(sql);
      if (known !== undefined) return known;
      if (names.size >= MOST_NAMES || isSearch(sql)) return undefined;
      // A digest of the text, so that storages with one pool agree on it.
      const name = `sri_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
      names.set(sql, name);
      return name;
    },
    occupancy: () => ({ used: names.size, limit: MOST_NAMES }),
  };
}

// --- internal ---

/** `order by` in a write or before `for update` only fixes the lock order; it is no search. */
function isSearch(sql: string): boolean {
  return (
    /\*|^\s*with recursive\b/.test(sql) ||
    (/\border by\b/.test(sql) && !/\b(for no key update|insert into)\b/.test(sql))
  );
}

/** A batch of documents takes some 60 parameters, an array per column. */
const MOST_PARAMETERS = 100;
const MOST_NAMES = 200;
