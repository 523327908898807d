/**
 * The first SQLite without the faults that were published up to November 2026. They need statements or files of
 * strangers, which nobody can bring here; an old one is still a sign that nobody brings things up to date.
 */
export const SAFE_SQLITE = '3.54.1';

/** Whether a version of SQLite, such as `3.54.1`, is that one or a later one. */
export function isSafeSqlite(version: string): boolean {
  const [own, safe] = [version, SAFE_SQLITE].map((text) => text.split('.').map(Number));
  for (let part = 0; part < 3; part += 1) {
    const difference = (own?.[part] ?? 0) - (safe?.[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
