import { sql } from 'kysely';
import type { DialectTraits, Migration } from 'sri-storage-adapters';

/** Which master keys the database is sealed with: one row, which whatever is sealed goes through. */
export const rememberedKeys: Migration = {
  name: '020-remembered-keys',
  async up(transaction, { columns: { text, bigint }, keyedTable }: DialectTraits) {
    const statements = [
      sql`create table remembered_keys (
        name ${text} primary key,
        check_values ${text} not null,
        sealed_at ${bigint} not null
      ) ${keyedTable}`,
      sql`insert into remembered_keys (name, check_values, sealed_at) values ('master', '{}', 0)`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
