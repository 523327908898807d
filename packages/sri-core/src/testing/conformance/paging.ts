import assert from 'node:assert/strict';
import type { DocumentQuery, Scope, Storage } from '../../storage.js';
import { selectPage } from '../memory-list.js';
import { SAMPLE_TIME, type Sample, sampleScope, storeSamples } from '../sample-documents.js';
import { after, type ConformanceCase, creditNotesOf, invoicesOf } from './case.js';

/** Many documents: every page of every filter and order equals that of the sorted whole. */
export const paging: readonly ConformanceCase[] = [
  {
    name: 'pages of thousands equal those of the sorted whole, in every order and under every filter',
    async run(open) {
      const storage = await open();
      const scope = sampleScope();
      const all = await storeThousands(storage, scope);
      for (const filter of FILTERS) {
        for (const sort of SORTS) {
          for (const place of [0, 0.5, 0.97]) {
            const limit = place === 0.5 ? 100 : 7;
            const { total: expectedTotal } = selectPage(all, { ...filter, page: 1, limit });
            const page = Math.floor((place * expectedTotal) / limit) + 1;
            const query = { ...filter, ...sort, page, limit };
            const expected = selectPage(all, query);
            const found = await storage.listDocuments(scope, query);
            assert.deepEqual(
              [found.total, found.documents.map(({ id }) => id)],
              [expected.total, expected.documents.map(({ id }) => id)],
              JSON.stringify(query),
            );
          }
        }
      }
    },
  },
];

// --- internal ---

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
  { sequential: '7', documentType: '01' },
  { sequential: '2', status: 'RETURNED' },
  { buyerName: 'a' },
  { buyerName: 'Ñ' },
  { buyerName: 'buyer 17' },
  { buyerName: 'buyer', status: 'SIGNED', from: '2026-02-01' },
  { buyerName: 'final', sequential: '9' },
];

async function storeThousands(storage: Storage, scope: Scope) {
  const invoices = Array.from({ length: 2300 }, (_, index) => sampleAt(index));
  const notes = Array.from({ length: 400 }, (_, index) => sampleAt(index * 5));
  const first = await storeSamples(storage, invoicesOf(scope), invoices.slice(0, 1500));
  // A jump leaves a gap in the numbers.
  await storage.setNextSequential(invoicesOf(scope), 4711);
  const second = await storeSamples(storage, invoicesOf(scope), invoices.slice(1500));
  return [...first, ...second, ...(await storeSamples(storage, creditNotesOf(scope), notes))];
}

/** Spread over half a year; documents are issued up to two days before creation, and half go to one buyer. */
function sampleAt(index: number): Sample {
  const createdAt = after(SAMPLE_TIME, (index - 2300) * 6_800_000 - (index % 3));
  const status = (['AUTHORIZED', 'AUTHORIZED', 'AUTHORIZED', 'SIGNED', 'RETURNED', 'AUTHORIZED', 'VOIDED'] as const)[
    index % 7
  ];
  const name = index % 2 === 0 ? 'CONSUMIDOR FINAL' : `${index % 5 === 0 ? 'Ñandú' : 'Buyer'} ${index % 211}`;
  return {
    createdAt,
    issueDate: after(createdAt, -(index % 3) * 86_400_000)
      .toISOString()
      .slice(0, 10),
    counterparty: { idType: '05', id: '1710034065', name, email: 'a@b.ec' },
    ...(status && { status }),
  };
}
