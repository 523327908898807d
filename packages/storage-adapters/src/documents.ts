import type { Kysely } from 'kysely';
import type { Scope, StoredDocument } from 'sri-core';
import { DOCUMENT_COLUMNS, toStoredDocument } from './document-rows.js';
import { SHOWN_JOB_COLUMNS } from './job-rows.js';
import type { CoreTables } from './schema.js';

/** The document that has, or once had, that access key in this scope. */
export async function findByAccessKey(
  db: Kysely<CoreTables>,
  scope: Scope,
  accessKey: string,
): Promise<StoredDocument | null> {
  if (!isStorable(accessKey)) return null;
  const row = await documentsWithJobs(db).where('document.id', '=', idOf(db, accessKey)).executeTakeFirst();
  return row && isIn(scope, row) ? toStoredDocument(row) : null;
}

export async function findByIdempotencyKey(
  db: Kysely<CoreTables>,
  scope: Scope,
  idempotencyKey: string,
): Promise<StoredDocument | null> {
  if (!isStorable(idempotencyKey)) return null;
  const row = await documentsWithJobs(db)
    .where('document.issuer_id', '=', scope.issuerId)
    .where('document.environment', '=', scope.environment)
    .where('document.idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  return row ? toStoredDocument(row) : null;
}

/** Only the id of the document that has, or once had, that access key in this scope. */
export async function findDocumentId(db: Kysely<CoreTables>, scope: Scope, accessKey: string): Promise<string | null> {
  if (!isStorable(accessKey)) return null;
  const row = await db
    .selectFrom('sri_documents')
    .select(['id', 'issuer_id', 'environment'])
    .where('id', '=', idOf(db, accessKey))
    .executeTakeFirst();
  return row && isIn(scope, row) ? row.id : null;
}

/** Documents by their ids, with their jobs, in no particular order. */
export async function findByIds(db: Kysely<CoreTables>, ids: readonly string[]): Promise<StoredDocument[]> {
  if (ids.length === 0) return [];
  const rows = await documentsWithJobs(db).where('document.id', 'in', ids).execute();
  return rows.map(toStoredDocument);
}

/** PostgreSQL refuses a text with a NUL, which nothing stored can equal. */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}

/** Documents with what is shown of their jobs, to be narrowed down. */
export function documentsWithJobs(db: Kysely<CoreTables>) {
  return db
    .selectFrom('sri_documents as document')
    .leftJoin('sri_jobs as job', 'job.document_id', 'document.id')
    .select(SELECTED)
    .select(SHOWN_JOB_COLUMNS);
}

// --- internal ---

/**
 * One row by its key, as a value and not as a join, and the scope looked at afterwards: a planner that knows little of the
 * tables yet would rather go through all documents of the issuer.
 */
function idOf(db: Kysely<CoreTables>, accessKey: string) {
  return db.selectFrom('sri_access_keys').select('document_id').where('access_key', '=', accessKey);
}

/** Whether a row is of that scope. */
export function isIn(scope: Scope, row: { readonly issuer_id: string; readonly environment: string }): boolean {
  return row.issuer_id === scope.issuerId && row.environment === scope.environment;
}

const SELECTED = DOCUMENT_COLUMNS.map((column) => `document.${column}` as const);
