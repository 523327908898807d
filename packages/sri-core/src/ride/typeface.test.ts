import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SUBSETS, toGlyphs, widthOf } from './typeface.js';
import { clampLines, wrap } from './wrap.js';

const BOX = '\ufffd';

function readBack(text: string): string {
  return charactersOf(toGlyphs(text));
}

/** The copied text of the PDF: the character of each glyph. */
function charactersOf(glyphs: string): string {
  return Array.from(glyphs, (glyph) => {
    const number = glyph.charCodeAt(0);
    return SUBSETS.regular[number >> 8]?.characters[(number & 255) - 32] ?? '';
  }).join('');
}

describe('toGlyphs', () => {
  it.each([
    { name: 'Spanish', text: 'ÁÉÍÓÚÜÑáéíóúüñ¿?¡!ªº«»—–…“”', shown: 'ÁÉÍÓÚÜÑáéíóúüñ¿?¡!ªº«»—–…“”' },
    { name: 'accents as separate marks', text: 'cafe\u0301 n\u0303andu\u0301', shown: 'café ñandú' },
    { name: 'measures', text: '½″ × ¾′ ⅛ 5 Ω 40 °C ±2 m² m³ µm', shown: '½″ × ¾′ ⅛ 5 Ω 40 °C ±2 m² m³ µm' },
    { name: 'currencies', text: '$ € £ ¥ ₿', shown: '$ € £ ¥ ₿' },
    { name: 'other Latin letters', text: 'Łódź, Žižka, Şükrü, Đặng', shown: 'Łódź, Žižka, Şükrü, Đặng' },
    { name: 'names in transcription', text: 'Lǐ Xiǎolóng, Muḥammad', shown: 'Li Xiaolóng, Muhammad' },
    { name: 'Greek and Cyrillic', text: 'αβγ Ωμέγα, Россия', shown: 'αβγ Ωμέγα, Россия' },
    { name: 'symbols', text: '→ ≤ ≥ ✓ ■ ★ ①', shown: '→ ≤ ≥ ✓ ■ ★ ①' },
    { name: 'full-width digits and ligatures', text: '１２３ ﬁn ㎏', shown: '123 fin kg' },
    { name: 'emoji', text: 'Café 😀', shown: `Café ${BOX}` },
    { name: 'an emoji of several parts', text: '👨‍👩‍👧‍👦👍🏽🇪🇨', shown: BOX.repeat(3) },
    { name: 'Chinese', text: '厄瓜多尔', shown: BOX.repeat(4) },
    { name: 'Arabic', text: 'قهوة', shown: BOX.repeat(4) },
    { name: 'lone surrogates', text: 'a\ud800b\udc00c', shown: `a${BOX}b${BOX}c` },
    { name: 'direction overrides', text: 'ab\u202ecd\u202c\u2066ef\u2069', shown: 'abcdef' },
    { name: 'zero width and soft hyphens', text: 'a\u200bb\u200d\ufeffc\u00add', shown: 'abcd' },
    { name: 'a tower of marks', text: `Z${'\u0334\u0353\u0329'.repeat(40)}a`, shown: 'Za' },
    { name: 'all kinds of blanks', text: 'a\tb\nc\u2003d\u202fe\u3000f', shown: 'a b c d e f' },
    { name: 'control characters', text: 'a\u0000b\u0007c\u007fd\u0085e', shown: 'abcde' },
    { name: 'PDF operators', text: ') Tj ET Q (\\', shown: ') Tj ET Q (\\' },
  ])('toGlyphs shows $name', ({ text, shown }) => {
    expect(readBack(text)).toBe(shown);
  });

  it('toGlyphs never throws, and returns only glyphs with a width', () => {
    const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      anyUnits.map((units) => String.fromCharCode(...units)),
    );
    fc.assert(
      fc.property(anyText, fc.constantFrom('regular' as const, 'bold' as const), (text, weight) => {
        expect(Array.from(toGlyphs(text)).filter((glyph) => widthOf(glyph, weight, 10) === 0)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('toGlyphs keeps every character of every subset', () => {
    for (const { characters } of SUBSETS.regular) {
      for (const character of characters.replaceAll('\0', '')) {
        if (character !== '\u00a0') expect(readBack(character)).toBe(character.normalize('NFC'));
      }
    }
  });
});

describe('wrap', () => {
  const line = { weight: 'regular', size: 8 } as const;

  it('`wrap` breaks at blanks, and inside a word that is wider than the line', () => {
    const text = toGlyphs(`Taladro percutor ${'x'.repeat(60)} con maletín`);
    const lines = wrap(text, { ...line, width: 90 });
    expect(lines[0]).toBe('Taladro percutor');
    expect(lines.slice(1, -1).join('')).toMatch(/^x+/);
    expect(lines.join(' ').replaceAll(/(?<=x) (?=x)/g, '')).toBe(text);
  });

  it('`wrap` leaves room for a label on the first line only', () => {
    const lines = wrap(toGlyphs('uno dos tres cuatro cinco'), { ...line, width: 60, indent: 45 });
    expect(lines[0]).toBe('uno');
    expect(lines[1]).toBe('dos tres cuatro');
  });

  it('`wrap` continues below a label that leaves no room', () => {
    expect(wrap(toGlyphs('palabra'), { ...line, width: 60, indent: 58 })).toEqual(['', 'palabra']);
  });

  it('`wrap` loses no word, and no line is too wide unless a single glyph is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zA-ZñÑá0-9@.-]{1,40}$/), { maxLength: 30 }),
        fc.integer({ min: 4, max: 200 }),
        fc.integer({ min: 0, max: 80 }),
        (words, width, indent) => {
          const text = toGlyphs(words.join(' '));
          const lines = wrap(text, { ...line, width, indent: Math.min(indent, width) });
          expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
          for (const [index, glyphs] of lines.entries()) {
            const free = index === 0 && lines.length > 1 ? width - Math.min(indent, width) : width;
            if (glyphs.length > 1) expect(widthOf(glyphs, 'regular', 8)).toBeLessThanOrEqual(free + 0.001);
          }
        },
      ),
    );
  });

  it('`wrap` marks a cut', () => {
    const lines = wrap(toGlyphs('uno dos tres cuatro cinco seis'), { ...line, width: 40 });
    expect(clampLines(lines, 2)).toHaveLength(2);
    expect(charactersOf(clampLines(lines, 2)[1] ?? '')).toMatch(/.…$/);
    expect(clampLines(lines, 99)).toBe(lines);
  });
});
