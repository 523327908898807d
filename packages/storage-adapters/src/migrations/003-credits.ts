import { sql } from 'kysely';
import type { Migration } from '../migrator.js';

/** Finds the credit notes of a document, and the documents that are stuck, without reading the others. */
export const credits: Migration = {
  name: '003-credits',
  async up(transaction) {
    await sql`create index sri_documents_original
      on sri_documents (issuer_id, environment, original_number) where original_number is not null`.execute(
      transaction,
    );
    await sql`create index sri_jobs_failed on sri_jobs (issuer_id) where status = 'FAILED'`.execute(transaction);
  },
};
