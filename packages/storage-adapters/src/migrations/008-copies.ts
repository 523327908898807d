import { sql } from 'kysely';
import type { Migration } from '../migrator.js';

/** Finds the documents whose authorization came with a text that was not kept, without reading the whole history. */
export const copies: Migration = {
  name: '008-copies',
  async up(transaction) {
    await sql`create index sri_events_copies on sri_events (document_id)
      where event_type = 'SRI_COPY_REFUSED'`.execute(transaction);
  },
};
