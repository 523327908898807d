import { type RawBuilder, sql } from 'kysely';
import { type DataLocation, withDatabase } from './chaos-tenant.js';
import type { ChaosDatabase } from './fault.js';

/** Every table, column and index of a place's database, and the migrations it went through, in one text. */
export async function dumpSchema(context: DataLocation & { readonly database: ChaosDatabase }): Promise<string> {
  const queries = [...QUERIES[context.database], sql`select namespace, name from sri_migrations order by 1, 2`];
  return withDatabase(context, ({ database }) =>
    database.read(async (tables) => {
      const parts = [];
      for (const query of queries) parts.push((await query.execute(tables)).rows);
      return JSON.stringify(parts);
    }),
  );
}

// --- internal ---

const QUERIES: Readonly<Record<ChaosDatabase, readonly RawBuilder<unknown>[]>> = {
  sqlite: [sql`select type, name, sql from sqlite_master where name not like 'sqlite_stat%' order by type, name`],
  postgres: [
    sql`select table_name, column_name, data_type, is_nullable, column_default
      from information_schema.columns where table_schema = current_schema() order by 1, 2`,
    sql`select replace(indexdef, current_schema(), '') as definition
      from pg_indexes where schemaname = current_schema() order by indexname`,
    sql`select tgname from pg_trigger join pg_class on pg_class.oid = tgrelid
      where relnamespace = current_schema()::regnamespace and not tgisinternal order by 1`,
  ],
};
