import { type CompiledQuery, type RawBuilder, sql, type Transaction } from 'kysely';
import type { CoreTables } from './schema.js';
import { type RepeatedQuery, repeatedQuery } from './sqlite-repetition.js';
import type { DialectTraits } from './traits.js';

/**
 * Rows for `values`, with the columns of the first row. Written by hand: most statements of a commit consist of rows, and
 * Kysely took as long to build them as the database to run them.
 *
 * @param declared types of columns that the database cannot infer.
 */
export function rowList<Row extends object>(
  rows: readonly Row[],
  declared: ReadonlyMap<string, string> = NONE,
): RawBuilder<unknown> {
  const values: unknown[] = [];
  const texts: string[] = [];
  let text = '';
  for (const row of rows) {
    text += text === '' ? '(' : '), (';
    for (const [column, value] of Object.entries(row)) {
      const type = declared.get(column);
      if (!text.endsWith('(')) text += ', ';
      texts.push(type ? `${text}cast(` : text);
      values.push(value);
      text = type ? ` as ${type})` : ' ';
    }
  }
  texts.push(`${text})`);
  return sql(Object.assign(texts, { raw: texts }), ...values);
}

/**
 * The same rows for `unnest`: an array per column. The text of the statement does not depend on the number of rows.
 *
 * @param declared types of columns other than text.
 */
export function arrayList<Row extends object>(
  rows: readonly Row[],
  declared: ReadonlyMap<string, string>,
): RawBuilder<unknown> {
  const values = rows.map((row): readonly unknown[] => Object.values(row));
  return sql.join(
    Object.keys(rows[0] ?? {}).map(
      (column, index) =>
        sql`cast(${values.map((row) => row[index])} as ${sql.raw(`${declared.get(column) ?? 'text'}[]`)})`,
    ),
  );
}

/** Rows for a table, with the columns of the first row, and the end of their statement. */
export interface Insertion {
  readonly table: keyof CoreTables;
  readonly rows: readonly object[];
  /** The clause for existing rows, and the returned columns. */
  readonly ending?: string;
}

/** A statement that writes to one table and returns nothing. */
export interface Statement {
  readonly statement: RawBuilder<unknown>;
  /** The number of its parameters. */
  readonly parameters: number;
}

/** A write to one table that returns nothing. */
export type Write = Insertion | Statement;

/**
 * Inserts rows now. The text of the statement does not depend on their number, so that it is prepared once. One database
 * takes an array per column, the other one row after another.
 */
export async function insertRows<Returned = never>(
  transaction: Transaction<CoreTables>,
  { takesArrays }: DialectTraits,
  insertion: Insertion,
): Promise<{ readonly inserted: number; readonly returned: readonly Returned[] }> {
  if (insertion.rows.length === 0) return { inserted: 0, returned: [] };
  const result = takesArrays
    ? await sql<Returned>`${arrayInsert(insertion)}`.execute(transaction)
    : await transaction.executeQuery<Returned>(repeatedInsert(insertion) as CompiledQuery<Returned>);
  return { inserted: Number(result.numAffectedRows ?? 0n), returned: result.rows };
}

/**
 * Inserts rows into several independent tables, as one statement where the database can.
 *
 * @returns the rows of the first insertion.
 */
export async function insertTogether<Returned>(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  [first, ...others]: readonly [Insertion, ...Insertion[]],
): Promise<readonly Returned[]> {
  const filled = others.filter(({ rows }) => rows.length > 0);
  if (!traits.takesArrays || first.rows.length === 0) {
    const { returned } = await insertRows<Returned>(transaction, traits, first);
    await writeAll(transaction, traits, filled);
    return returned;
  }
  // PostgreSQL runs the main part before the parts of WITH that nothing reads: the first rows are locked first.
  const beside = filled.map((insertion) => sql`${sql.raw(`new_${insertion.table}`)} as (${arrayInsert(insertion)})`);
  const beginning = beside.length > 0 ? sql`with ${sql.join(beside)} ` : sql``;
  const { rows } = await sql<Returned>`${beginning}${arrayInsert(first)}`.execute(transaction);
  return rows;
}

/**
 * Runs independent writes, as one statement where the database can: a round trip takes longer than most of them.
 */
export async function writeAll(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  writes: readonly Write[],
): Promise<void> {
  const nested: Statement[] = [];
  for (const write of writes) {
    if ('rows' in write && (write.rows.length === 0 || !traits.takesArrays)) {
      await insertRows(transaction, traits, write);
      continue;
    }
    const statement = 'rows' in write ? toStatement(write) : write;
    const isFull = sum(nested) + statement.parameters > traits.maxParameters;
    if (nested.length > 0 && (!traits.nestsWrites || isFull)) await nest(nested.splice(0)).execute(transaction);
    nested.push(statement);
  }
  if (nested.length > 0) await nest(nested).execute(transaction);
}

/**
 * The statement that inserts rows where the database takes arrays.
 *
 * @param condition inserts no row unless it holds.
 */
export function arrayInsert(insertion: Insertion, condition?: string): RawBuilder<unknown> {
  const columns = columnsOf(insertion);
  const arrays = arrayList(insertion.rows, new Map(columns.map((column) => [column, typeOf(column)])));
  const names = columns.join(', ');
  const beginning = sql.raw(`insert into ${insertion.table} (${names}) select ${names} from unnest(`);
  return sql`${beginning}${arrays}${sql.raw(`) as given (${names})${condition ? ` where ${condition}` : ''}${insertion.ending ?? ''}`)}`;
}

// --- internal ---

const NONE: ReadonlyMap<string, string> = new Map();

function toStatement(insertion: Insertion): Statement {
  return { statement: arrayInsert(insertion), parameters: columnsOf(insertion).length };
}

function columnsOf({ rows }: Insertion): readonly string[] {
  return Object.keys(rows[0] ?? {});
}

/** The type of an inserted column, which an array must declare. */
function typeOf(column: string): string {
  if (BYTES.has(column)) return 'bytea';
  if (IDS.has(column)) return 'uuid';
  return WHOLE_NUMBERS.has(column) ? 'bigint' : 'text';
}

const BYTES: ReadonlySet<string> = new Set(['signed_xml', 'request_payload', 'authorized_xml']);
const IDS: ReadonlySet<string> = new Set(['id', 'document_id']);

const WHOLE_NUMBERS: ReadonlySet<string> = new Set([
  'sequential',
  'total_cents',
  'voided_at',
  'mail_sent_at',
  'created_at',
  'updated_at',
  'revision',
  'position',
  'due_at',
  'attempt_count',
  'unconfirmed',
  'lease_token',
  'lease_until',
  'ready_at',
  'created_day',
  'documents',
  'part',
  'authorized',
]);

function repeatedInsert(insertion: Insertion): RepeatedQuery {
  const columns = columnsOf(insertion);
  const places = columns.map(() => '?').join(', ');
  const text = `insert into ${insertion.table} (${columns.join(', ')}) values (${places})${insertion.ending ?? ''}`;
  return repeatedQuery(
    text,
    insertion.rows.map((row): readonly unknown[] => Object.values(row)),
  );
}

function sum(writes: readonly Statement[]): number {
  return writes.reduce((total, { parameters }) => total + parameters, 0);
}

function nest([last, ...others]: readonly Statement[]): RawBuilder<unknown> {
  if (!last) throw new Error('There is nothing to write.');
  if (others.length === 0) return last.statement;
  const parts = others.map(({ statement }, index) => sql`${sql.raw(`write_${index + 1}`)} as (${statement})`);
  return sql`with ${sql.join(parts)} ${last.statement}`;
}
