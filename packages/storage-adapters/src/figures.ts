import { type Expression, type Kysely, sql, type Transaction } from 'kysely';
import {
  type DocumentFigure,
  type DocumentStatus,
  type DocumentType,
  type FigureQuery,
  foldCase,
  formatDecimal,
  type IssuersScope,
  MONEY_SCALE,
  type Scope,
  type StoredDocument,
} from 'sri-core';
import { toCents } from './document-rows.js';
import type { FigureParts } from './figure-parts.js';
import { inScope, toIssuersScope } from './list-conditions.js';
import { insertTogether, rowList } from './row-lists.js';
import type { BlocksTable, CoreTables, FiguresTable, NamesTable } from './schema.js';
import { totalBlock } from './total-blocks.js';
import type { DialectTraits } from './traits.js';

/** Length of a day in `created_day`. */
export const DAY_MS = 86_400_000;

/** Numbers that share a block. */
export const BLOCK_SIZE = 1_000;

/** First characters that the names of a block share. */
export const HEAD_LENGTH = 3;

/**
 * Subtracts the old state of documents from the figures and adds the new state. It is the last step of a transaction,
 * because all writers of the same day wait for its rows. Rows are locked in one order.
 */
export async function moveFigures(
  transaction: Transaction<CoreTables>,
  { gone, come }: { readonly gone: readonly StoredDocument[]; readonly come: readonly StoredDocument[] },
  { traits, parts }: { readonly traits: DialectTraits; readonly parts: FigureParts },
): Promise<void> {
  const figures = new Sums<(typeof FIGURE_SUMS)[number], Whole<FiguresTable>>(FIGURE_SUMS);
  const names = new Sums<(typeof NAME_SUMS)[number], Whole<NamesTable>>(NAME_SUMS);
  const blocks = new Sums<(typeof BLOCK_SUMS)[number], Whole<BlocksTable>>(BLOCK_SUMS);
  for (const [documents, by] of [
    [gone, -1],
    [come, 1],
  ] as const) {
    for (const document of documents) {
      figures.add(toFigure(document, by));
      names.add(toName(document, by));
      for (const block of toBlocks(document, by)) blocks.add(block);
    }
  }
  const returned = await insertTogether<FiguresTable>(transaction, traits, [
    { table: 'sri_figures', rows: figures.moved(parts), ending: ADDING_FIGURES },
    { table: 'sri_names', rows: names.moved(parts), ending: adding('sri_names', NAME_KEY, NAME_SUMS) },
    { table: 'sri_blocks', rows: blocks.moved(parts), ending: adding('sri_blocks', BLOCK_KEY, BLOCK_SUMS) },
  ]);
  const keys = returned
    .filter(({ documents, total_cents }) => documents === 0 && total_cents === 0)
    .map((row) => Object.fromEntries(FIGURE_KEY.map((column) => [column, row[column]])));
  if (keys.length === 0) return;
  await sql`delete from sri_figures where documents = 0 and total_cents = 0
    and (${sql.raw(FIGURE_KEY.join(', '))}) in (values ${rowList(keys, traits.takesArrays ? DECLARED : NOTHING)})`.execute(
    transaction,
  );
}

/** The port's figures. */
export async function readFigures(
  db: Kysely<CoreTables>,
  traits: DialectTraits,
  scope: Scope | IssuersScope,
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
    .where(inScope({ traits, scope: toIssuersScope(scope) }))
    .$if(from !== undefined, (query) => query.where('issue_date', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('issue_date', '<=', to ?? ''))
    .$if(documentType !== undefined, (query) => query.where('document_type', '=', documentType ?? ''))
    .groupBy(['issue_date', 'document_type', 'status'])
    .having(({ ref }) => sumOf(ref('documents')), '>', 0)
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

/** A sum as a whole number. PostgreSQL widens it to a decimal otherwise, which its driver reads as text. */
export function sumOf(column: Expression<unknown>) {
  return sql<number>`cast(coalesce(sum(${column}), 0) as bigint)`;
}

// --- internal ---

/** The columns of each table that are added up. */
const FIGURE_SUMS = ['documents', 'total_cents'] as const;
const NAME_SUMS = ['documents', 'authorized'] as const;
const BLOCK_SUMS = ['documents'] as const;

/** The row of a figure, before one of its parts is chosen. */
type Whole<Row> = Omit<Row, 'part'>;

/** Rows added up by their key. */
class Sums<Sum extends string, Row extends Record<Sum, number>> {
  readonly #sums: readonly Sum[];
  readonly #rows = new Map<string, Row>();

  constructor(sums: readonly Sum[]) {
    this.#sums = sums;
  }

  add(row: Row): void {
    let key = '';
    for (const [column, value] of Object.entries(row)) {
      if (!(this.#sums as readonly string[]).includes(column)) key += `${value}\0`;
    }
    const before = this.#rows.get(key);
    const sums = before && Object.fromEntries(this.#sums.map((sum) => [sum, before[sum] + row[sum]]));
    this.#rows.set(key, { ...row, ...sums });
  }

  /** The rows with a change, in lock order. */
  moved(parts: FigureParts): (Row & { readonly part: number })[] {
    return [...this.#rows]
      .filter(([, row]) => this.#sums.some((sum) => row[sum] !== 0))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, row]) => ({ ...row, part: parts.of(key) }));
  }
}

function toFigure(document: StoredDocument, by: number): Whole<FiguresTable> {
  return {
    issuer_id: document.issuerId,
    environment: document.environment,
    issue_date: document.issueDate,
    document_type: document.documentType,
    status: document.status,
    created_day: Math.floor(document.createdAt.getTime() / DAY_MS),
    documents: by,
    total_cents: by * toCents(document.total),
  };
}

function toName(
  { issuerId, environment, documentType, counterparty, status }: StoredDocument,
  by: number,
): Whole<NamesTable> {
  return {
    issuer_id: issuerId,
    environment,
    name: foldCase(counterparty.name),
    counterparty_id: counterparty.id,
    document_type: documentType,
    documents: by,
    authorized: status === 'AUTHORIZED' ? by : 0,
  };
}

function toBlocks(
  { issuerId, environment, documentType, sequential, total, counterparty }: StoredDocument,
  by: number,
) {
  const shared = { issuer_id: issuerId, environment, document_type: documentType, documents: by };
  const head = Array.from(foldCase(counterparty.name)).slice(0, HEAD_LENGTH).join('');
  return [
    { ...shared, sorted_by: 'sequential', block: String(Math.floor(sequential / BLOCK_SIZE)).padStart(6, '0') },
    { ...shared, sorted_by: 'counterparty_name', block: head },
    { ...shared, sorted_by: 'total', block: totalBlock(toCents(total)) },
  ];
}

const FIGURE_KEY = [
  'issuer_id',
  'environment',
  'issue_date',
  'document_type',
  'status',
  'created_day',
  'part',
] as const;
const NAME_KEY = 'issuer_id, environment, name, counterparty_id, document_type, part';
const BLOCK_KEY = 'issuer_id, environment, sorted_by, block, document_type, part';
const DECLARED = new Map([
  ['created_day', 'integer'],
  ['part', 'integer'],
  ['issuer_id', 'text'],
]);
const NOTHING: ReadonlyMap<string, string> = new Map();

/** Adds the sums of inserted rows to existing rows. */
function adding(table: string, key: string, sums: readonly string[]): string {
  const added = sums.map((column) => `${column} = ${table}.${column} + excluded.${column}`);
  return ` on conflict (${key}) do update set ${added.join(', ')}`;
}

/** As `adding`, and returns the sums. */
const ADDING_FIGURES = `${adding('sri_figures', FIGURE_KEY.join(', '), FIGURE_SUMS)}
  returning ${FIGURE_KEY.join(', ')}, documents`;
