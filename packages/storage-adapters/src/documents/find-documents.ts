import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Scope, StoredDocument } from 'sri-core';
import { SHOWN_JOB_COLUMNS } from '../jobs/job-rows.js';
import type { CoreTables } from '../sql/schema.js';
import type { DialectTraits } from '../sql/traits.js';
import { isOneOf } from '../sql/value-lists.js';
import { DOCUMENT_COLUMNS, toStoredDocument } from './document-rows.js';

/** The documents with these access keys, current or former, in any scope, by access key. */
export async function findByAccessKeys(
  db: Kysely<CoreTables>,
  traits: DialectTraits,
  accessKeys: readonly string[],
): Promise<ReadonlyMap<string, StoredDocument>> {
  const rows = await documentsWithJobs(db)
    .where(traits.isAmong('document.id', idsOf(traits, accessKeys)))
    .execute();
  const found = new Map(rows.map((row): [string, StoredDocument] => [row.access_key, toStoredDocument(row)]));
  const others = accessKeys.filter((accessKey) => !found.has(accessKey));
  if (others.length === 0 || rows.length === 0) return found;
  const byId = new Map(Array.from(found.values(), (document) => [document.id, document]));
  const earlier = await db
    .selectFrom('sri_access_keys')
    .select(['access_key', 'document_id'])
    .where(isOneOf(traits, 'access_key', others))
    .execute();
  for (const { access_key, document_id } of earlier) {
    const document = byId.get(document_id);
    if (document) found.set(access_key, document);
  }
  return found;
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

/** The id of the document with that access key, current or former, in this scope. */
export async function findDocumentId(db: Kysely<CoreTables>, scope: Scope, accessKey: string): Promise<string | null> {
  if (!isStorable(accessKey)) return null;
  const row = await db
    .selectFrom('sri_documents')
    .select(['id', 'issuer_id', 'environment'])
    .where('id', '=', idOf(db, accessKey))
    .executeTakeFirst();
  return row && isIn(scope, row) ? row.id : null;
}

/** Documents by id, with their jobs, in the order of the ids. */
export async function findByIds(
  db: Kysely<CoreTables>,
  traits: DialectTraits,
  ids: readonly string[],
): Promise<StoredDocument[]> {
  if (ids.length === 0) return [];
  const rows = await documentsWithJobs(db)
    .where(isOneOf(traits, 'document.id', ids, 'uuid'))
    .execute();
  const found = new Map(rows.map((row) => [row.id, toStoredDocument(row)]));
  return ids.map((id) => found.get(id)).filter((document) => document !== undefined);
}

/** PostgreSQL rejects a text with a NUL. No stored text has one. An untyped program may give no text. */
export function isStorable(text: unknown): boolean {
  return typeof text === 'string' && !text.includes('\0');
}

/** Documents joined with the visible columns of their jobs. */
export function documentsWithJobs(db: Kysely<CoreTables>) {
  return db
    .selectFrom('sri_documents as document')
    .leftJoin('sri_jobs as job', 'job.document_id', 'document.id')
    .select(SELECTED)
    .select(SHOWN_JOB_COLUMNS);
}

/** Whether a row is of that scope. */
export function isIn(scope: Scope, row: { readonly issuer_id: string; readonly environment: string }): boolean {
  return row.issuer_id === scope.issuerId && row.environment === scope.environment;
}

// --- internal ---

/**
 * The ids of documents by access key, as values instead of a join; the scope is checked afterwards. Without statistics a
 * planner would scan all documents of the issuer.
 */
function idsOf(traits: DialectTraits, accessKeys: readonly string[]): RawBuilder<unknown> {
  return sql`(select document_id from sri_access_keys where ${isOneOf(traits, 'access_key', accessKeys)})`;
}

/** One row by its key, for the same reason. */
function idOf(db: Kysely<CoreTables>, accessKey: string) {
  return db.selectFrom('sri_access_keys').select('document_id').where('access_key', '=', accessKey);
}

const SELECTED = DOCUMENT_COLUMNS.map((column) => `document.${column}` as const);
