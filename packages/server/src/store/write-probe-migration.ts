import { sql } from 'kysely';
import type { DialectTraits, Migration } from 'sri-storage-adapters';

/** A row to write to by servers that see whether they can. */
export const writeProbe: Migration = {
  name: '021-write-probe',
  async up(transaction, { columns: { text, bigint }, keyedTable }: DialectTraits) {
    await sql`create table write_probes (
      name ${text} primary key,
      written_at ${bigint} not null
    ) ${keyedTable}`.execute(transaction);
    await sql`insert into write_probes (name, written_at) values ('readiness', 0)`.execute(transaction);
  },
};
