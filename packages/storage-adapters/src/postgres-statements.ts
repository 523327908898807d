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
 * - large batches, each size of which would be kept by every connection.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  return {
    nameOf(sql, parameterCount) {
      if (parameterCount === 0 || parameterCount > MOST_PARAMETERS) return undefined;
      const known = names.get(sql);
      if (known !== undefined) return known;
      if (names.size >= MOST_NAMES || /\*|\border by\b|^\s*with\b/.test(sql)) return undefined;
      // Made from the text, so that storages that share a pool agree on it.
      const name = `sri_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
      names.set(sql, name);
      return name;
    },
  };
}

// --- internal ---

/** Two documents in one statement. */
const MOST_PARAMETERS = 64;
const MOST_NAMES = 200;
