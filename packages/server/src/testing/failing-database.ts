import { type KyselyPlugin, sql } from 'kysely';
import type { ServerDatabase } from '../platform/database/tables.js';

/** A database that refuses one statement. */
export interface FailingDatabase extends ServerDatabase {
  /** The number of statements that transactions have sent so far. */
  readonly statements: number;
}

/**
 * The same database, except that within transactions an invalid statement replaces the statement of that number,
 * counted from 1. The commit counts as the last statement.
 */
export function failingDatabase(database: ServerDatabase, failingStatement: number): FailingDatabase {
  let statements = 0;
  const count: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return statements === failingStatement ? sql`select * from there_is_no_such_table`.toOperationNode() : node;
    },
    transformResult: async ({ result }) => result,
  };
  return {
    ...database,
    get statements() {
      return statements;
    },
    transaction: (work) =>
      database.transaction(async (tables) => {
        const result = await work(tables.withPlugin(count));
        statements += 1;
        if (statements === failingStatement) throw new Error('The commit failed.');
        return result;
      }),
  };
}
