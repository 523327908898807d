import { type Kysely, sql } from 'kysely';
import type { JobOperation, Scope, StoredDocument } from 'sri-core';
import type { CoreTables } from '../sql/schema.js';
import { toStoredDocument } from './document-rows.js';
import { documentsWithJobs } from './find-documents.js';

/** Documents of a scope without automatic attempts left, oldest first, and their number. */
export async function findFailed(
  db: Kysely<CoreTables>,
  scope: Scope,
  { operation, limit }: { readonly operation?: JobOperation; readonly limit: number },
): Promise<{ readonly documents: readonly StoredDocument[]; readonly total: number }> {
  // Ids first: failed jobs are few, documents of an issuer are many.
  let failed = db
    .selectFrom('sri_jobs as job')
    .innerJoin('sri_documents as document', 'document.id', 'job.document_id')
    .where('job.issuer_id', '=', scope.issuerId)
    // A literal, so that a generic plan can use the index of failed jobs.
    .where('job.status', '=', sql.lit('FAILED'))
    .where('job.lease_until', 'is', null)
    .where('document.environment', '=', scope.environment);
  if (operation) failed = failed.where('job.operation', '=', operation);
  const { total } = await failed
    .select((expression) => expression.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  if (total === 0 || limit < 1) return { documents: [], total };
  const oldest = failed.select('document.id').orderBy('document.created_at').orderBy('document.id').limit(limit);
  const rows = await documentsWithJobs(db)
    .where('document.id', 'in', db.selectFrom(oldest.as('oldest')).select('oldest.id'))
    .orderBy('document.created_at')
    .orderBy('document.id')
    .execute();
  return { documents: rows.map(toStoredDocument), total };
}
