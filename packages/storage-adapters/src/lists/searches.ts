import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { CoreTables } from '../sql/schema.js';
import { type Arm, countArms, type Order, type Slice, selectIds } from './arms.js';
import { EVERY, holdsParts, inScope, isOfAllDays, ofIssuer, type PartLookup, type Search } from './conditions.js';
import {
  type Counts,
  countAuthorized,
  countFiltered,
  countInTotals,
  countNamed,
  countWithDigits,
  type Named,
} from './counts.js';
import { BLOCK_SIZE } from './figures.js';
import { hasPart, numbersWithPart } from './number-parts.js';
import { type FoundPage, isWithin } from './pages.js';
import { groupBy } from './windows.js';

/**
 * Finds a page of documents by name, identification, number, total or words, or sorted by one and filtered. A part that
 * few documents hold is looked up. When nearly every row matches, rows are walked in the order of the list. The choice
 * is made for each issuer. At worst, a walk first passes all documents of other days.
 */
export async function findSearchedPage(
  db: Kysely<CoreTables>,
  search: Search,
  order: Order,
  slice: Slice,
): Promise<FoundPage> {
  const filtered = await countFiltered(db, search);
  const numbers = search.digits === null ? null : await findNumbers(db, search, search.digits);
  const found: Found[] = [];
  for (const meaning of meaningsOf(search)) found.push(...(await findArms(db, meaning, { filtered, numbers })));
  const total = found.reduce((sum, { documents }) => sum + documents, 0);
  if (slice.offset >= total) return { ids: [], total };
  const walk = await findWalk(db, search, order, filtered);
  const share = Math.min(1, (slice.offset + slice.limit) / total);
  // The index of names holds the documents of one name newest first.
  const isInOrder = ({ lookup }: Found) => lookup.by === 'oneName' && order.sortBy === 'createdAt';
  const costOf = (part: Found) => (isInOrder(part) ? share : 1) * part.cost;
  const arms = [...Map.groupBy(found, ({ issuerId }) => issuerId)].flatMap(([issuerId, parts]): readonly Arm[] => {
    const all = filtered.get(issuerId) ?? 0;
    const passed = (walk.passed.get(issuerId) ?? 0) - all + share * all;
    if (parts.reduce((cost, part) => cost + costOf(part), 0) <= passed) {
      return parts.map((part) => ({
        ...armOf(part.meaning, issuerId, part.lookup),
        ...(!isInOrder(part) && { gathered: part.documents }),
      }));
    }
    const { where } = armOf(search, issuerId, { by: 'rows' });
    return [{ issuerId, where: sql`${where} and ${walk.where}`, isByOther: order.sortBy !== 'issueDate' }];
  });
  return { ids: await selectIds(db, search, arms, { ...order, ...slice }), total };
}

// --- internal ---

/** A way to look documents up, and its cost in rows. */
interface Way {
  readonly lookup: PartLookup;
  readonly cost: number;
}

/** The documents of one issuer and one meaning: the way to find them, and their number. */
interface Found extends Way {
  readonly issuerId: string;
  readonly meaning: Search;
  readonly documents: number;
}

/** Numbers that are looked up one by one. */
const MOST_NUMBERS = 10_000;

/** Words that may be a number or a counterparty become two searches that share no document. */
function meaningsOf(search: Search): readonly Search[] {
  const { words } = search;
  if (words?.means !== 'partyOrNumber') return [search];
  const { text } = words;
  return (['party', 'numberOnly'] as const).map((means) => ({ ...search, words: { text, means } }));
}

async function findArms(
  db: Kysely<CoreTables>,
  search: Search,
  { filtered, numbers: ofDigits }: { readonly filtered: Counts; readonly numbers: readonly number[] | null },
): Promise<readonly Found[]> {
  const only = search.words?.means === 'numberOnly' ? search.words.text.sequential : null;
  const numbers = only === null ? ofDigits : search.digits === null || hasPart(only, search.digits) ? [only] : [];
  const named = isOfParty(search) ? await countNamed(db, search) : null;
  const inTotals = search.totals ? await countInTotals(db, search) : null;
  const possible = search.scope.issuerIds.flatMap((issuerId): Omit<Found, 'documents'>[] => {
    const ways: Way[] = [
      ...(numbers ? [{ lookup: { by: 'numbers', numbers } as const, cost: numbers.length }] : []),
      ...(named ? [wayByName(named.get(issuerId))] : []),
      ...(inTotals ? [{ lookup: { by: 'totals' } as const, cost: inTotals.get(issuerId) ?? 0 }] : []),
      { lookup: { by: 'rows' }, cost: filtered.get(issuerId) ?? 0 },
    ];
    const [best] = ways.toSorted((a, b) => a.cost - b.cost);
    return best && best.cost > 0 ? [{ issuerId, meaning: search, ...best }] : [];
  });
  const known = await countKnown(db, search, { filtered, named, inTotals, numbers, possible });
  const counts = known
    ? possible.map(({ issuerId }) => known.get(issuerId) ?? 0)
    : await countEach(db, search, possible);
  return possible.flatMap((entry, place) => {
    const documents = counts[place] ?? 0;
    return documents > 0 ? [{ ...entry, documents }] : [];
  });
}

function wayByName(named: Named | undefined): Way {
  const { documents: cost = 0, onlyName: name = null } = named ?? {};
  return { lookup: name === null ? { by: 'names' } : { by: 'oneName', name }, cost };
}

/** Whether the search has a condition on the counterparty. */
function isOfParty({ name, counterpartyId, words }: Search): boolean {
  return name !== null || counterpartyId !== null || words?.means === 'party';
}

/** The counts known before documents are counted, and the way to each issuer's documents. */
interface Known {
  readonly filtered: Counts;
  readonly named: ReadonlyMap<string, Named> | null;
  readonly inTotals: Counts | null;
  readonly numbers: readonly number[] | null;
  readonly possible: readonly Omit<Found, 'documents'>[];
}

/** The counts of a search that the figures know; null when the documents are counted. */
async function countKnown(db: Kysely<CoreTables>, search: Search, known: Known): Promise<Counts | null> {
  const { digits, totals, words, filter } = search;
  if (words?.means === 'numberOnly') return null;
  const parts = [digits, known.named, totals].filter((part) => part !== null).length;
  if (parts === 0) return known.filtered;
  if (parts > 1 || (filter.status ?? 'AUTHORIZED') !== 'AUTHORIZED') return null;
  if (!known.named) return known.numbers === null ? countByRange(db, search, known) : null;
  if (!isOfAllDays(search)) return null;
  const sum = filter.status === undefined ? 'documents' : 'authorized';
  return new Map([...known.named].map(([issuerId, named]) => [issuerId, named[sum]]));
}

/** Counts a search by total or digits, from the figures or an index. For AUTHORIZED it subtracts other statuses. */
async function countByRange(
  db: Kysely<CoreTables>,
  search: Search,
  { filtered, inTotals, possible }: Known,
): Promise<Counts | null> {
  const { status, ...filter } = search.filter;
  const ofAnyStatus = { ...search, filter };
  if (status !== undefined) {
    const others = sumOfCounts(await countFiltered(db, ofAnyStatus)) - sumOfCounts(filtered);
    // Then it is cheaper to count the documents themselves.
    if (others >= possible.reduce((sum, { cost }) => sum + cost, 0)) return null;
  }
  let counts: Counts | null = null;
  if (isOfAllDays(search)) {
    counts = search.digits === null ? inTotals : await countWithDigits(db, ofAnyStatus, search.digits);
  } else if (status !== undefined && possible.every(({ lookup }) => lookup.by === 'rows')) {
    const each = await countEach(db, ofAnyStatus, possible);
    counts = new Map(possible.map(({ issuerId }, place) => [issuerId, each[place] ?? 0]));
  }
  return counts && status !== undefined ? countAuthorized(db, search, counts) : counts;
}

function countEach(db: Kysely<CoreTables>, search: Search, possible: Known['possible']): Promise<readonly number[]> {
  return countArms(
    db,
    search,
    possible.map(({ issuerId, lookup }) => armOf(search, issuerId, lookup)),
  );
}

function sumOfCounts(counts: Counts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** A walk in the order of the list: the documents that it passes, and the condition that keeps it to them. */
interface Walk {
  readonly passed: Counts;
  readonly where: RawBuilder<SqlBool>;
}

/**
 * Finds the walk. Unless the list is sorted by issue date, the walk also passes documents of other days. Sorted by
 * creation, it stays within the days on which documents of the filter were created.
 */
async function findWalk(db: Kysely<CoreTables>, search: Search, { sortBy }: Order, filtered: Counts): Promise<Walk> {
  const { from: _, to: __, ...filter } = search.filter;
  if (isOfAllDays(search) || sortBy === 'issueDate') return { passed: filtered, where: EVERY };
  const ofAllDays = { ...search, filter };
  if (sortBy !== 'createdAt') return { passed: await countFiltered(db, ofAllDays), where: EVERY };
  const days = await groupBy(db, search, 'created_day');
  const [low, high] = [days.at(0)?.key ?? 0, days.at(-1)?.key ?? 0];
  const passed = await countFiltered(db, ofAllDays, sql`created_day between ${low} and ${high}`);
  return { passed, where: isWithin({ low, high }, sortBy) };
}

function armOf(search: Search, issuerId: string, lookup: PartLookup): Arm {
  return {
    issuerId,
    where: holdsParts(ofIssuer(search, issuerId), lookup),
    isByOther: lookup.by !== 'rows',
    ...(lookup.by === 'numbers' && { index: 'sri_documents_number' }),
  };
}

/** The numbers that contain the digits, up to the last number in this scope; null for too many. */
async function findNumbers(db: Kysely<CoreTables>, search: Search, digits: string): Promise<readonly number[] | null> {
  const { last } = await db
    .selectFrom('sri_blocks')
    .select(sql<string | null>`max(block)`.as('last'))
    .where(inScope(search))
    .where('sorted_by', '=', 'sequential')
    .executeTakeFirstOrThrow();
  return numbersWithPart(digits, last === null ? 0 : (Number(last) + 1) * BLOCK_SIZE - 1, MOST_NUMBERS);
}
