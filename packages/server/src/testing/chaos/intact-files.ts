import { sql } from 'kysely';
import { type DataLocation, withDatabase } from './chaos-tenant.js';
import type { FaultContext } from './fault.js';

/**
 * Makes the database check its own files: SQLite by `integrity_check`, PostgreSQL by amcheck, which compares every
 * index of the place with its table and reads every row.
 *
 * @returns false for a PostgreSQL without amcheck, which is not checked.
 * @throws Error if a file is damaged.
 */
export function expectIntactFiles(context: DataLocation & Pick<FaultContext, 'database'>): Promise<boolean> {
  return context.database === 'sqlite' ? expectIntactFile(context) : expectIntactRelations(context);
}

// --- internal ---

function expectIntactFile(context: DataLocation): Promise<boolean> {
  return withDatabase(context, async ({ database }) => {
    const { rows } = await database.read((tables) => sql`pragma integrity_check`.execute(tables));
    if (JSON.stringify(rows) !== '[{"integrity_check":"ok"}]') throw new Error('The file is damaged.');
    return true;
  });
}

/** A separate schema, so that the place's schema stays unchanged. */
const AMCHECK = 'chaos_amcheck';

function expectIntactRelations(context: DataLocation): Promise<boolean> {
  return withDatabase(context, async ({ database }) => {
    const { rows } = await database.read((tables) =>
      sql`select 1 from pg_available_extensions where name = 'amcheck'`.execute(tables),
    );
    if (rows.length === 0) return false;
    await database.transaction(async (tables) => {
      await sql`create schema if not exists ${sql.id(AMCHECK)}`.execute(tables);
      await sql`create extension if not exists amcheck with schema ${sql.id(AMCHECK)}`.execute(tables);
    });
    const damaged = await database.read(async (tables) => {
      // Raises an error at the first index that does not fit its table.
      await sql`select ${sql.id(AMCHECK, 'bt_index_check')}(index.indexrelid, true)
        from pg_index index join pg_class relation on relation.oid = index.indexrelid
        join pg_am method on method.oid = relation.relam
        where relation.relnamespace = current_schema()::regnamespace and method.amname = 'btree'`.execute(tables);
      return sql<{ msg: string }>`select relation.relname || ': ' || damage.msg as msg
        from pg_class relation, lateral ${sql.id(AMCHECK, 'verify_heapam')}(relation.oid) damage
        where relation.relnamespace = current_schema()::regnamespace and relation.relkind = 'r'`.execute(tables);
    });
    if (damaged.rows.length > 0)
      throw new Error(`Tables are damaged: ${damaged.rows.map(({ msg }) => msg).join('; ')}`);
    return true;
  });
}
