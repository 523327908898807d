import type { ServerDatabase, Tables } from './tables.js';

/**
 * Deletes rows part by part, so that other writes proceed and the event loop has its turns.
 * @param drop deletes at most `limit` rows, and returns how many it found.
 */
export async function dropInParts(
  database: ServerDatabase,
  signal: AbortSignal,
  drop: (tables: Tables, limit: number) => Promise<number>,
): Promise<void> {
  let dropped = MOST_ROWS;
  while (dropped === MOST_ROWS && !signal.aborted) {
    dropped = await database.transaction((tables) => drop(tables, MOST_ROWS));
  }
}

// --- internal ---

const MOST_ROWS = 100;
