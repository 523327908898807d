import type { Kysely, Transaction } from 'kysely';
import type { Environment } from 'sri-core';
import type { CoreTables } from './sql/schema.js';

/** The state of a host, with its revision. */
export interface NotedState {
  readonly state: string;
  readonly revision: number;
}

export async function readHostState(db: Kysely<CoreTables>, environment: Environment): Promise<NotedState | null> {
  const row = await db
    .selectFrom('sri_hosts')
    .select(['state', 'revision'])
    .where('environment', '=', environment)
    .executeTakeFirst();
  return row ?? null;
}

/** @returns false when the state has another revision. */
export async function changeHostState(
  transaction: Transaction<CoreTables>,
  environment: Environment,
  { state, revision }: NotedState,
): Promise<boolean> {
  if (revision === 0) {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('sri_hosts')
      .values({ environment, state, revision: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }
  const { numUpdatedRows } = await transaction
    .updateTable('sri_hosts')
    .set({ state, revision: revision + 1 })
    .where('environment', '=', environment)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
