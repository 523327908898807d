import { sql } from 'kysely';
import type { Tables } from '../platform/database/tables.js';

// The operator sees every account, so no query here is scoped by account.

/** The newest documents with a text of the SRI that could not be stored, at most `limit`, and their total. */
export async function findRefusedCopies(
  tables: Tables,
  limit: number,
): Promise<{ readonly accessKeys: readonly string[]; readonly total: number }> {
  // As a literal: the index covers these events alone.
  const refused = tables.selectFrom('sri_events').where('event_type', '=', sql.lit('SRI_COPY_REFUSED'));
  const { total } = await refused
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  const newest = await refused
    .innerJoin('sri_documents', 'sri_documents.id', 'sri_events.document_id')
    .select('access_key')
    .orderBy('sri_events.document_id', 'desc')
    .limit(limit)
    .execute();
  return { accessKeys: newest.map(({ access_key }) => access_key), total: Number(total) };
}
