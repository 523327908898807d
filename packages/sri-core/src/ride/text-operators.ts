import { type Ink, PAGE_HEIGHT, PAGE_WIDTH, type PrintedText } from './page.js';
import { CAP_HEIGHT, type Glyphs, toGlyphs, type Weight, widthOf } from './typeface.js';

/** The resource name of the font that shows the glyphs of a subset. */
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
  return bytesOf([...operators, 'ET']);
}

/** PDF operators that write marks large across a page, below each other, rising from the lower left. */
export function markOperators(marks: readonly string[], fonts: Set<FontName>): Uint8Array {
  if (marks.length === 0) return new Uint8Array();
  const [cosine, sine] = [Math.cos(MARK_ANGLE), Math.sin(MARK_ANGLE)];
  const lines = marks.map((mark) => {
    const glyphs = toGlyphs(mark);
    const size = Math.min(MARK_LENGTH / widthOf(glyphs, 'bold', 1), MARK_LARGEST);
    return { glyphs, size, width: widthOf(glyphs, 'bold', size) };
  });
  const height = lines.reduce((total, { size }) => total + size * 1.3, 0);
  let below = -height / 2;
  const operators = lines.flatMap(({ glyphs, size, width }) => {
    const base = below + (size * (1.3 + CAP_HEIGHT)) / 2;
    below += size * 1.3;
    const x = PAGE_WIDTH / 2 - (width / 2) * cosine + base * sine;
    const y = MARK_CENTRE + (width / 2) * sine + base * cosine;
    const place = [cosine, -sine, -sine, -cosine, x, y].map(number).join(' ');
    return [`/B0 ${number(size)} Tf`, `${place} Tm`, `${literal(glyphs)} Tj`];
  });
  fonts.add('B0');
  return bytesOf(['BT', MARK_INK, ...operators, 'ET']);
}

// --- internal ---

const INKS: Readonly<Record<Ink, string>> = { text: '0.08 g', quiet: '0.36 g', warning: '0.72 0.09 0.09 rg' };
/** A red so pale that small print over it is read, and a copier keeps it. */
const MARK_INK = '0.97 0.885 0.885 rg';
const MARK_ANGLE = (52 * Math.PI) / 180;
const MARK_LENGTH = 640;
/** Below the middle of the page, clear of the barcode. */
const MARK_CENTRE = PAGE_HEIGHT * 0.585;
const MARK_LARGEST = 104;

function number(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** The font of a glyph: its subset's, bold only where the subset has a bold form. */
function fontOf(glyph: number, weight: Weight): FontName {
  const subset = glyph >> 8;
  return weight === 'bold' && subset === 0 ? 'B0' : `R${subset}`;
}

/** Pieces of a text whose glyphs are in one subset. */
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

/** A PDF string of the codes of a run; the font says which subset they are of. */
function literal(run: string): string {
  let codes = run;
  if (!ONE_SUBSET.test(run)) {
    codes = '';
    for (let index = 0; index < run.length; index += 1) codes += String.fromCharCode(run.charCodeAt(index) & 0xff);
  }
  return `(${codes.replace(/[\\()]/g, '\\$&')})`;
}

/** One byte a character. */
function bytesOf(operators: readonly string[]): Uint8Array {
  return Buffer.from(`${operators.join('\n')}\n`, 'latin1');
}
