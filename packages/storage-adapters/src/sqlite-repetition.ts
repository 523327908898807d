import { CompiledQuery } from 'kysely';

/** A statement to be run once for each row of values. */
export interface RepeatedQuery extends CompiledQuery {
  readonly repetitions: readonly (readonly unknown[])[];
}

/**
 * A statement that SQLite runs for one row after another. It is compiled once, whatever the number of rows; and handing
 * over a row costs less than writing it into a longer statement.
 */
export function repeatedQuery(sql: string, repetitions: RepeatedQuery['repetitions']): RepeatedQuery {
  return { ...CompiledQuery.raw(sql), repetitions };
}

/** Whether a query is to be repeated. */
export function isRepeated(query: CompiledQuery): query is RepeatedQuery {
  return 'repetitions' in query;
}
