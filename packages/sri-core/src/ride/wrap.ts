import { type Glyphs, glyphWidth, toGlyphs, type Weight, widthOf } from './typeface.js';

export interface WrapOptions {
  readonly weight: Weight;
  readonly size: number;
  /** Width of a line in points. */
  readonly width: number;
  /** Points that the first line leaves free for a label before the text. */
  readonly indent?: number;
}

/**
 * Breaks text into lines at blanks, and inside words wider than a line. There is at least one line, which may be empty: with
 * an indent, a first word that does not fit next to the label goes below it.
 */
export function wrap(glyphs: Glyphs, options: WrapOptions): readonly Glyphs[] {
  const { weight, size, width, indent = 0 } = options;
  if (widthOf(glyphs, weight, size) <= width - indent) return [glyphs];
  const full = (width * 1000) / size;
  const lines: string[] = [];
  let line = '';
  let free = full - (indent * 1000) / size;
  for (const word of glyphs.split(' ')) {
    let rest = word;
    let needed = emsOf(rest, weight);
    const blank = line === '' ? 0 : glyphWidth(BLANK, weight);
    if (needed + blank <= free) {
      line += blank === 0 ? rest : ` ${rest}`;
      free -= needed + blank;
      continue;
    }
    if (line !== '' || (indent > 0 && lines.length === 0)) {
      lines.push(line);
      line = '';
      free = full;
    }
    while (needed > full && rest.length > 1) {
      const piece = rest.slice(0, fitting(rest, weight, full));
      lines.push(piece);
      rest = rest.slice(piece.length);
      needed -= emsOf(piece, weight); // measuring the rest again would take quadratic time
    }
    line = rest;
    free = full - needed;
  }
  lines.push(line);
  return lines as Glyphs[];
}

/** Cuts to a number of lines; a cut text ends with an ellipsis. */
export function clampLines(lines: readonly Glyphs[], most: number): readonly Glyphs[] {
  if (lines.length <= most) return lines;
  const kept = lines.slice(0, most);
  kept[most - 1] = `${(lines[most - 1] ?? '').slice(0, -1)}${ELLIPSIS}` as Glyphs;
  return kept;
}

// --- internal ---

const BLANK = 0x20;
const ELLIPSIS = toGlyphs('…');

function emsOf(glyphs: string, weight: Weight): number {
  return widthOf(glyphs, weight, 1000);
}

/** The number of glyphs that fit, at least one. */
function fitting(glyphs: string, weight: Weight, full: number): number {
  let used = 0;
  for (let index = 0; index < glyphs.length; index += 1) {
    used += glyphWidth(glyphs.charCodeAt(index), weight);
    if (used > full) return Math.max(index, 1);
  }
  return glyphs.length;
}
