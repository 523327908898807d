import { sql } from 'kysely';
import type { Migration } from '../migrator.js';

/** What all processes know together of the SRI's hosts: a row for each environment. */
export const hosts: Migration = {
  name: '009-hosts',
  async up(transaction, { columns: { text, integer }, keyedTable }) {
    await sql`create table sri_hosts (
      environment ${text} primary key,
      state ${text} not null,
      revision ${integer} not null
    ) ${keyedTable}`.execute(transaction);
  },
};
