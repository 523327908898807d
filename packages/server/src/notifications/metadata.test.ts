import { describe, expect, it } from 'vitest';
import { packMetadata, unpackMetadata } from './metadata.js';

const KEY = '2111202601179001234500110010010000000011234567813';
const named = (fields: object) => ({ documents: [{ accessKey: KEY, total: '1.00', ...fields }], count: 1 });

describe('metadata of a notification', () => {
  it.each([
    { name: 'documents authorized under their access keys', metadata: named({ authorizationNumber: KEY }) },
    { name: 'a document authorized under another number', metadata: named({ authorizationNumber: '123' }) },
    { name: 'no documents', metadata: { daysRemaining: 3, issuerId: 'x' } },
  ])('metadata is restored unchanged: $name', ({ metadata }) => {
    const kept = JSON.stringify(packMetadata(metadata));
    // Also as text, in the same order of fields.
    expect(JSON.stringify(unpackMetadata(JSON.parse(kept)))).toBe(JSON.stringify(metadata));
  });

  it('packed metadata stores an authorization number equal to the access key once', () => {
    const kept = JSON.stringify(packMetadata(named({ authorizationNumber: KEY })));
    expect(kept.split(KEY)).toHaveLength(2);
  });
});
