import { FIRST_CODE, type FontSubset } from './font-subset.js';
import { GREEK_CYRILLIC } from './fonts/greek-cyrillic.js';
import { LATIN } from './fonts/latin.js';
import { SYMBOLS } from './fonts/symbols.js';
import { TEXT_BOLD } from './fonts/text-bold.js';
import { TEXT_REGULAR } from './fonts/text-regular.js';

/**
 * Text as glyphs: one UTF-16 unit per glyph, the low byte its code and the high byte its subset. Latin text without accents
 * equals its glyphs, a blank is a blank, and slicing or searching works as in any string.
 */
export type Glyphs = string & { readonly __glyphs: unique symbol };

export type Weight = 'regular' | 'bold';

/** The subsets by the high byte of a glyph. Only the first has a bold form; rare letters stay regular. */
export const SUBSETS: Readonly<Record<Weight, readonly FontSubset[]>> = {
  regular: [TEXT_REGULAR, LATIN, GREEK_CYRILLIC, SYMBOLS],
  bold: [TEXT_BOLD, LATIN, GREEK_CYRILLIC, SYMBOLS],
};

/** Height of a capital, in ems; used to centre text in a line. */
export const CAP_HEIGHT = TEXT_REGULAR.capHeight / 1000;

/**
 * The glyphs of any text. An unsupported character becomes a box, one per visible character (an emoji of several parts, a
 * letter with many marks). Invisible characters and direction marks are dropped. Never throws.
 */
export function toGlyphs(text: string): Glyphs {
  if (PLAIN.test(text)) return text as Glyphs;
  return knownGlyphs(text.normalize('NFC')) ?? glyphsOfGraphemes(text);
}

/** Width in points. */
export function widthOf(glyphs: string, weight: Weight, size: number): number {
  const widths = WIDTHS[weight];
  let total = 0;
  for (let index = 0; index < glyphs.length; index += 1) total += widths[glyphs.charCodeAt(index)] ?? 0;
  return (total * size) / 1000;
}

/** Width of one glyph in thousandths of an em, for code that walks through a text. */
export function glyphWidth(glyph: number, weight: Weight): number {
  return WIDTHS[weight][glyph] ?? 0;
}

// --- internal ---

/** Printable ASCII: these characters are their own glyphs. */
const PLAIN = /^[ -~]*$/;
const BLANK = 0x20;
const BOX = 0x7f;
/** In the table below: the character is dropped. No glyph has this number. */
const NOTHING = 1;
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{M}\p{Emoji_Modifier}]$/u;
const TABLE_SIZE = 0x3001;

const WIDTHS: Readonly<Record<Weight, Uint16Array>> = {
  regular: widthTable(SUBSETS.regular),
  bold: widthTable(SUBSETS.bold),
};

/** Glyphs by character; 0 for a character without one. */
const GLYPHS = glyphTable();

const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' });

function glyphOf(character: number): number {
  return GLYPHS[character] ?? 0;
}

/** Null when a character has no glyph. */
function knownGlyphs(text: string): Glyphs | null {
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    const glyph = glyphOf(text.charCodeAt(index));
    if (glyph === 0) return null;
    if (glyph !== NOTHING) result += String.fromCharCode(glyph);
  }
  return result as Glyphs;
}

function glyphsOfGraphemes(text: string): Glyphs {
  let result = '';
  for (const { segment } of graphemes.segment(text)) result += glyphsOfGrapheme(segment.normalize('NFC'));
  return result as Glyphs;
}

/** Supported characters unchanged; else their parts without marks (full-width digits, ligatures, ǎ as a); else one box. */
function glyphsOfGrapheme(grapheme: string): string {
  let result = '';
  let boxed = false;
  for (const character of grapheme) {
    const known = knownGlyphs(character) ?? (INVISIBLE.test(character) ? '' : knownGlyphs(bareParts(character)));
    if (known !== null) result += known;
    else if (!boxed) {
      result += String.fromCharCode(BOX);
      boxed = true;
    }
  }
  return result;
}

function bareParts(character: string): string {
  const parts = character.normalize('NFKD');
  return parts === character ? parts : parts.replace(/\p{M}/gu, '');
}

function widthTable(subsets: readonly FontSubset[]): Uint16Array {
  const table = new Uint16Array(subsets.length << 8);
  for (const [number, subset] of subsets.entries()) table.set(subset.widths, (number << 8) + FIRST_CODE);
  return table;
}

function glyphTable(): Uint16Array {
  const table = new Uint16Array(TABLE_SIZE);
  for (const [number, { characters }] of SUBSETS.regular.entries()) {
    for (let index = 0; index < characters.length; index += 1) {
      const character = characters.charCodeAt(index);
      if (character !== 0 && character < TABLE_SIZE) table[character] ||= (number << 8) | (FIRST_CODE + index);
    }
  }
  for (let control = 0; control < 0xa0; control += 1) if (control < 0x20 || control > 0x7e) table[control] = NOTHING;
  for (const blank of [0x09, 0x0a, 0x0d, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]) table[blank] = BLANK;
  for (let blank = 0x2000; blank <= 0x200a; blank += 1) table[blank] = BLANK;
  for (let mark = 0x200b; mark <= 0x200f; mark += 1) table[mark] = NOTHING; // zero width, direction
  for (let mark = 0x202a; mark <= 0x202e; mark += 1) table[mark] = NOTHING; // direction
  for (let mark = 0x2060; mark <= 0x206f; mark += 1) table[mark] = NOTHING; // joiners, direction
  table[0xad] = NOTHING; // a soft hyphen shows only at a line break, and lines break at blanks
  return table;
}
