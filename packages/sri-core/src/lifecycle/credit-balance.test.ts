import { describe, expect, it } from 'vitest';
import { buildAccessKey } from '../access-key.js';
import { createMemoryStorage } from '../testing/memory-storage.js';
import { type Sample, sampleScope, storeSample } from '../testing/sample-documents.js';
import type { LifecycleContext } from './context.js';
import { creditBalance } from './credit-balance.js';

const note = (number: string, total: string): Sample => ({
  status: 'AUTHORIZED',
  modifies: { documentType: '01', number },
  total,
});

describe('the balance of a document after its credit notes', () => {
  const storage = createMemoryStorage();
  // Only the storage is used.
  const context = { storage } as LifecycleContext;

  it('the balance of a document is exact, over all given issue points', async () => {
    const [here, there] = [sampleScope('production'), sampleScope('production')];
    const original = await storeSample(storage, { ...here, documentType: '01' }, { total: '0.30' });
    const number = '001-001-000000001';
    const own = await storeSample(storage, { ...here, documentType: '04' }, note(number, '0.10'));
    const other = await storeSample(storage, { ...there, documentType: '04' }, note(number, '0.20'));
    expect(await creditBalance(context, here, original.accessKey, [here.issuerId])).toEqual({
      original,
      creditedTotal: '0.10',
      debitedTotal: '0.00',
      remaining: '0.20',
      creditNotes: [own],
      debitNotes: [],
    });
    const debit = await storeSample(storage, { ...there, documentType: '05' }, note(number, '0.05'));
    const all = await creditBalance(context, here, original.accessKey, [here.issuerId, there.issuerId]);
    expect(all).toMatchObject({ creditedTotal: '0.30', debitedTotal: '0.05', remaining: '0.05', debitNotes: [debit] });
    expect(all.creditNotes.map(({ id }) => id).toSorted()).toEqual([own.id, other.id].toSorted());
  });

  it('the balance of a document ignores a note of another taxpayer on the same number', async () => {
    const [here, there] = [sampleScope(), sampleScope()];
    const original = await storeSample(storage, { ...here, documentType: '01' });
    const accessKey = buildAccessKey({
      issueDate: '21/11/2026',
      documentType: '04',
      ruc: '1790099999001',
      environment: 'sandbox',
      branchCode: '001',
      issuePointCode: '001',
      sequential: 1,
      numericCode: '00000001',
    });
    await storeSample(storage, { ...there, documentType: '04' }, { ...note('001-001-000000001', '1.00'), accessKey });
    const balance = await creditBalance(context, here, original.accessKey, [here.issuerId, there.issuerId]);
    expect(balance).toMatchObject({ creditedTotal: '0.00', remaining: '115.00', creditNotes: [] });
  });

  it('the balance requires the document', async () => {
    await expect(creditBalance(context, sampleScope(), '1'.repeat(49), [])).rejects.toMatchObject({
      code: 'DOCUMENT_NOT_FOUND',
    });
  });
});
