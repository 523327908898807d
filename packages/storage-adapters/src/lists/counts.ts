import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { CoreTables } from '../sql/schema.js';
import { type Arm, countArms } from './arms.js';
import {
  EVERY,
  holdsDigits,
  holdsParts,
  inScope,
  isBetween,
  isNamed,
  isOfAllDays,
  ofIssuer,
  ofType,
  type Search,
} from './conditions.js';
import { BLOCK_SIZE, sumOf } from './figures.js';
import { counterInBlocks } from './number-parts.js';
import { endsOfBlock, totalBlock } from './total-blocks.js';
import { type Group, groupBy } from './windows.js';

/** Numbers of documents by issuer. An issuer without any is absent or 0. */
export type Counts = ReadonlyMap<string, number>;

/** Counts the documents that match the filter, ignoring searched parts. @param where a condition on the figures. */
export async function countFiltered(db: Kysely<CoreTables>, search: Search, where = EVERY): Promise<Counts> {
  const isByType = search.filter.status === undefined && isOfAllDays(search) && where === EVERY;
  return toCounts(await groupBy(db, search, 'issuer_id', isByType ? { sortedBy: 'sequential' } : { where }));
}

/** The documents of counterparties, how many are authorized, and the name when all share it. */
export interface Named {
  readonly documents: number;
  readonly authorized: number;
  readonly onlyName: string | null;
}

/** The documents of the filter's type of the counterparties that fit, by issuer. */
export async function countNamed(db: Kysely<CoreTables>, search: Search): Promise<ReadonlyMap<string, Named>> {
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
    .where(ofType(search))
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
  const blocks = await db
    .selectFrom('sri_blocks')
    .select(({ ref }) => ['issuer_id', 'document_type', 'block', sumOf(ref('documents')).as('documents')])
    .where(inScope(search))
    .where('sorted_by', '=', 'sequential')
    .where(ofType(search))
    .groupBy(['issuer_id', 'document_type', 'block'])
    .having(({ ref }) => sumOf(ref('documents')), '>', 0)
    .execute();
  const counted: Group[] = [];
  const countInBlock = counterInBlocks(digits);
  const withGaps: Arm[] = [];
  for (const { issuer_id, document_type, block, documents } of blocks) {
    if (documents === BLOCK_SIZE) {
      counted.push({ key: issuer_id, documents: countInBlock(block) });
      continue;
    }
    const first = Number(block) * BLOCK_SIZE;
    const where = sql<SqlBool>`sequential >= ${first} and sequential < ${first + BLOCK_SIZE}
      and document_type = ${document_type} and ${holdsDigits(search, digits)}`;
    withGaps.push({ issuerId: issuer_id, where });
    if (withGaps.length > MOST_WITH_GAPS) return null;
  }
  const found = await countArms(db, search, withGaps);
  return toCounts([
    ...counted,
    ...withGaps.map(({ issuerId }, place) => ({ key: issuerId, documents: found[place] ?? 0 })),
  ]);
}

/** Counts authorized documents: the counts of any status, minus a count of the documents that are not authorized. */
export async function countAuthorized(db: Kysely<CoreTables>, search: Search, ofAnyStatus: Counts): Promise<Counts> {
  const { status: _, ...filter } = search.filter;
  const issuerIds = search.scope.issuerIds.filter((id) => (ofAnyStatus.get(id) ?? 0) > 0);
  const arms = issuerIds.map((issuerId) => ({
    issuerId,
    where: sql<SqlBool>`status_group is not null and ${holdsParts(search, { by: 'rows' })}`,
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
  const { totals, scope } = search;
  if (!totals) return new Map();
  const { from, to } = totals;
  const above = from === null ? EVERY : sql`block > ${totalBlock(from)}`;
  const below = to === null ? EVERY : sql`block < ${totalBlock(to)}`;
  const parts: RawBuilder<unknown>[] = [
    sql`select issuer_id, documents from sri_blocks
      where ${inScope(search)} and sorted_by = 'total' and ${above} and ${below} and ${ofType(search)}`,
  ];
  for (const range of endsOf(from, to)) {
    for (const issuerId of scope.issuerIds) {
      parts.push(sql`select issuer_id, count(*) as documents from sri_documents
        where ${inScope(ofIssuer(search, issuerId))} and ${isBetween(sql`total_cents`, range)} and ${ofType(search)}
        group by issuer_id`);
    }
  }
  const counted: Group[] = [];
  for (let start = 0; start < parts.length; start += MOST_IN_UNION) {
    const some = parts.slice(start, start + MOST_IN_UNION);
    const { rows } = await sql<Group>`select issuer_id as key, ${sumOf(sql.ref('documents'))} as documents
      from (${sql.join(some, sql` union all `)}) as ranges group by issuer_id`.execute(db);
    counted.push(...rows);
  }
  return toCounts(counted);
}

// --- internal ---

const MOST_IN_UNION = 100;

/** Blocks with gaps whose documents cost less than a look at all documents. */
const MOST_WITH_GAPS = 200;

/** The sums of groups by issuer. */
function toCounts(groups: readonly Group[]): Counts {
  const counts = new Map<string, number>();
  for (const { key, documents } of groups) counts.set(String(key), (counts.get(String(key)) ?? 0) + documents);
  return counts;
}

/** The parts of a range that lie in its first and its last block. */
function endsOf(from: number | null, to: number | null): readonly { readonly from: number; readonly to: number }[] {
  const low = from === null ? null : { from, to: endsOfBlock(from).highest };
  const high = to === null ? null : { from: endsOfBlock(to).lowest, to };
  if (low && high && low.to >= high.from) return [{ from: low.from, to: high.to }];
  return [low, high].filter((range) => range !== null);
}
