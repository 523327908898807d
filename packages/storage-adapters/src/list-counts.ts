import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { BLOCK_SIZE, sumOf } from './figures.js';
import { type Arm, countArms } from './list-arms.js';
import {
  holdsDigits,
  holdsParts,
  inFilter,
  inScope,
  isInRange,
  isNamed,
  ofIssuer,
  type Search,
} from './list-conditions.js';
import { groupByFigures } from './list-windows.js';
import { counterInBlocks } from './number-parts.js';
import type { CoreTables } from './schema.js';
import { endsOfBlock, totalBlock } from './total-blocks.js';

/** Numbers of documents by issuer. An issuer without any is absent or 0. */
export type Counts = ReadonlyMap<string, number>;

/** Counts the documents that match the filter, ignoring searched parts. */
export async function countFiltered(db: Kysely<CoreTables>, search: Search): Promise<Counts> {
  const { status, from, to, documentType } = search.filter;
  if (status !== undefined || from !== undefined || to !== undefined) return countByFigures(db, search);
  let query = db
    .selectFrom('sri_blocks')
    .select(['issuer_id', sumOf(sql.ref('documents')).as('documents')])
    .where(inScope(search))
    .where('sorted_by', '=', 'sequential')
    .groupBy('issuer_id');
  if (documentType !== undefined) query = query.where('document_type', '=', documentType);
  return toCounts(await query.execute());
}

/** As `countFiltered`, from the rows of `sri_figures` that match `where`. */
export async function countByFigures(
  db: Kysely<CoreTables>,
  search: Search,
  where?: RawBuilder<SqlBool>,
): Promise<Counts> {
  const groups = await groupByFigures(db, search, 'issuer_id', where);
  return new Map(groups.map(({ key, documents }) => [String(key), documents]));
}

/** The documents of counterparties, the authorized ones among them, and the name when all share one. */
export interface Named {
  readonly documents: number;
  readonly authorized: number;
  readonly onlyName: string | null;
}

/** The documents of the filter's type of the counterparties that fit, by issuer. */
export async function countNamed(db: Kysely<CoreTables>, search: Search): Promise<ReadonlyMap<string, Named>> {
  const { documentType } = search.filter;
  const rows = await db
    .selectFrom('sri_names')
    .select(({ fn, ref }) => [
      'issuer_id',
      sumOf(ref('documents')).as('documents'),
      sumOf(ref('authorized')).as('authorized'),
      fn.min('name').as('first'),
      fn.max('name').as('last'),
    ])
    .where(isNamed(search))
    .$if(documentType !== undefined, (query) => query.where('document_type', '=', documentType ?? ''))
    .groupBy('issuer_id')
    .execute();
  return new Map(
    rows.map(({ issuer_id, documents, authorized, first, last }) => [
      issuer_id,
      { documents, authorized, onlyName: first === last ? first : null },
    ]),
  );
}

/**
 * Counts the documents of the filter's type whose number contains the digits. A full block has every number of its
 * thousand, so its count is computed. In other blocks the documents are counted.
 *
 * @returns null when too many blocks have gaps.
 */
export async function countWithDigits(db: Kysely<CoreTables>, search: Search, digits: string): Promise<Counts | null> {
  const { documentType } = search.filter;
  let query = db
    .selectFrom('sri_blocks')
    .select(({ ref }) => ['issuer_id', 'document_type', 'block', sumOf(ref('documents')).as('documents')])
    .where(inScope(search))
    .where('sorted_by', '=', 'sequential')
    .groupBy(['issuer_id', 'document_type', 'block'])
    .having(({ ref }) => sumOf(ref('documents')), '>', 0);
  if (documentType !== undefined) query = query.where('document_type', '=', documentType);
  const counts = new Map<string, number>();
  const add = (issuerId: string, documents: number) => counts.set(issuerId, (counts.get(issuerId) ?? 0) + documents);
  const countInBlock = counterInBlocks(digits);
  const withGaps: Arm[] = [];
  for (const { issuer_id, document_type, block, documents } of await query.execute()) {
    if (documents === BLOCK_SIZE) {
      add(issuer_id, countInBlock(block));
      continue;
    }
    const first = Number(block) * BLOCK_SIZE;
    const where = sql<SqlBool>`sequential >= ${first} and sequential < ${first + BLOCK_SIZE}
      and document_type = ${document_type} and ${holdsDigits(digits)}`;
    withGaps.push({ issuerId: issuer_id, where });
    if (withGaps.length > MOST_WITH_GAPS) return null;
  }
  const counted = await countArms(db, search, withGaps);
  for (const [place, { issuerId }] of withGaps.entries()) add(issuerId, counted[place] ?? 0);
  return counts;
}

/** Counts authorized documents: the counts of any status, minus a count of the documents that are not authorized. */
export async function countAuthorized(db: Kysely<CoreTables>, search: Search, ofAnyStatus: Counts): Promise<Counts> {
  const { status: _, ...filter } = search.filter;
  const issuerIds = search.scope.issuerIds.filter((id) => (ofAnyStatus.get(id) ?? 0) > 0);
  const arms = issuerIds.map((issuerId) => ({
    issuerId,
    where: sql<SqlBool>`status <> 'AUTHORIZED' and ${holdsParts(search, { by: 'rows' })}`,
    isByOther: true,
  }));
  const others = await countArms(db, { ...search, filter }, arms);
  // A document stored after the first count could make the difference negative.
  return new Map(issuerIds.map((id, place) => [id, Math.max(0, (ofAnyStatus.get(id) ?? 0) - (others[place] ?? 0))]));
}

/**
 * Counts the documents of the filter's type with a total in the range. Figures count whole blocks; at both ends the
 * documents are counted. Up to 49 issuers share one statement, which counts a document once, even when its total changes.
 */
export async function countInTotals(db: Kysely<CoreTables>, search: Search): Promise<Counts> {
  const { totals, filter, scope } = search;
  if (!totals) return new Map();
  const { from, to } = totals;
  const ofType = inFilter({ filter: filter.documentType === undefined ? {} : { documentType: filter.documentType } });
  const blocks = sql.join(
    [
      sql`sorted_by = 'total'`,
      ...(from === null ? [] : [sql`block > ${totalBlock(from)}`]),
      ...(to === null ? [] : [sql`block < ${totalBlock(to)}`]),
    ],
    sql` and `,
  );
  const parts: RawBuilder<unknown>[] = [
    sql`select issuer_id, documents from sri_blocks where ${inScope(search)} and ${blocks} and ${ofType}`,
  ];
  for (const range of endsOf(from, to)) {
    for (const issuerId of scope.issuerIds) {
      parts.push(sql`select issuer_id, count(*) as documents from sri_documents
        where ${inScope(ofIssuer(search, issuerId))} and ${isInRange(range)} and ${ofType} group by issuer_id`);
    }
  }
  const counts = new Map<string, number>();
  for (let start = 0; start < parts.length; start += MOST_IN_UNION) {
    const some = parts.slice(start, start + MOST_IN_UNION);
    const { rows } = await sql<CountRow>`select issuer_id, ${sumOf(sql.ref('documents'))} as documents
      from (${sql.join(some, sql` union all `)}) as ranges group by issuer_id`.execute(db);
    for (const { issuer_id, documents } of rows) counts.set(issuer_id, (counts.get(issuer_id) ?? 0) + documents);
  }
  return counts;
}

// --- internal ---

interface CountRow {
  readonly issuer_id: string;
  readonly documents: number;
}

const MOST_IN_UNION = 100;

/** Blocks with gaps whose documents cost less than a look at all documents. */
const MOST_WITH_GAPS = 200;

function toCounts(rows: readonly CountRow[]): Counts {
  return new Map(rows.map(({ issuer_id, documents }) => [issuer_id, documents]));
}

/** The parts of a range that lie in its first and its last block. */
function endsOf(from: number | null, to: number | null): readonly { readonly from: number; readonly to: number }[] {
  const low = from === null ? null : { from, to: Math.min(endsOfBlock(from).highest, to ?? Number.POSITIVE_INFINITY) };
  const high = to === null ? null : { from: endsOfBlock(to).lowest, to };
  if (low && high && low.to >= high.from) return from !== null && to !== null && from <= to ? [{ from, to }] : [];
  return [low, high].filter((range) => range !== null && range.from <= range.to) as { from: number; to: number }[];
}
