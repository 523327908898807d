import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DOCUMENT_STATUSES } from 'sri-core';
import { toStatusGroup } from '../documents/document-rows.js';
import type { CoreTables } from '../sql/schema.js';
import { BLOCK_SIZE, DAY_MS, HEAD_LENGTH } from './figures.js';
import { blockOfTotal } from './total-blocks.js';

/** What a list reads, and that differs from the documents. */
export interface ListFault {
  /** The scope and the kind of figure, never a name; or a document. */
  readonly object: string;
  readonly explanation: string;
}

/**
 * Figures that differ from the documents, and documents that a list by status does not find, at most `limit`. Each table
 * is compared at one moment of its own.
 */
export async function findListFaults(db: Kysely<CoreTables>, limit: number): Promise<readonly ListFault[]> {
  const faults: ListFault[] = [];
  for (const find of [...FIGURES.map((figures) => (most: number) => faultsOf(figures, most)), misgrouped]) {
    if (faults.length >= limit) break;
    const { rows } = await find(limit - faults.length).execute(db);
    faults.push(...rows);
  }
  return faults;
}

// --- internal ---

/** A table of figures: its key, and the same columns of a document. */
interface Figures {
  readonly called: string;
  readonly table: keyof CoreTables;
  readonly key: string;
  readonly ofDocument: RawBuilder<unknown>;
  /** The rows of the table that have this key. */
  readonly only?: RawBuilder<unknown>;
  /** A second sum of the table, and what a document adds to it. */
  readonly sum?: { readonly column: string; readonly ofDocument: RawBuilder<unknown> };
}

/** The blocks of a sorted list. @param block of a document. */
function blocks(called: string, sortedBy: string, block: RawBuilder<unknown>): Figures {
  return {
    called,
    table: 'sri_blocks',
    key: 'sorted_by, block, document_type',
    ofDocument: sql`${sql.lit(sortedBy)}, ${block}, document_type`,
    only: sql`where sorted_by = ${sql.lit(sortedBy)}`,
  };
}

const FIGURES: readonly Figures[] = [
  {
    called: 'figures of a day',
    table: 'sri_figures',
    key: 'status, document_type, issue_date, created_day',
    ofDocument: sql`status, document_type, issue_date, created_at / ${sql.lit(DAY_MS)}`,
    sum: { column: 'total_cents', ofDocument: sql`total_cents` },
  },
  {
    called: 'documents of a counterparty',
    table: 'sri_names',
    key: 'name, counterparty_id, document_type',
    ofDocument: sql`counterparty_name_folded, counterparty_id, document_type`,
    sum: { column: 'authorized', ofDocument: sql`case when status = 'AUTHORIZED' then 1 else 0 end` },
  },
  blocks(
    'a block of numbers',
    'sequential',
    sql`substr(cast(${sql.lit(1e6)} + sequential / ${sql.lit(BLOCK_SIZE)} as text), 2)`,
  ),
  blocks('a block of names', 'counterparty_name', sql`substr(counterparty_name_folded, 1, ${sql.lit(HEAD_LENGTH)})`),
  blocks('a block of totals', 'total', blockOfTotal),
];

const NO_SUM: NonNullable<Figures['sum']> = { column: '0', ofDocument: sql`0` };

function faultsOf(
  { called, table, key, ofDocument, only = sql``, sum = NO_SUM }: Figures,
  limit: number,
): RawBuilder<ListFault> {
  const columns = sql.raw(`issuer_id, environment, ${key}`);
  return sql<ListFault>`select ${sql.lit(called)} || ' of ' || cast(issuer_id as text) || ', ' || environment as object,
      'it counts ' || cast(sum(counted) as text) || ', and ' || cast(sum(there) as text)
        || ' are there, or their sums differ' as explanation
    from (select ${columns}, documents as counted, 0 as there, ${sql.raw(sum.column)} as summed
      from ${sql.table(table)} ${only}
      union all
      select issuer_id, environment, ${ofDocument}, 0, 1, -(${sum.ofDocument}) from sri_documents) as both_sides
    group by ${columns} having sum(counted) <> sum(there) or sum(summed) <> 0 limit ${limit}`;
}

/** Documents whose group is not that of their status. */
function misgrouped(limit: number): RawBuilder<ListFault> {
  const groups = DOCUMENT_STATUSES.map((status) => sql`when ${sql.lit(status)} then ${sql.lit(toStatusGroup(status))}`);
  return sql<ListFault>`select 'document ' || cast(id as text) as object,
      'it is ' || status || ', in the group of ' || coalesce(status_group, 'AUTHORIZED') as explanation
    from sri_documents where status_group is distinct from case status ${sql.join(groups, sql` `)} end limit ${limit}`;
}
