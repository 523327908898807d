/**
 * The first SQLite without the faults published up to November 2026. They need statements or files of strangers, which
 * cannot get in here; an old version still shows that updates are missing.
 */
export const SAFE_SQLITE = '3.54.1';

/** Whether a version of SQLite, such as `3.54.1`, is a given version or later. */
export function isSafeSqlite(version: string): boolean {
  const [own, safe] = [version, SAFE_SQLITE].map((text) => text.split('.').map(Number));
  for (let part = 0; part < 3; part += 1) {
    const difference = (own?.[part] ?? 0) - (safe?.[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
