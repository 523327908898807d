import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DialectTraits } from './traits.js';

/**
 * Whether a column has one of the values. The text is the same for any number of values, so that it is prepared once.
 *
 * @param type the type of the column.
 */
export function isOneOf(
  { takesArrays }: Pick<DialectTraits, 'takesArrays'>,
  column: string,
  values: readonly (string | number)[],
  type: 'text' | 'uuid' | 'integer' = 'text',
): RawBuilder<SqlBool> {
  return takesArrays
    ? sql`${sql.ref(column)} = any (cast(${values} as ${sql.raw(type)}[]))`
    : sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`;
}
