import type { Database } from 'better-sqlite3';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/**
 * The part of a database that Kysely uses. It keeps prepared statements: compiling took longer than running most queries.
 */
export function cacheStatements(database: Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const statement: SqliteStatement = database.prepare<unknown[]>(sql);
      // A change of the schema runs once, and invalidates prepared statements.
      if (/^\s*(create|alter|drop)\b/i.test(sql)) {
        statements.clear();
        return statement;
      }
      if (statements.size >= MOST_STATEMENTS) {
        const oldest = statements.keys().next();
        if (!oldest.done) statements.delete(oldest.value);
      }
      statements.set(sql, statement);
      return statement;
    },
  };
}

// --- internal ---

const MOST_STATEMENTS = 300;
