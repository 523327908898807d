import assert from 'node:assert/strict';
import type { DocumentQuery, Scope, Storage } from '../../storage.js';
import { SAMPLE_TIME, type Sample, sampleAccessKey, sampleScope, storeSamples } from '../sample-documents.js';
import { after, type ConformanceCase, creditNotesOf, invoicesOf, onStorage, strangersOf, walk } from './case.js';

/** Lists: filters combine, parts are literal, the order is total, and the count covers all pages. */
export const listing: readonly ConformanceCase[] = [
  onStorage('a list without filters has all documents of the scope, newest created first', async (storage) => {
    const scope = sampleScope();
    await storeSamples(storage, invoicesOf(scope), [{ createdAt: after(SAMPLE_TIME, 2) }, {}]);
    await storeSamples(storage, creditNotesOf(scope), [{ createdAt: after(SAMPLE_TIME, 1) }]);
    await storeSamples(storage, invoicesOf({ ...scope, environment: 'production' }), [{}]);
    await storeSamples(storage, invoicesOf(sampleScope()), [{}]);
    const { documents, total } = await storage.listDocuments(scope, { page: 1, limit: 10 });
    assert.equal(total, 3);
    assert.deepEqual(
      documents.map((document) => [document.documentType, document.sequential]),
      [
        ['01', 1],
        ['04', 1],
        ['01', 2],
      ],
    );
  }),
  onStorage('a list applies each filter, alone and combined', async (storage) => {
    const scope = await storeSamplePile(storage);
    for (const [filter, expected] of FILTERS) {
      const { documents, total } = await storage.listDocuments(scope, { ...filter, page: 1, limit: 100 });
      const found = documents.map((document) => document.sequential).toSorted((a, b) => a - b);
      assert.deepEqual([found, total], [expected, expected.length], JSON.stringify(filter));
    }
  }),
  onStorage('the access key, current or former, finds the one document of its scope', async (storage) => {
    const scope = sampleScope();
    const [stored, other] = await storeSamples(storage, invoicesOf(scope), [{ status: 'RETURNED' }, {}]);
    assert(stored && other);
    const accessKey = sampleAccessKey(invoicesOf(scope), 1);
    const set = { status: 'SIGNED', accessKey } as const;
    await storage.changeDocument({ document: stored, set, events: [], responses: [], at: SAMPLE_TIME });
    const found = async (query: Partial<DocumentQuery>, where = scope) => {
      const { documents, total } = await storage.listDocuments(where, { page: 1, limit: 10, ...query });
      return [total, ...documents.map(({ id }) => id)];
    };
    for (const key of [stored.accessKey, accessKey]) {
      assert.deepEqual(await found({ accessKey: key }), [1, stored.id]);
      assert.deepEqual(await found({ q: key }), [1, stored.id]);
      assert.deepEqual(await found({ accessKey: key, page: 2 }), [1]);
      assert.deepEqual(await found({ accessKey: key, status: 'RETURNED' }), [0]);
      assert.deepEqual(await found({ accessKey: key, sequential: '2' }), [0]);
      assert.deepEqual(await found({ accessKey: key, q: other.accessKey }), [0]);
      assert.deepEqual((await walk(storage, scope, { accessKey: key })).ids, [stored.id]);
      for (const stranger of strangersOf(scope)) {
        assert.deepEqual(await found({ accessKey: key }, stranger), [0]);
        assert.deepEqual((await walk(storage, stranger, { accessKey: key })).ids, []);
      }
    }
  }),
  onStorage('a list has each order in both directions, equal documents newest first', async (storage) => {
    const scope = await storeSamplePile(storage);
    for (const [sort, expected] of ORDERS) {
      const { documents } = await storage.listDocuments(scope, { ...sort, page: 1, limit: 100 });
      assert.deepEqual(
        documents.map((document) => document.sequential),
        expected,
        JSON.stringify(sort),
      );
    }
  }),
  onStorage('documents of one instant also have a fixed order, newest first', async (storage) => {
    const scope = sampleScope();
    const stored = await storeSamples(
      storage,
      invoicesOf(scope),
      Array.from({ length: 20 }, () => ({})),
    );
    const ids = stored.map((document) => document.id).toSorted();
    const idsOf = async (query: Partial<DocumentQuery>) => {
      const { documents } = await storage.listDocuments(scope, { page: 1, limit: 100, ...query });
      return documents.map((document) => document.id);
    };
    assert.deepEqual(await idsOf({}), ids.toReversed());
    assert.deepEqual(await idsOf({ sortDirection: 'asc' }), ids);
    assert.deepEqual(await idsOf({ sortBy: 'status', sortDirection: 'asc' }), ids.toReversed());
    assert.deepEqual(await idsOf({ sortBy: 'buyerName' }), ids.toReversed());
  }),
  onStorage('pages follow one another without overlap, and end empty', async (storage) => {
    const scope = sampleScope();
    await storeSamples(
      storage,
      invoicesOf(scope),
      Array.from({ length: 25 }, (_, index) => ({
        createdAt: after(SAMPLE_TIME, index),
        status: index < 7 ? 'RECEIVED' : 'SIGNED',
      })),
    );
    const pages = [];
    const ofStatuses = [];
    for (const page of [1, 2, 3, 4, 1_000_000]) {
      const { documents, total } = await storage.listDocuments(scope, { page, limit: 10 });
      assert.equal(total, 25);
      pages.push(documents.map((document) => document.sequential));
      const sorted = await storage.listDocuments(scope, { sortBy: 'status', sortDirection: 'desc', page, limit: 10 });
      ofStatuses.push(sorted.documents.map((document) => document.sequential));
    }
    assert.deepEqual(
      pages.map((page) => page.length),
      [10, 10, 5, 0, 0],
    );
    // The second page begins in one status and ends in the other.
    assert.deepEqual(ofStatuses, pages);
    assert.deepEqual(
      pages.flat(),
      Array.from({ length: 25 }, (_, index) => 25 - index),
    );
  }),
  onStorage('pages by name have each document once, also when one name is the beginning of others', async (storage) => {
    const scope = sampleScope();
    // UTF-16 sorts the llama before the yen, code points after it.
    const names = ['\u{10ffff}'.repeat(5), ...'3M,3M,3M,3M ECUADOR,3M ECUADOR,3,HP,HP INC,🦙2,🦙2A,￥'.split(',')];
    await storeSamples(
      storage,
      invoicesOf(scope),
      names.map((name, index) => ({ counterparty: named(name), createdAt: after(SAMPLE_TIME, index) })),
    );
    for (const sortDirection of ['asc', 'desc'] as const) {
      const query = { sortBy: 'buyerName', sortDirection } as const;
      const numbers = async (page: number, limit: number) =>
        (await storage.listDocuments(scope, { ...query, page, limit })).documents.map(({ sequential }) => sequential);
      const pages = await Promise.all(names.map((_, index) => numbers(index + 1, 1)));
      assert.deepEqual(pages.flat(), await numbers(1, 100), sortDirection);
      assert.equal(pages.flat().length, names.length);
    }
  }),
  onStorage('a number is searched together with digits that it lacks', async (storage) => {
    const scope = sampleScope();
    // So many numbers hold the digit that a storage may not look them up one by one.
    await storage.setNextSequential(invoicesOf(scope), 50_222);
    await storeSamples(storage, invoicesOf(scope), [{}]);
    for (const [sequential, expected] of [
      ['1', 0],
      ['5', 1],
    ] as const) {
      const { total } = await storage.listDocuments(scope, { q: '50222', sequential, page: 1, limit: 10 });
      assert.equal(total, expected, sequential);
    }
    // Neighbours on both sides of a thousand.
    await storage.setNextSequential(invoicesOf(scope), 50_999);
    await storeSamples(storage, invoicesOf(scope), [{}, {}]);
    assert.equal((await storage.listDocuments(scope, { sequential: '0', page: 1, limit: 10 })).total, 3);
    const last = { sortBy: 'sequential', sortDirection: 'desc', page: 1, limit: 1 } as const;
    assert.equal((await storage.listDocuments(scope, last)).documents[0]?.sequential, 51_000);
  }),
];

// --- internal ---

/** Numbers 1 to 8, created a second apart in this order. */
const PILE: readonly Sample[] = [
  { status: 'SIGNED', issueDate: '2026-11-01', counterparty: named('Ñandú S.A.', '1790012345001'), total: '0.00' },
  { status: 'RECEIVED', issueDate: '2026-11-02', counterparty: named('NANDU S.A.'), total: '9.99' },
  { status: 'AUTHORIZED', issueDate: '2026-11-02', counterparty: named('100% natural'), total: '10.00' },
  { status: 'AUTHORIZED', issueDate: '2026-11-03', counterparty: named('100 natural'), total: '112.50' },
  { status: 'SIGNED', issueDate: '2026-12-31', counterparty: named('a_b\\c', 'AB%12345'), total: '112.51' },
  { status: 'VOIDED', issueDate: '2027-01-01', counterparty: named('aXb/c', 'AB_12345'), total: '112.99' },
  // Decomposed, as some systems write it: n and a combining tilde.
  { status: 'RETURNED', issueDate: '2026-11-02', counterparty: named('mun\u0303oz'), total: '113.00' },
  { status: 'SIGNED', issueDate: '2026-11-02', counterparty: named('ΟΔΥΣΣΕΥΣ 🦙 7'), total: '9999999999999.99' },
];

const FILTERS: readonly (readonly [Partial<DocumentQuery>, readonly number[]])[] = [
  [{ status: 'SIGNED' }, [1, 5, 8]],
  [{ status: 'NOT_AUTHORIZED' }, []],
  [{ documentType: '01' }, [1, 2, 3, 4, 5, 6, 7, 8]],
  [{ documentType: '04' }, []],
  [{ documentType: '07' }, []],
  [{ from: '2026-11-03' }, [4, 5, 6]],
  [{ to: '2026-11-02' }, [1, 2, 3, 7, 8]],
  [{ from: '2026-11-02', to: '2026-11-02' }, [2, 3, 7, 8]],
  [{ from: '2026-11-03', to: '2026-11-02' }, []],
  [{ sequential: '000000007' }, [7]],
  [{ sequential: '0007' }, [7]],
  [{ sequential: '7' }, [7]],
  [{ sequential: '0000' }, [1, 2, 3, 4, 5, 6, 7, 8]],
  [{ sequential: '%' }, []],
  [{ sequential: '\u0000' }, []],
  [{ sequential: '_' }, []],
  [{ sequential: 'a' }, []],
  [{ buyerName: 'ñandú' }, [1]],
  [{ buyerName: 'ÑAND' }, [1]],
  [{ buyerName: 'nandu' }, [2]],
  [{ buyerName: 'MUÑ' }, [7]],
  [{ buyerName: 'mun\u0303' }, [7]],
  [{ buyerName: 'S.A' }, [1, 2]],
  [{ buyerName: '%' }, [3]],
  [{ buyerName: '0% n' }, [3]],
  [{ buyerName: '_' }, [5]],
  [{ buyerName: '\\' }, [5]],
  [{ buyerName: 'b\\c' }, [5]],
  [{ buyerName: 'B/C' }, [6]],
  [{ buyerName: 'οδυσσευς' }, [8]],
  [{ buyerName: 'υσ' }, [8]],
  [{ buyerName: '🦙' }, [8]],
  [{ buyerName: "' OR 1=1 --" }, []],
  [{ buyerName: '\u0000' }, []],
  [{ buyerName: 'x'.repeat(300) }, []],
  [
    { status: 'SIGNED', buyerName: 'Ñ', from: '2026-11-01', to: '2026-11-01', sequential: '1', documentType: '01' },
    [1],
  ],
  [{ status: 'RECEIVED', buyerName: 'ñ' }, []],
  [{ status: 'AUTHORIZED', buyerName: '100' }, [3, 4]],
  [{ status: 'AUTHORIZED', buyerName: 'A' }, [3, 4]],
  [{ status: 'AUTHORIZED', buyerName: 's.a' }, []],
  [{ status: 'SIGNED', buyerName: 'a' }, [1, 5]],
  [{ buyerId: '1790012345001' }, [1]],
  [{ buyerId: '179001234500' }, []],
  [{ buyerId: '1710034065', status: 'AUTHORIZED' }, [3, 4]],
  [{ buyerId: '1710034065', buyerName: 's.a' }, [2]],
  [{ buyerId: '1790012345001', buyerName: 'nandu' }, []],
  [{ buyerId: '\u0000' }, []],
  [{ totalFrom: '9.99', totalTo: '9.99' }, [2]],
  [{ totalFrom: '112.5', totalTo: '112.50' }, [4]],
  [{ totalFrom: '112.51', totalTo: '113' }, [5, 6, 7]],
  [{ totalFrom: '9.99', totalTo: '112.98' }, [2, 3, 4, 5]],
  [{ totalFrom: '113.01' }, [8]],
  [{ totalTo: '0' }, [1]],
  [{ totalTo: '10.00', documentType: '01' }, [1, 2, 3]],
  [{ totalTo: '10.00', documentType: '04' }, []],
  [{ totalFrom: '10', status: 'SIGNED' }, [5, 8]],
  [{ totalFrom: '113', totalTo: '112' }, []],
  [{ totalFrom: '112.60', totalTo: '112.55' }, []],
  [{ totalFrom: '1000000000000000000000000000' }, []],
  [{ totalFrom: '100', buyerName: 'a' }, [4, 5, 6]],
  [{ q: ' ÑANDÚ ' }, [1]],
  [{ q: 'ab' }, [5, 6]],
  [{ q: 'AB%' }, [5]],
  [{ q: 'ab_1' }, [6]],
  [{ q: '%' }, [3]],
  [{ q: '\\' }, [5]],
  [{ q: '1710034065' }, [2, 3, 4, 7, 8]],
  [{ q: '710034065' }, []],
  [{ q: '1790012345001' }, [1]],
  [{ q: '7' }, [7, 8]],
  [{ q: '7', status: 'RETURNED' }, [7]],
  [{ q: '7', buyerName: 'ΟΔΥΣ' }, [8]],
  [{ q: '8' }, [8]],
  [{ q: '0000004' }, [4]],
  [{ q: '100' }, [3, 4]],
  [{ q: '001-001-000000002' }, [2]],
  [{ q: '001-001-2' }, [2]],
  [{ q: '001-002-000000002' }, []],
  [{ q: '0'.repeat(49) }, []],
  [{ q: '\u0000' }, []],
  [{ q: 'ñ%'.repeat(50_000) }, []],
  [{ accessKey: '\u0000' }, []],
  [{ accessKey: '1' }, []],
];

const ORDERS: readonly (readonly [Partial<DocumentQuery>, readonly number[]])[] = [
  [{}, [8, 7, 6, 5, 4, 3, 2, 1]],
  [{ sortDirection: 'asc' }, [1, 2, 3, 4, 5, 6, 7, 8]],
  [{ sortBy: 'createdAt', sortDirection: 'desc' }, [8, 7, 6, 5, 4, 3, 2, 1]],
  [{ sortBy: 'sequential' }, [8, 7, 6, 5, 4, 3, 2, 1]],
  [{ sortBy: 'sequential', sortDirection: 'asc' }, [1, 2, 3, 4, 5, 6, 7, 8]],
  [{ sortBy: 'issueDate' }, [6, 5, 4, 8, 7, 3, 2, 1]],
  [{ sortBy: 'issueDate', sortDirection: 'asc' }, [1, 8, 7, 3, 2, 4, 5, 6]],
  [{ sortBy: 'status' }, [6, 8, 5, 1, 7, 2, 4, 3]],
  [{ sortBy: 'status', sortDirection: 'asc' }, [4, 3, 2, 7, 8, 5, 1, 6]],
  [{ sortBy: 'buyerName', sortDirection: 'asc' }, [4, 3, 5, 6, 7, 2, 1, 8]],
  [{ sortBy: 'buyerName' }, [8, 1, 2, 7, 6, 5, 3, 4]],
];

function named(name: string, id = '1710034065') {
  return { idType: '05', id, name, email: 'a@b.ec' };
}

async function storeSamplePile(storage: Storage): Promise<Scope> {
  const scope = sampleScope();
  const samples = PILE.map((sample, index) => ({ ...sample, createdAt: after(SAMPLE_TIME, index * 1000) }));
  await storeSamples(storage, invoicesOf(scope), samples);
  return scope;
}
