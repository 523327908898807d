import { type ExpressionBuilder, type ExpressionWrapper, type Kysely, type SqlBool, sql } from 'kysely';
import { type DocumentQuery, foldCase, type Scope, type StoredDocument } from 'sri-core';
import { DOCUMENT_COLUMNS, toStoredDocument } from './document-rows.js';
import { isStorable } from './documents.js';
import { SHOWN_JOB_COLUMNS } from './job-rows.js';
import type { CoreTables } from './schema.js';

/** One page of a scope's documents, and how many match in all. */
export async function listDocuments(
  db: Kysely<CoreTables>,
  scope: Scope,
  query: DocumentQuery,
): Promise<{ readonly documents: readonly StoredDocument[]; readonly total: number }> {
  const matching = db.selectFrom('sri_documents').where((expression) => conditions(expression, scope, query));
  const { total } = await matching
    .select((expression) => expression.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const offset = (query.page - 1) * query.limit;
  if (offset >= total) return { documents: [], total };

  const order = orderOf(query);
  let page = matching
    .select([...DOCUMENT_COLUMNS, 'buyer_name_folded'])
    .limit(query.limit)
    .offset(offset);
  for (const [column, direction] of order) page = page.orderBy(column, direction);
  // Only the rows of the page are looked up among the jobs, not those that are skipped.
  let withJobs = db
    .selectFrom(page.as('document'))
    .leftJoin('sri_jobs as job', 'job.document_id', 'document.id')
    .select(DOCUMENT_COLUMNS.map((column) => `document.${column}` as const))
    .select(SHOWN_JOB_COLUMNS);
  for (const [column, direction] of order) withJobs = withJobs.orderBy(`document.${column}`, direction);
  const rows = await withJobs.execute();
  return { documents: rows.map(toStoredDocument), total };
}

// --- internal ---

const SORT_COLUMNS = {
  sequential: 'sequential',
  buyerName: 'buyer_name_folded',
  issueDate: 'issue_date',
  status: 'status',
  createdAt: 'created_at',
} as const satisfies Record<NonNullable<DocumentQuery['sortBy']>, string>;

type SortColumn = (typeof SORT_COLUMNS)[keyof typeof SORT_COLUMNS] | 'id';

/** A total order: the column asked for, and newest first among equals. */
function orderOf({ sortBy = 'createdAt', sortDirection = 'desc' }: DocumentQuery): [SortColumn, 'asc' | 'desc'][] {
  if (sortBy === 'createdAt') {
    return [
      ['created_at', sortDirection],
      ['id', sortDirection],
    ];
  }
  return [
    [SORT_COLUMNS[sortBy], sortDirection],
    ['created_at', 'desc'],
    ['id', 'desc'],
  ];
}

function conditions(
  expression: ExpressionBuilder<CoreTables, 'sri_documents'>,
  scope: Scope,
  query: DocumentQuery,
): ExpressionWrapper<CoreTables, 'sri_documents', SqlBool> {
  const all = [expression('issuer_id', '=', scope.issuerId), expression('environment', '=', scope.environment)];
  if (query.status !== undefined) all.push(expression('status', '=', query.status));
  if (query.documentType !== undefined) all.push(expression('document_type', '=', query.documentType));
  if (query.from !== undefined) all.push(expression('issue_date', '>=', query.from));
  if (query.to !== undefined) all.push(expression('issue_date', '<=', query.to));
  const parts = [
    ['sequential_digits', query.sequential],
    ['buyer_name_folded', query.buyerName],
  ] as const;
  for (const [column, part] of parts) {
    if (part === undefined) continue;
    const pattern = `%${foldCase(part).replace(/[\\%_]/g, '\\$&')}%`;
    const found = sql<SqlBool>`${expression.ref(column)} like ${pattern} escape '\\'`;
    all.push(expression.and([isStorable(part) ? found : sql<SqlBool>`1 = 0`]));
  }
  return expression.and(all);
}
