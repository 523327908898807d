import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Scope } from 'sri-core';
import type { DialectTraits } from './traits.js';

/**
 * Documents of a scope, for who goes along their numbers or looks for an order: those indexes may hold a number for the
 * scope in place of its names.
 *
 * @param table what the query calls the documents.
 */
export function inNumberedScope(
  { numberOf }: Pick<DialectTraits, 'numberOf'>,
  { issuerId, environment }: Scope,
  table = 'sri_documents',
): RawBuilder<SqlBool> {
  const columns = [sql.ref(`${table}.issuer_id`), sql.ref(`${table}.environment`)] as const;
  const isIt = sql<SqlBool>`${columns[0]} = ${issuerId} and ${columns[1]} = ${environment}`;
  if (!numberOf) return isIt;
  const given = numberOf(sql`${`${issuerId}${BETWEEN}${environment}`}`);
  // Another scope may share the number. Compared in a way from which a planner does not conclude that far fewer match.
  return sql`${numberOf(named(...columns))} = ${given} and case when ${isIt} then true else false end`;
}

/** The number of a document's own scope, as an index holds it; null where none does. */
export function scopeNumberOfRow({ numberOf }: Pick<DialectTraits, 'numberOf'>): RawBuilder<unknown> | null {
  return numberOf?.(named(sql`issuer_id`, sql`environment`)) ?? null;
}

// --- internal ---

const BETWEEN = ' ';

function named(issuer: RawBuilder<unknown>, environment: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${issuer} || ${sql.lit(BETWEEN)} || ${environment}`;
}
