import assert from 'node:assert/strict';
import type { DocumentQuery, Scope, Storage, StoredDocument } from '../../storage.js';
import { matcherOf, selectPage } from '../memory-list.js';
import { SAMPLE_TIME, type Sample, sampleScope, storeSamples } from '../sample-documents.js';
import { after, type ConformanceCase, creditNotesOf, invoicesOf, onStorage, walk } from './case.js';

/** Many documents: every page of every filter and order equals that of the sorted whole. */
export const paging: readonly ConformanceCase[] = [
  onStorage(
    'pages of thousands equal those of the sorted whole, in every order and under every filter',
    async (storage) => {
      const scope = sampleScope();
      const all = await storeThousands(storage, scope);
      await comparePages(storage, scope, all);
    },
  ),
  onStorage('a walk finds every matching document once, in the order of issue, in steps', async (storage) => {
    const scope = sampleScope();
    const all = await storeThousands(storage, scope);
    await storeHundreds(storage, { ...scope, environment: 'production' }, 20);
    await storeHundreds(storage, sampleScope(), 20);
    const sorted = all.toSorted(
      (a, b) =>
        Number(a.issueDate > b.issueDate) - Number(a.issueDate < b.issueDate) ||
        a.createdAt.getTime() - b.createdAt.getTime() ||
        (a.id < b.id ? -1 : 1),
    );
    const unstorable = ['q', 'sequential', 'buyerName', 'buyerId', 'accessKey'].map((name) => ({ [name]: '\0' }));
    for (const filter of [...FILTERS, { accessKey: all[7]?.accessKey ?? '' }, ...unstorable]) {
      const { ids, steps } = await walk(storage, scope, filter);
      const expected = sorted.filter(matcherOf(filter)).map(({ id }) => id);
      assert.deepEqual(ids, expected, JSON.stringify(filter));
      if (expected.length === all.length) assert(steps > 1);
    }
  }),
  onStorage('the documents of several issuers are one list, in every order and under every filter', async (storage) => {
    const [first, second, third, stranger] = [sampleScope(), sampleScope(), sampleScope(), sampleScope()];
    const all = [
      ...(await storeHundreds(storage, first, 300)),
      ...(await storeHundreds(storage, second, 40)),
      ...(await storeHundreds(storage, third, 1)),
    ];
    await storeHundreds(storage, stranger, 50);
    await storeHundreds(storage, { ...first, environment: 'production' }, 50);
    // An id that is named twice counts once.
    const issuerIds = [first, second, third, sampleScope(), first].map(({ issuerId }) => issuerId);
    await comparePages(storage, { issuerIds, environment: first.environment }, all);
  }),
  onStorage('the documents of hundreds of issuers are one list, and no issuer gives an empty list', async (storage) => {
    const scopes = Array.from({ length: 230 }, () => sampleScope());
    const stored = scopes.map((scope, index) => {
      const createdAt = after(SAMPLE_TIME, ((index * 97) % 230) * 1000);
      const counterparty = { idType: '05', id: String(index), name: `Buyer ${index % 7}`, email: null };
      return storeSamples(storage, invoicesOf(scope), [{ createdAt, counterparty }]);
    });
    const all = (await Promise.all(stored)).flat();
    const where = { issuerIds: scopes.map(({ issuerId }) => issuerId), environment: 'sandbox' } as const;
    for (const filter of [{}, { buyerName: '3' }, { q: '1' }, { totalTo: '115' }, { sequential: '1' }]) {
      for (const query of [
        { page: 5, limit: 20 },
        { page: 1, limit: 100, sortBy: 'buyerName' },
      ] as const) {
        const sorted = selectPage(all, { ...filter, ...query, page: 1, limit: all.length }).documents;
        await comparePage(storage, where, sorted, { ...filter, ...query });
      }
    }
    const none = await storage.listDocuments({ ...where, issuerIds: [] }, { page: 1, limit: 10 });
    assert.deepEqual(none, { documents: [], total: 0 });
  }),
];

// --- internal ---

type ListScope = Parameters<Storage['listDocuments']>[0];

async function comparePages(storage: Storage, scope: ListScope, all: readonly StoredDocument[]): Promise<void> {
  const matching = FILTERS.map((filter) => new Set(all.filter(matcherOf(filter))));
  for (const [turn, sort] of SORTS.entries()) {
    const whole = selectPage(all, { ...sort, page: 1, limit: all.length }).documents;
    for (const [index, filter] of FILTERS.entries()) {
      const sorted = whole.filter((document) => matching[index]?.has(document));
      // Every order meets every filter, and each of both meets every place.
      const [place, limit] = PLACES[(turn + index) % PLACES.length] ?? PLACES[0];
      const page = Math.floor((place * sorted.length) / limit) + 1;
      await comparePage(storage, scope, sorted, { ...filter, ...sort, page, limit });
    }
  }
}

/** Compares a page with its part of all matching documents, which are sorted. */
async function comparePage(
  storage: Storage,
  scope: ListScope,
  sorted: readonly StoredDocument[],
  query: DocumentQuery,
): Promise<void> {
  const { page, limit } = query;
  const found = await storage.listDocuments(scope, query);
  assert.deepEqual(
    [found.total, ...found.documents.map(({ id }) => id)],
    [sorted.length, ...sorted.slice((page - 1) * limit, page * limit).map(({ id }) => id)],
    JSON.stringify(query),
  );
}

/** The beginning, middle and end of a list, with the length of the page. */
const PLACES = [
  [0, 7],
  [0.5, 100],
  [0.97, 7],
] as const;

const SORTS: readonly Partial<DocumentQuery>[] = (
  ['createdAt', 'sequential', 'buyerName', 'issueDate', 'status'] as const
).flatMap((sortBy) => [
  { sortBy, sortDirection: 'asc' },
  { sortBy, sortDirection: 'desc' },
]);

const FILTERS: readonly Partial<DocumentQuery>[] = [
  {},
  { documentType: '04' },
  { status: 'AUTHORIZED' },
  { status: 'RETURNED', documentType: '01' },
  { from: '2026-03-01', to: '2026-04-15' },
  { sequential: '11' },
  { sequential: '000001' },
  { sequential: '7' },
  { sequential: '7', documentType: '01' },
  { sequential: '17' },
  { sequential: '1', status: 'RETURNED' },
  { sequential: '7', status: 'AUTHORIZED' },
  { sequential: '7', status: 'AUTHORIZED', from: '2026-03-01', to: '2026-04-15' },
  { buyerName: 'a' },
  { buyerName: 'a', documentType: '04' },
  { buyerName: 'Ñ' },
  { buyerName: 'buyer 17' },
  { buyerName: 'buyer', status: 'AUTHORIZED' },
  { buyerName: 'buyer', status: 'SIGNED' },
  { buyerName: 'buyer', status: 'SIGNED', from: '2026-02-01' },
  { buyerName: 'final', sequential: '9' },
  { buyerId: '9999999999999' },
  { buyerId: '1700000017' },
  { buyerId: '9999999999999', status: 'AUTHORIZED', to: '2026-06-01' },
  { totalFrom: '11.17', totalTo: '11.17' },
  { totalFrom: '15.08', totalTo: '900.01' },
  { totalTo: '1234.5', documentType: '04' },
  { totalFrom: '20', status: 'RETURNED' },
  { totalFrom: '20', status: 'AUTHORIZED' },
  { totalFrom: '20', from: '2026-03-01', to: '2026-04-15' },
  { totalFrom: '20', status: 'AUTHORIZED', documentType: '01', from: '2026-03-01' },
  { q: 'final' },
  { q: '170' },
  { q: '17' },
  { q: '47200', documentType: '01' },
  { q: 'buyer 1', status: 'AUTHORIZED' },
  { q: '1700000017', totalFrom: '10' },
];

async function storeHundreds(storage: Storage, scope: Scope, count: number): Promise<readonly StoredDocument[]> {
  const invoices = Array.from({ length: count }, (_, index) => sampleAt(index * 3));
  const notes = invoices.slice(0, Math.ceil(count / 8));
  return [
    ...(await storeSamples(storage, invoicesOf(scope), invoices)),
    ...(await storeSamples(storage, creditNotesOf(scope), notes)),
  ];
}

async function storeThousands(storage: Storage, scope: Scope) {
  const invoices = Array.from({ length: 2300 }, (_, index) => sampleAt(index));
  const notes = Array.from({ length: 400 }, (_, index) => sampleAt(index * 5));
  const first = await storeSamples(storage, invoicesOf(scope), invoices.slice(0, 2050));
  // A thousand numbers in a row, then a jump that leaves a gap.
  await storage.setNextSequential(invoicesOf(scope), 47_110);
  const second = await storeSamples(storage, invoicesOf(scope), invoices.slice(2050));
  return [...first, ...second, ...(await storeSamples(storage, creditNotesOf(scope), notes))];
}

/** Spread over half a year; documents are issued up to two days before creation, and half go to one buyer. */
function sampleAt(index: number): Sample {
  const createdAt = after(SAMPLE_TIME, (index - 2300) * 6_800_000 - (index % 3));
  const status = (['AUTHORIZED', 'AUTHORIZED', 'AUTHORIZED', 'SIGNED', 'RETURNED', 'AUTHORIZED', 'VOIDED'] as const)[
    index % 7
  ];
  const name = index % 2 === 0 ? 'CONSUMIDOR FINAL' : `${index % 5 === 0 ? 'Ñandú' : 'Buyer'} ${index % 211}`;
  const id = index % 2 === 0 ? '9999999999999' : String(1_700_000_000 + (index % 211));
  return {
    createdAt,
    issueDate: after(createdAt, -(index % 3) * 86_400_000)
      .toISOString()
      .slice(0, 10),
    counterparty: { idType: '05', id, name, email: 'a@b.ec' },
    total: `${(index * 37) % 1500}.${String((index * 17) % 100).padStart(2, '0')}`,
    ...(status && { status }),
  };
}
