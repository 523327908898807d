import type { Ink, PrintedText } from './page.js';
import type { Glyphs, Weight } from './typeface.js';

/** The resource name of a subset's font. */
export type FontName = `${'R' | 'B'}${number}`;

/**
 * PDF operators that show texts, in the flipped space of a page (`y` down).
 *
 * @param fonts receives the fonts that the texts use.
 */
export function textOperators(texts: readonly PrintedText[], fonts: Set<FontName>): Uint8Array {
  const operators = ['BT'];
  let font = '';
  let ink: Ink | null = null;
  for (const text of texts) {
    if (text.ink !== ink) {
      ink = text.ink;
      operators.push(INKS[ink]);
    }
    operators.push(`1 0 0 -1 ${number(text.x)} ${number(text.y)} Tm`);
    for (const run of runs(text.glyphs)) {
      const name = fontOf(run.charCodeAt(0), text.weight);
      const wanted = `/${name} ${number(text.size)} Tf`;
      fonts.add(name);
      if (wanted !== font) {
        font = wanted;
        operators.push(font);
      }
      operators.push(`${literal(run)} Tj`);
    }
  }
  operators.push('ET', ''); // the line ends, so that the next operator starts on its own line
  return Buffer.from(operators.join('\n'), 'latin1');
}

// --- internal ---

const INKS: Readonly<Record<Ink, string>> = {
  text: '0.08 g',
  // A thermal head prints greys as dots.
  black: '0 g',
  quiet: '0.36 g',
  warning: '0.72 0.09 0.09 rg',
  // Pale enough for small print on top, dark enough for a copier.
  mark: '0.97 0.885 0.885 rg',
};

function number(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** The font of a glyph: its subset's font, bold only if the subset has a bold form. */
function fontOf(glyph: number, weight: Weight): FontName {
  const subset = glyph >> 8;
  return weight === 'bold' && subset === 0 ? 'B0' : `R${subset}`;
}

/** Pieces of a text with all glyphs in one subset. */
function runs(glyphs: Glyphs): readonly string[] {
  if (ONE_SUBSET.test(glyphs)) return [glyphs];
  const pieces: string[] = [];
  let from = 0;
  for (let index = 1; index <= glyphs.length; index += 1) {
    if (index === glyphs.length || glyphs.charCodeAt(index) >> 8 !== glyphs.charCodeAt(from) >> 8) {
      pieces.push(glyphs.slice(from, index));
      from = index;
    }
  }
  return pieces;
}

const ONE_SUBSET = /^[\0-\xff]*$/;

/** A PDF string of the codes of a run. The font selects their subset. */
function literal(run: string): string {
  let codes = run;
  if (!ONE_SUBSET.test(run)) {
    codes = '';
    for (let index = 0; index < run.length; index += 1) codes += String.fromCharCode(run.charCodeAt(index) & 0xff);
  }
  return `(${codes.replace(/[\\()]/g, '\\$&')})`;
}
