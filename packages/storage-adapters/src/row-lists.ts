import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { CoreTables } from './schema.js';
import type { DialectTraits } from './traits.js';
import { inBatches } from './values.js';

/**
 * Rows one behind the other, as they stand behind `values`, all with the columns of the first. Written by hand, because
 * most statements of a commit are made of little else, and Kysely took as long to build them as the database to run them.
 *
 * @param declared types of columns that cannot tell them by themselves.
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

/** A statement that writes to one table and returns nothing. */
export interface Write {
  readonly statement: RawBuilder<unknown>;
  /** How many it binds. */
  readonly parameters: number;
}

/** Inserts of rows, as many as it takes. @param ending what follows the rows. */
export function insertsOf(
  table: keyof CoreTables,
  rows: readonly object[],
  { maxParameters }: DialectTraits,
  ending = '',
): Write[] {
  return Array.from(inBatches(rows, maxParameters), (part) => {
    const columns = Object.keys(part[0] ?? {});
    const beginning = sql.raw(`insert into ${table} (${columns.join(', ')}) values `);
    return {
      statement: sql`${beginning}${rowList(part)}${sql.raw(ending)}`,
      parameters: part.length * columns.length,
    };
  });
}

/** Inserts rows now. @param ending what follows the rows: what to do with those that are there, and what to return. */
export async function insertRows<Returned = never>(
  transaction: Transaction<CoreTables>,
  traits: DialectTraits,
  {
    table,
    rows,
    ending,
  }: { readonly table: keyof CoreTables; readonly rows: readonly object[]; readonly ending: string },
): Promise<{ readonly inserted: number; readonly returned: readonly Returned[] }> {
  let inserted = 0;
  const returned: Returned[] = [];
  for (const { statement } of insertsOf(table, rows, traits, ending)) {
    const result = await sql<Returned>`${statement}`.execute(transaction);
    inserted += Number(result.numAffectedRows ?? 0n);
    returned.push(...result.rows);
  }
  return { inserted, returned };
}

/**
 * Makes writes of which none depends on what another wrote: as one statement where the database can, since waiting for
 * its answer takes longer than most of them.
 */
export async function writeAll(
  transaction: Transaction<CoreTables>,
  { nestsWrites, maxParameters }: DialectTraits,
  writes: readonly Write[],
): Promise<void> {
  const nested: Write[] = [];
  for (const write of writes) {
    if (nested.length > 0 && (!nestsWrites || sum(nested) + write.parameters > maxParameters)) {
      await nest(nested.splice(0)).execute(transaction);
    }
    nested.push(write);
  }
  if (nested.length > 0) await nest(nested).execute(transaction);
}

// --- internal ---

const NONE: ReadonlyMap<string, string> = new Map();

function sum(writes: readonly Write[]): number {
  return writes.reduce((total, { parameters }) => total + parameters, 0);
}

function nest([last, ...others]: readonly Write[]): RawBuilder<unknown> {
  if (!last) throw new Error('There is nothing to write.');
  if (others.length === 0) return last.statement;
  const parts = others.map(({ statement }, index) => sql`${sql.raw(`write_${index + 1}`)} as (${statement})`);
  return sql`with ${sql.join(parts)} ${last.statement}`;
}
