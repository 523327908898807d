import { describe, expect, it } from 'vitest';
import { packDigest, packId, unpackDigest, unpackId } from './packed-text.js';

describe('ids and digests as they are stored', () => {
  it.each([
    ['01990000-0000-7000-8000-00000000000a', 23],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', 23],
    ['01990000-0000-7000-8000-00000000000A', 36],
    ['event-1', 7],
    ['', 0],
  ])('%s takes %i characters and comes back', (id, length) => {
    expect(packId(id)).toHaveLength(length);
    expect(unpackId(packId(id))).toBe(id);
  });

  it.each([
    ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 44],
    ['9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08', 64],
    ['', 0],
  ])('%s takes %i characters and comes back', (digest, length) => {
    expect(packDigest(digest)).toHaveLength(length);
    expect(unpackDigest(packDigest(digest))).toBe(digest);
  });

  it('reads what earlier versions stored', () => {
    expect(unpackId('01990000-0000-7000-8000-00000000000a')).toBe('01990000-0000-7000-8000-00000000000a');
    expect(unpackDigest('ab'.repeat(32))).toBe('ab'.repeat(32));
  });
});
