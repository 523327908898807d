import assert from 'node:assert/strict';
import type { Storage } from '../../storage.js';
import { SAMPLE_TIME, type Sample, sampleScope, storeSample } from '../sample-documents.js';
import { after, type ConformanceCase, creditNotesOf, invoicesOf, onStorage } from './case.js';

const NUMBER = '001-002-000000007';
const MODIFIED = { documentType: '01', number: NUMBER };
const AUTHORIZED: Sample = {
  status: 'AUTHORIZED',
  modifies: MODIFIED,
  authorization: { number: '1'.repeat(49), date: '2026-11-21T07:30:00-05:00' },
};
const CREDIT_NOTES = { types: ['04'] } as const;
const QUESTION = { environment: 'sandbox', ...MODIFIED } as const;

/** Credit notes found by the document they modify. */
export const crediting: readonly ConformanceCase[] = [
  onStorage(
    'the authorized credit notes of a document are found in every given issuer, newest first',
    async (storage) => {
      const [here, there, elsewhere] = [sampleScope(), sampleScope(), sampleScope()];
      const first = await storeNote(storage, here, { createdAt: SAMPLE_TIME });
      const second = await storeNote(storage, there, { createdAt: after(SAMPLE_TIME, 1) });
      const third = await storeNote(storage, here, { createdAt: after(SAMPLE_TIME, 2), total: '0.01' });
      await storeNote(storage, elsewhere);
      const found = await storage.documentsThatModify([here.issuerId, there.issuerId], QUESTION, CREDIT_NOTES);
      assert.deepEqual(found, [third, second, first]);
      assert.deepEqual(await storage.documentsThatModify([], QUESTION, CREDIT_NOTES), []);
    },
  ),
  onStorage('the credit notes of a document exclude another status, document, type or environment', async (storage) => {
    const scope = sampleScope();
    for (const status of ['SIGNED', 'PENDING_SEND', 'RECEIVED', 'RETURNED', 'NOT_AUTHORIZED', 'VOIDED'] as const) {
      await storeNote(storage, scope, { status });
    }
    await storeNote(storage, scope, { modifies: { documentType: '01', number: '001-002-000000008' } });
    await storeNote(storage, scope, { modifies: { documentType: '04', number: NUMBER } });
    await storeNote(storage, { ...scope, environment: 'production' });
    await storeSample(storage, invoicesOf(scope), { status: 'AUTHORIZED' });
    assert.deepEqual(await storage.documentsThatModify([scope.issuerId], QUESTION, CREDIT_NOTES), []);
    await storeNote(storage, scope);
    const ofOtherTypes = { types: ['01'] } as const;
    assert.deepEqual(await storage.documentsThatModify([scope.issuerId], QUESTION, ofOtherTypes), []);
    assert.deepEqual(await storage.documentsThatModify([scope.issuerId], QUESTION, { types: [] }), []);
    assert.deepEqual(
      await storage.documentsThatModify([scope.issuerId], { ...QUESTION, number: '\0' }, CREDIT_NOTES),
      [],
    );
  }),
  onStorage('credit notes are found for any number of issuers', async (storage) => {
    const scope = sampleScope();
    const note = await storeNote(storage, scope);
    const many = Array.from({ length: 3000 }, () => sampleScope().issuerId);
    assert.deepEqual(await storage.documentsThatModify([...many, scope.issuerId], QUESTION, CREDIT_NOTES), [note]);
  }),
];

// --- internal ---

function storeNote(storage: Storage, scope: ReturnType<typeof sampleScope>, sample: Sample = {}) {
  return storeSample(storage, creditNotesOf(scope), { ...AUTHORIZED, ...sample });
}
