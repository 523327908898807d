import { type Expression, type Kysely, sql, type Transaction } from 'kysely';
import {
  type DocumentFigure,
  type DocumentStatus,
  type DocumentType,
  type FigureQuery,
  foldCase,
  formatDecimal,
  formatSequential,
  MONEY_SCALE,
  type Scope,
  type StoredDocument,
} from 'sri-core';
import { toCents } from './document-rows.js';
import { ADDING_COUNTS, isTurn, type NameScope, settleNames } from './name-words.js';
import { insertBoth, rowList } from './row-lists.js';
import type { CoreTables, CountsTable, FiguresTable } from './schema.js';
import type { DialectTraits } from './traits.js';

/** Length of a day in `created_day`. */
export const DAY_MS = 86_400_000;

/**
 * Takes documents out of the figures as they were, and in as they are. To be called last in a transaction, because
 * everybody who writes documents of the same day waits for the rows it locks. Rows are locked in one order.
 */
export async function moveFigures(
  transaction: Transaction<CoreTables>,
  { gone, come }: { readonly gone: readonly StoredDocument[]; readonly come: readonly StoredDocument[] },
  traits: DialectTraits,
): Promise<void> {
  const rows = [
    ...gone.map((document) => ({ row: toCountedRow(document), by: -1 })),
    ...come.map((document) => ({ row: toCountedRow(document), by: 1 })),
  ];
  const figures = new Map<string, FiguresTable>();
  const counts = new Map<string, Count>();
  const count = ({ issuer_id, environment }: NameScope, kind: string, entry: string, by: number) => {
    const name = `${issuer_id} ${environment} ${kind} ${entry}`;
    const documents = (counts.get(name)?.documents ?? 0) + by;
    counts.set(name, { issuer_id, environment, kind, entry, documents });
  };
  for (const { row, by } of rows) {
    const { issuer_id, environment, issue_date, document_type, status } = row;
    const created_day = Math.floor(row.created_at / DAY_MS);
    const figureName = `${issuer_id} ${environment} ${issue_date} ${document_type} ${status} ${created_day}`;
    const before = figures.get(figureName);
    figures.set(figureName, {
      issuer_id,
      environment,
      issue_date,
      document_type,
      status,
      created_day,
      documents: (before?.documents ?? 0) + by,
      total_cents: (before?.total_cents ?? 0) + by * row.total_cents,
    });
  }
  for (const { document, by } of withNewEntries(gone, come)) {
    const { issuerId: issuer_id, environment } = document;
    for (const [kind, entry] of ownEntriesOf(document)) count({ issuer_id, environment }, kind, entry, by);
  }
  // What documents of one figure have in common is counted once for all of them.
  for (const figure of figures.values()) {
    for (const [kind, entry] of sharedEntriesOf(figure)) count(figure, kind, entry, figure.documents);
  }
  await addAll(transaction, traits, {
    figures: inOrder(figures).filter((row) => row.documents !== 0 || row.total_cents !== 0),
    counts: inOrder(counts).filter((row) => row.documents !== 0),
  });
  const known = new Set(gone.map(({ id }) => id));
  const turns = rows.filter(({ row }) => isTurn(row) && !known.has(row.id)).map(({ row }) => row);
  const scopes = new Map(turns.map((row) => [`${row.issuer_id} ${row.environment}`, row]));
  for (const scope of inOrder(scopes)) await settleNames(transaction, scope, traits);
}

/** The port's figures. */
export async function readFigures(
  db: Kysely<CoreTables>,
  scope: Scope,
  { from, to, documentType }: FigureQuery = {},
): Promise<DocumentFigure[]> {
  const rows = await db
    .selectFrom('sri_figures')
    .select((expression) => [
      'issue_date',
      'document_type',
      'status',
      sumOf(expression.ref('documents')).as('count'),
      sumOf(expression.ref('total_cents')).as('cents'),
    ])
    .where('issuer_id', '=', scope.issuerId)
    .where('environment', '=', scope.environment)
    .$if(from !== undefined, (query) => query.where('issue_date', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('issue_date', '<=', to ?? ''))
    .$if(documentType !== undefined, (query) => query.where('document_type', '=', documentType ?? ''))
    .groupBy(['issue_date', 'document_type', 'status'])
    .orderBy('issue_date')
    .orderBy('document_type')
    .orderBy('status')
    .execute();
  return rows.map((row) => ({
    documentType: row.document_type as DocumentType,
    status: row.status as DocumentStatus,
    issueDate: row.issue_date,
    count: row.count,
    total: formatDecimal(BigInt(row.cents), MONEY_SCALE),
  }));
}

/** A sum as a whole number; PostgreSQL would widen it to a decimal, which its driver reads as text. */
export function sumOf(column: Expression<unknown>) {
  return sql<number>`cast(coalesce(sum(${column}), 0) as bigint)`;
}

// --- internal ---

type Entry = readonly [kind: string, entry: string];

/** What figures are kept of; a change of status moves hundreds of them at a time. */
function toCountedRow({ id, issuerId, environment, status, sequential, ...document }: StoredDocument) {
  return {
    id,
    issuer_id: issuerId,
    environment,
    issue_date: document.issueDate,
    document_type: document.documentType,
    status,
    sequential,
    total_cents: toCents(document.total),
    created_at: document.createdAt.getTime(),
  };
}

/** Those that leave or come to what they count under by themselves; a change of status leaves them where they are. */
function withNewEntries(gone: readonly StoredDocument[], come: readonly StoredDocument[]) {
  const before = new Map(gone.map((document) => [document.id, document]));
  const moved = come.filter((document) => {
    const known = before.get(document.id);
    const stays = known?.sequential === document.sequential && known.counterparty.name === document.counterparty.name;
    if (stays) before.delete(document.id);
    return !stays;
  });
  return [
    ...Array.from(before.values(), (document) => ({ document, by: -1 })),
    ...moved.map((document) => ({ document, by: 1 })),
  ];
}

/** What a document counts under by itself; `CountsTable` explains the kinds. */
function ownEntriesOf({ documentType, sequential, counterparty }: StoredDocument): Entry[] {
  return [
    [documentType, formatSequential(sequential).slice(0, 6)],
    ['fresh', foldCase(counterparty.name)],
  ];
}

/** What a document counts under as all do that are in the same figure. */
function sharedEntriesOf({ status, issue_date, document_type, created_day }: FiguresTable): Entry[] {
  const day = String(created_day);
  return [
    ['status', status],
    ['issued', issue_date],
    ['created', day],
    [`created ${status}`, day],
    [`created ${document_type}`, day],
  ];
}

type Count = Omit<CountsTable, 'name_id'>;

function inOrder<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

async function addAll(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  { figures, counts }: { readonly figures: readonly FiguresTable[]; readonly counts: readonly Count[] },
): Promise<void> {
  const returned = await insertBoth<FiguresTable>(transaction, traits, [
    { table: 'sri_figures', rows: figures, ending: ADDING_FIGURES },
    { table: 'sri_counts', rows: counts, ending: ADDING_COUNTS },
  ]);
  const keys = returned
    .filter(({ documents }) => documents === 0)
    .map((row) => Object.fromEntries(FIGURE_KEY.map((column) => [column, row[column]])));
  if (keys.length === 0) return;
  await sql`delete from sri_figures where documents = 0
    and (${sql.raw(FIGURE_KEY.join(', '))}) in (values ${rowList(keys, DECLARED)})`.execute(transaction);
}

const FIGURE_KEY = ['issuer_id', 'environment', 'issue_date', 'document_type', 'status', 'created_day'] as const;
const DECLARED = new Map([['created_day', 'integer']]);

/** Adds what is inserted to the figures that are there, and tells what they are then. */
const ADDING_FIGURES = ` on conflict (${FIGURE_KEY.join(', ')}) do update set
  documents = sri_figures.documents + excluded.documents, total_cents = sri_figures.total_cents + excluded.total_cents
  returning ${FIGURE_KEY.join(', ')}, documents`;
