import { type Expression, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
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
import { toCents } from '../documents/document-rows.js';
import { insertTogether, rowList } from '../sql/row-lists.js';
import type { BlocksTable, CoreTables, FiguresTable, NamesTable } from '../sql/schema.js';
import type { DialectTraits } from '../sql/traits.js';
import { inFilter, inScope, toIssuersScope } from './conditions.js';
import type { FigureParts } from './figure-parts.js';
import { totalBlock } from './total-blocks.js';

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
  const figures = new Sums<FiguresTable>(FIGURES);
  const names = new Sums<NamesTable>(NAMES);
  const blocks = new Sums<BlocksTable>(BLOCKS);
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
    { table: FIGURES.table, rows: figures.moved(parts), ending: ADDING_FIGURES },
    { table: NAMES.table, rows: names.moved(parts), ending: adding(NAMES) },
    { table: BLOCKS.table, rows: blocks.moved(parts), ending: adding(BLOCKS) },
  ]);
  for (const fold of [figures, names, blocks].flatMap((sums) => sums.folds())) await fold.execute(transaction);
  const keys = returned
    .filter(({ documents, total_cents }) => documents === 0 && total_cents === 0)
    .map((row) => Object.fromEntries(FIGURES.key.map((column) => [column, row[column]])));
  if (keys.length === 0) return;
  await sql`delete from sri_figures where documents = 0 and total_cents = 0
    and (${sql.raw(FIGURES.key.join(', '))}) in (values ${rowList(keys, traits.takesArrays ? DECLARED : NOTHING)})`.execute(
    transaction,
  );
}

/** The port's figures. */
export async function readFigures(
  db: Kysely<CoreTables>,
  traits: DialectTraits,
  scope: Scope | IssuersScope,
  filter: FigureQuery = {},
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
    .where(inFilter({ filter }))
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

/** A table of sums. The last column of its key is the part. */
interface SumTable<Row extends object> {
  readonly table: 'sri_figures' | 'sri_names' | 'sri_blocks';
  readonly key: readonly (keyof Row & string)[];
  readonly sums: readonly (keyof Row & string)[];
}

const FIGURES = {
  table: 'sri_figures',
  key: ['issuer_id', 'environment', 'issue_date', 'document_type', 'status', 'created_day', 'part'],
  sums: ['documents', 'total_cents'],
} as const satisfies SumTable<FiguresTable>;
const NAMES = {
  table: 'sri_names',
  key: ['issuer_id', 'environment', 'name', 'counterparty_id', 'document_type', 'part'],
  sums: ['documents', 'authorized'],
} as const satisfies SumTable<NamesTable>;
const BLOCKS = {
  table: 'sri_blocks',
  key: ['issuer_id', 'environment', 'sorted_by', 'block', 'document_type', 'part'],
  sums: ['documents'],
} as const satisfies SumTable<BlocksTable>;

/** Rows added up by their key. */
class Sums<Row extends FiguresTable | NamesTable | BlocksTable> {
  readonly #table: SumTable<Row>;
  readonly #rows = new Map<string, Row>();
  /** Rows of parts that take no more updates. */
  readonly #full: Row[] = [];

  constructor(table: SumTable<Row>) {
    this.#table = table;
  }

  add(row: Row): void {
    const { key: columns, sums } = this.#table;
    let key = '';
    for (const column of columns) key += `${row[column]}\0`;
    const before = this.#rows.get(key);
    const added = before && Object.fromEntries(sums.map((sum) => [sum, Number(before[sum]) + Number(row[sum])]));
    this.#rows.set(key, { ...row, ...added });
  }

  /** The rows with a change, in lock order. */
  moved(parts: FigureParts): Row[] {
    return [...this.#rows]
      .filter(([, row]) => this.#table.sums.some((sum) => row[sum] !== 0))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, row]) => {
        const { part, full } = parts.of(key);
        if (full !== null) this.#full.push({ ...row, part: full });
        return { ...row, part };
      });
  }

  /** Moves the parts that take no more updates into the first part, so that a figure has few. */
  folds(): RawBuilder<unknown>[] {
    return this.#full.map((row) => folding(this.#table, row));
  }
}

function toFigure(document: StoredDocument, by: number): FiguresTable {
  return {
    issuer_id: document.issuerId,
    environment: document.environment,
    issue_date: document.issueDate,
    document_type: document.documentType,
    status: document.status,
    created_day: Math.floor(document.createdAt.getTime() / DAY_MS),
    part: 0,
    documents: by,
    total_cents: by * toCents(document.total),
  };
}

function toName({ issuerId, environment, documentType, counterparty, status }: StoredDocument, by: number): NamesTable {
  return {
    issuer_id: issuerId,
    environment,
    name: foldCase(counterparty.name),
    counterparty_id: counterparty.id,
    document_type: documentType,
    part: 0,
    documents: by,
    authorized: status === 'AUTHORIZED' ? by : 0,
  };
}

function toBlocks(
  { issuerId, environment, documentType, sequential, total, counterparty }: StoredDocument,
  by: number,
) {
  const shared = { issuer_id: issuerId, environment, document_type: documentType, part: 0, documents: by };
  const head = Array.from(foldCase(counterparty.name)).slice(0, HEAD_LENGTH).join('');
  return [
    { ...shared, sorted_by: 'sequential', block: String(Math.floor(sequential / BLOCK_SIZE)).padStart(6, '0') },
    { ...shared, sorted_by: 'counterparty_name', block: head },
    { ...shared, sorted_by: 'total', block: totalBlock(toCents(total)) },
  ];
}

const DECLARED = new Map([
  ['created_day', 'integer'],
  ['part', 'integer'],
  ['issuer_id', 'text'],
]);
const NOTHING: ReadonlyMap<string, string> = new Map();

/** Adds the sums of inserted rows to existing rows. */
function adding<Row extends object>({ table, key, sums }: SumTable<Row>): string {
  const added = sums.map((column) => `${column} = ${table}.${column} + excluded.${column}`);
  return ` on conflict (${key.join(', ')}) do update set ${added.join(', ')}`;
}

/** Moves the sums of a row into the first part of its figure. */
function folding<Row extends object>(sums: SumTable<Row>, row: Row): RawBuilder<unknown> {
  const table = sql.table(sums.table);
  const isRow = sql.join(
    sums.key.map((column) => sql`${sql.ref(column)} = ${row[column]}`),
    sql` and `,
  );
  const columns = [...sums.key, ...sums.sums];
  const named = sql.raw(columns.join(', '));
  const taken = sql.raw(columns.map((column) => (column === 'part' ? '0' : column)).join(', '));
  return sql`with taken as (delete from ${table} where ${isRow} returning ${named})
    insert into ${table} (${named}) select ${taken} from taken${sql.raw(adding(sums))}`;
}

/** As `adding`, and returns the sums. */
const ADDING_FIGURES = `${adding(FIGURES)} returning ${[...FIGURES.key, ...FIGURES.sums].join(', ')}`;
