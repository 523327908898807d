import { describe, expect, it } from 'vitest';
import { encodeCode128, modulesOf } from './barcode.js';

/** Splits the widths back into symbols of six elements, and the stop of seven. */
function symbols(widths: readonly number[]): string[] {
  const text = widths.join('');
  return [...(text.slice(0, -7).match(/.{6}/g) ?? []), text.slice(-7)];
}

function hexRow(widths: readonly number[]): string {
  const bits = widths.map((width, index) => (index % 2 === 0 ? '1' : '0').repeat(width)).join('');
  return (bits.padEnd(Math.ceil(bits.length / 4) * 4, '0').match(/.{4}/g) ?? [])
    .map((nibble) => Number.parseInt(nibble, 2).toString(16).toUpperCase())
    .join('');
}

describe('encodeCode128', () => {
  it.each([
    // Start C 105, the pairs, check = (105 + Σ position × value) mod 103, stop.
    { digits: '1234', patterns: ['211232', '112232', '131123', '121241', '2331112'] }, // check 185 mod 103 = 82
    { digits: '00', patterns: ['211232', '212222', '222221', '2331112'] }, // 105 mod 103 = 2
    { digits: '99', patterns: ['211232', '113141', '311141', '2331112'] }, // 204 mod 103 = 101
    // The switch to B is symbol 100, and the digit 7 is 16 + 7 there: 386 mod 103 = 77.
    { digits: '127', patterns: ['211232', '112232', '114131', '312131', '413111', '2331112'] },
  ])('encodes the digits $digits', ({ digits, patterns }) => {
    expect(symbols(encodeCode128(digits) ?? [])).toEqual(patterns);
  });

  it('encodes the same symbol as other encoders', () => {
    // Rows of modules as hexadecimal digits, made with an independent encoder.
    const rows = { 99: 'D3977BAF63AC', 123456: 'D396722C7168DD8EB' };
    for (const [digits, row] of Object.entries(rows)) expect(hexRow(encodeCode128(digits) ?? [])).toBe(row);
  });

  it('an access key needs 321 modules', () => {
    expect(modulesOf(encodeCode128('0503201201176001321000110010030009900641234567814') ?? [])).toBe(321);
  });

  it('gives every symbol 11 modules, three bars and an even sum of bars', () => {
    for (let pair = 0; pair < 100; pair += 1) {
      const pattern = symbols(encodeCode128(String(pair).padStart(2, '0')) ?? [])[1] ?? '';
      const elements = Array.from(pattern, Number);
      expect(modulesOf(elements)).toBe(11);
      expect(elements.filter((_, index) => index % 2 === 0).reduce((a, b) => a + b, 0) % 2).toBe(0);
    }
  });

  it.each(['', '1', '12a4', '١٢٣٤', ' 12', '-1'])('returns no symbol for %j', (text) => {
    expect(encodeCode128(text)).toBeNull();
  });
});
