import { CompiledQuery } from 'kysely';

/** A statement that runs once per row of values. */
export interface RepeatedQuery extends CompiledQuery {
  readonly repetitions: readonly (readonly unknown[])[];
}

/**
 * A statement that SQLite runs for one row after another. It is compiled once for any number of rows, and binding a row is
 * cheaper than a longer statement.
 */
export function repeatedQuery(sql: string, repetitions: RepeatedQuery['repetitions']): RepeatedQuery {
  return { ...CompiledQuery.raw(sql), repetitions };
}

/** Whether a query is such a statement. */
export function isRepeated(query: CompiledQuery): query is RepeatedQuery {
  return 'repetitions' in query;
}
