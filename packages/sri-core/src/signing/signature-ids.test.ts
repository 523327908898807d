import { describe, expect, it } from 'vitest';
import { SignatureError } from '../errors.js';
import type { Random } from '../random.js';
import { chooseSignatureIds } from './signature-ids.js';

/** Draws 000000, 111111, … 999999, 000000 again. */
function counting(): Random & { readonly draws: number } {
  let draws = 0;
  return {
    get draws() {
      return draws;
    },
    bytes: (count) => new Uint8Array(count).fill(draws++ % 10),
  };
}
const free = chooseSignatureIds(new Set(), counting());

describe('the ids of a signature', () => {
  it('the ids of a signature come from the first draw when the document has none of them', () => {
    const random = counting();
    expect(chooseSignatureIds(new Set(['comprobante']), random)).toEqual(free);
    expect(random.draws).toBe(1);
  });

  it('the ids of a signature differ from one another', () => {
    expect(new Set(Object.values(free)).size).toBe(8);
    for (const id of Object.values(free)) expect(id).toContain('000000');
  });

  it.each(Object.values(free))('the ids of a signature are drawn again when the document uses %s', (taken) => {
    expect(chooseSignatureIds(new Set([taken]), counting()).signature).toBe('Signature111111');
  });

  it('the document is rejected after a hundred draws of ids', () => {
    const taken = new Set(Array.from({ length: 10 }, (_, digit) => `Signature${`${digit}`.repeat(6)}`));
    const random = counting();
    expect(() => chooseSignatureIds(taken, random)).toThrow(SignatureError);
    expect(random.draws).toBe(100);
  });
});
