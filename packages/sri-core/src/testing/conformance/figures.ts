import assert from 'node:assert/strict';
import type { DocumentFigure, Storage } from '../../storage.js';
import { SAMPLE_TIME, sampleScope, storeSample, storeSamples } from '../sample-documents.js';
import { type ConformanceCase, creditNotesOf, invoicesOf, onStorage, reread } from './case.js';

/** Figures: exact after every store and change, and separate for each scope. */
export const figures: readonly ConformanceCase[] = [
  onStorage('figures add up by day, type and status, and apply the conditions', async (storage) => {
    const scope = sampleScope();
    assert.deepEqual(await storage.documentFigures(scope), []);
    await storeSamples(storage, invoicesOf(scope), [
      { total: '0.10' },
      { total: '0.20' },
      { total: '9999999999999.99', status: 'AUTHORIZED' },
      { total: '1.00', issueDate: '2026-11-22' },
    ]);
    await storeSamples(storage, creditNotesOf(scope), [{ total: '5.00' }]);
    await storeSamples(storage, invoicesOf({ ...scope, environment: 'production' }), [{}]);
    const other = sampleScope();
    await storeSamples(storage, invoicesOf(other), [{}]);
    const authorized = figure({ status: 'AUTHORIZED', total: '9999999999999.99' });
    const signed = figure({ count: 2, total: '0.30' });
    const later = figure({ issueDate: '2026-11-22', total: '1.00' });
    const note = figure({ documentType: '04', total: '5.00' });
    assert.deepEqual(await storage.documentFigures(scope), [authorized, signed, note, later]);
    assert.deepEqual(await storage.documentFigures(scope, { documentType: '01' }), [authorized, signed, later]);
    assert.deepEqual(await storage.documentFigures(scope, { documentType: '07' }), []);
    assert.deepEqual(await storage.documentFigures(scope, { from: '2026-11-22' }), [later]);
    assert.deepEqual(await storage.documentFigures(scope, { to: '2026-11-21', documentType: '04' }), [note]);
    assert.deepEqual(await storage.documentFigures(scope, { from: '2026-11-22', to: '2026-11-21' }), []);
    const both = { issuerIds: [scope.issuerId, other.issuerId], environment: scope.environment };
    assert.deepEqual(await storage.documentFigures(both, { to: '2026-11-21', documentType: '01' }), [
      authorized,
      figure({ count: 3, total: '115.30' }),
    ]);
    assert.deepEqual(await storage.documentFigures({ ...both, issuerIds: [] }), []);
  }),
  onStorage('figures and totals follow every change, also of number, name, date and amount', async (storage) => {
    const scope = sampleScope();
    const counter = invoicesOf(scope);
    const stored = await storeSample(storage, counter, { status: 'RETURNED' });
    await storeSample(storage, counter);
    const set = {
      status: 'SIGNED',
      sequential: 3,
      issueDate: '2026-12-01',
      total: '7.00',
      counterparty: { ...stored.counterparty, name: 'Óscar' },
    } as const;
    await change(storage, stored, { set, takes: { counter, sequential: 3 } });
    assert.deepEqual(await storage.documentFigures(scope), [
      figure({ total: '115.00' }),
      figure({ issueDate: '2026-12-01', total: '7.00' }),
    ]);
    assert.equal(await countOf(storage, scope, { status: 'RETURNED' }), 0);
    assert.equal(await countOf(storage, scope, { from: '2026-12-01' }), 1);
    assert.equal(await countOf(storage, scope, { sequential: '000000001' }), 0);
    assert.equal(await countOf(storage, scope, { sequential: '000000003' }), 1);
    assert.equal(await countOf(storage, scope, { buyerName: 'ÓSCAR' }), 1);
    assert.equal(await countOf(storage, scope, { buyerName: 'fernanda' }), 1);
    await change(storage, await reread(storage, stored), { set: { status: 'AUTHORIZED' } });
    assert.equal(await countOf(storage, scope, { status: 'AUTHORIZED' }), 1);
    // Rejected changes do not affect the figures.
    await change(storage, stored, { set: { status: 'VOIDED', total: '1.00' } }, 'stale');
    assert.deepEqual(await storage.documentFigures(scope, { from: '2026-12-01' }), [
      figure({ status: 'AUTHORIZED', issueDate: '2026-12-01', total: '7.00' }),
    ]);
  }),
  onStorage('figures stay exact under concurrent writes', async (storage, open) => {
    const storages = [storage, await open()];
    const [first] = storages;
    assert(first);
    const scope = sampleScope();
    const counter = invoicesOf(scope);
    const documents = await storeSamples(
      first,
      counter,
      Array.from({ length: 40 }, () => ({ total: '0.01' })),
    );
    await Promise.all(
      documents.map((document, index) =>
        change(storages[index % 2] ?? first, document, { set: { status: index % 4 === 0 ? 'VOIDED' : 'AUTHORIZED' } }),
      ),
    );
    assert.deepEqual(await first.documentFigures(scope), [
      figure({ status: 'AUTHORIZED', count: 30, total: '0.30' }),
      figure({ status: 'VOIDED', count: 10, total: '0.10' }),
    ]);
  }),
];

// --- internal ---

function figure(fields: Partial<DocumentFigure>): DocumentFigure {
  return { documentType: '01', status: 'SIGNED', issueDate: '2026-11-21', count: 1, total: '0.00', ...fields };
}

async function change(
  storage: Storage,
  document: Parameters<Storage['changeDocument']>[0]['document'],
  fields: Pick<Parameters<Storage['changeDocument']>[0], 'set' | 'takes'>,
  expected = 'applied',
): Promise<void> {
  const outcome = await storage.changeDocument({ document, events: [], responses: [], at: SAMPLE_TIME, ...fields });
  assert.equal(outcome, expected);
}

async function countOf(
  storage: Storage,
  scope: Parameters<Storage['listDocuments']>[0],
  query: Partial<Parameters<Storage['listDocuments']>[1]>,
): Promise<number> {
  const { total, documents } = await storage.listDocuments(scope, { page: 1, limit: 100, ...query });
  assert.equal(documents.length, total);
  return total;
}
