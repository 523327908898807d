import { createHash } from 'node:crypto';

/** Names statements that a connection prepares once instead of planning them at every call. */
export interface StatementNames {
  /** The name under which to prepare a statement; undefined for one that is better planned each time. */
  nameOf(sql: string, parameterCount: number): string | undefined;
}

/**
 * Prepared are the statements that write, or read by a key: for these, planning took longer than running (looking a
 * document up became two to three times as fast, changing one a half faster). Not prepared are
 * - searches and counts, whose best plan depends on how much the issuer has;
 * - `select *`, which breaks when a migration adds a column while an older process is running;
 * - large batches and lists of keys, each size of which would be kept by every connection.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  return {
    nameOf(sql, parameterCount) {
      if (parameterCount === 0 || parameterCount > MOST_PARAMETERS) return undefined;
      const known = names.get(sql);
      if (known !== undefined) return known;
      if (names.size >= MOST_NAMES || isSearch(sql) || isList(sql)) return undefined;
      // Made from the text, so that storages that share a pool agree on it.
      const name = `sri_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
      names.set(sql, name);
      return name;
    },
  };
}

// --- internal ---

/** Rows that are locked are found by their keys; they are in order only so that nobody locks them in another. */
function isSearch(sql: string): boolean {
  return /\*|^\s*with recursive\b/.test(sql) || (/\border by\b/.test(sql) && !/\bfor no key update$/.test(sql));
}

/** Whether the text depends on how many keys there are. */
function isList(sql: string): boolean {
  return /\bin \(\$\d+, /.test(sql);
}

/** A batch of documents and all that is stored with them takes some 60, an array for each column. */
const MOST_PARAMETERS = 100;
const MOST_NAMES = 200;
