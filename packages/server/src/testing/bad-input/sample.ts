/** Whether everything is tried on every database: `BAD_INPUT=full`. */
export const TRIES_ALL = process.env['BAD_INPUT'] === 'full';

/** One in so many of a list, another one for every `seed`, so that over many lists each entry gets its turn. */
export function oneIn<T>(share: number, list: readonly T[], seed: string): readonly T[] {
  if (TRIES_ALL) return list;
  const first = [...seed].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % share;
  return list.filter((_, index) => index % share === first);
}

/** What of a list is tried on a database: one in three on SQLite, which answers fast; on others one in twelve. */
export function sampleOn(database: string): <T>(list: readonly T[], seed: string) => readonly T[] {
  return (list, seed) => oneIn(database === 'SQLite' ? 3 : 12, list, seed);
}
