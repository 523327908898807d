/** Whether every value is tried on every database: `BAD_INPUT=full`. */
export const TRIES_ALL = process.env['BAD_INPUT'] === 'full';

/** Every `share`-th entry of a list. The seed varies the start, so that many lists together cover each entry. */
export function oneIn<T>(share: number, list: readonly T[], seed: string): readonly T[] {
  if (TRIES_ALL) return list;
  const first = [...seed].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % share;
  return list.filter((_, index) => index % share === first);
}

/** The sample for a database: one in three on SQLite, which answers fast; one in twelve on others. */
export function sampleOn(database: string): <T>(list: readonly T[], seed: string) => readonly T[] {
  return (list, seed) => oneIn(database === 'SQLite' ? 3 : 12, list, seed);
}
