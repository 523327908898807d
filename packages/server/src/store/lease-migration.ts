import { sql } from 'kysely';
import type { DialectTraits, Migration } from 'sri-storage-adapters';

/** Which process does a piece of timed work, and when it is due again. */
export const leases: Migration = {
  name: '013-leases',
  async up(transaction, { columns: { text, bigint }, keyedTable }: DialectTraits) {
    await sql`create table task_leases (
      name ${text} primary key,
      holder ${text} not null,
      token ${bigint} not null,
      lease_until ${bigint} not null,
      due_at ${bigint} not null
    ) ${keyedTable}`.execute(transaction);
  },
};
