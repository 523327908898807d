import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DialectTraits } from './traits.js';

/**
 * Whether a column of text has one of the values. The text of the statement says nothing of how many there are, so that
 * it is prepared once.
 */
export function isOneOf(
  { takesArrays }: Pick<DialectTraits, 'takesArrays'>,
  column: string,
  values: readonly string[],
): RawBuilder<SqlBool> {
  return takesArrays
    ? sql`${sql.ref(column)} = any (cast(${values} as text[]))`
    : sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`;
}
