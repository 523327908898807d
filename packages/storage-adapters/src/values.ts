/** Sorts before every UUID; the start of a walk along ids. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** A moment from its column. */
export function toDate(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}

/** Free text that every database can store: PostgreSQL has no NUL. */
export function toStorableText(text: string | null): string | null {
  return text?.replaceAll('\0', '\uFFFD') ?? null;
}

/** Cuts rows into parts whose parameters fit one statement. */
export function* inBatches<Row extends object>(rows: readonly Row[], maxParameters: number): Generator<Row[]> {
  const columns = Math.max(1, Object.keys(rows[0] ?? {}).length);
  const size = Math.floor(maxParameters / columns);
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}
