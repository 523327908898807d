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

/** A text within a pattern of LIKE, whose escape is `!`: PostgreSQL may be set to read a backslash in SQL as an escape. */
export function literal(part: string): string {
  return part.replace(/[!%_]/g, '!$&');
}
