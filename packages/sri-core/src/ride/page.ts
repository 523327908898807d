import { CAP_HEIGHT, type Glyphs, toGlyphs, type Weight, widthOf } from './typeface.js';
import { wrap } from './wrap.js';

/** A4 in points; `y` grows downwards. */
export const PAGE_WIDTH = 595.28;
export const PAGE_HEIGHT = 841.89;

/** The printable area: margins that every office printer reaches, and a strip below for the page number. */
export const LEFT = 26;
export const RIGHT = PAGE_WIDTH - 26;
export const TOP = 26;
export const BOTTOM = PAGE_HEIGHT - 46;
export const WIDTH = RIGHT - LEFT;

/** Shades by their use. */
export type Ink = 'text' | 'black' | 'quiet' | 'warning' | 'mark';

export interface PrintedText {
  readonly x: number;
  /** Position of the base line. */
  readonly y: number;
  readonly glyphs: Glyphs;
  readonly weight: Weight;
  readonly size: number;
  readonly ink: Ink;
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A tinted ground. The edge `round` lies in the round corners of a frame. */
export interface Ground extends Rectangle {
  readonly round?: 'top' | 'bottom';
}

/** The parts of one page, by layer. `draw.ts` decides their order. All lengths in points. */
export interface Page {
  readonly width: number;
  readonly height: number;
  readonly texts: PrintedText[];
  /** Frames with round corners. */
  readonly frames: Rectangle[];
  /** Tinted grounds, below everything. */
  readonly grounds: Ground[];
  /** Hairlines: a rectangle of zero width or zero height. */
  readonly lines: Rectangle[];
  /** Black bars of the barcode, on white. */
  readonly bars: Rectangle[];
  readonly barcodeGround: Rectangle[];
  /** Black lines, for paper without greys. */
  readonly rules: Rectangle[];
  /** The dark parts of a QR code. */
  readonly squares: Rectangle[];
  readonly logo: Rectangle[];
}

/** An empty page. Default: A4. */
export function blankPage({ width, height } = { width: PAGE_WIDTH, height: PAGE_HEIGHT }): Page {
  const layers = { texts: [], frames: [], grounds: [], lines: [], bars: [], barcodeGround: [] };
  return { width, height, ...layers, rules: [], squares: [], logo: [] };
}

/** The style of a text. */
export interface Style {
  readonly size: number;
  readonly weight?: Weight;
  readonly ink?: Ink;
  /** Line height as a multiple of the size; default 1.25. */
  readonly leading?: number;
}

export type Align = 'left' | 'right' | 'center';

/** The height of so many lines. */
export function heightOf(lines: number, style: Style): number {
  return lines * style.size * (style.leading ?? LEADING);
}

/** Breaks a text to lines of a width. */
export function linesOf(text: string, style: Style, width: number, indent = 0): readonly Glyphs[] {
  return wrap(toGlyphs(text), { weight: style.weight ?? 'regular', size: style.size, width, indent });
}

/**
 * Prints lines below each other from `at.y` down.
 *
 * @returns the `y` below them.
 */
export function print(
  page: Page,
  lines: readonly Glyphs[],
  style: Style,
  at: { readonly x: number; readonly y: number; readonly width?: number; readonly align?: Align },
): number {
  const { size, weight = 'regular', ink = 'text', leading = LEADING } = style;
  let { y } = at;
  for (const glyphs of lines) {
    const baseLine = y + (size * (leading + CAP_HEIGHT)) / 2;
    if (glyphs !== '') page.texts.push({ x: start(glyphs, weight, size, at), y: baseLine, glyphs, weight, size, ink });
    y += size * leading;
  }
  return y;
}

/** A bold label and its value in one paragraph, measured. */
export interface LabelledText {
  readonly label: readonly Glyphs[];
  /** The indent of the value's first line; 0 when the value starts below its label. */
  readonly indent: number;
  readonly value: readonly Glyphs[];
  readonly style: Style;
}

/** Sets «**Label:** value» to lines of a width. A label that leaves its value no room goes above it. */
export function labelled(label: string, value: string, style: Style, width: number): LabelledText {
  const bold: Style = { ...style, weight: 'bold' };
  const indent = widthOf(toGlyphs(`${label} `), 'bold', style.size);
  const isLong = indent + widthOf(toGlyphs(value), style.weight ?? 'regular', style.size) > width;
  if (isLong && indent > width * LONGEST_LABEL) {
    return { label: linesOf(label, bold, width), indent: 0, value: linesOf(value, style, width), style };
  }
  return { label: [toGlyphs(label)], indent, value: linesOf(value, style, width, indent), style };
}

/** @returns the `y` below the paragraph. */
export function printLabelled(page: Page, { label, indent, value, style }: LabelledText, x: number, y: number): number {
  const below = print(page, label, { ...style, weight: 'bold' }, { x, y });
  if (indent === 0) return print(page, value, style, { x, y: below });
  print(page, value.slice(0, 1), style, { x: x + indent, y });
  return print(page, value.slice(1), style, { x, y: below });
}

/** The height of a labelled paragraph. */
export function labelledHeight({ label, indent, value, style }: LabelledText): number {
  return heightOf(value.length + (indent === 0 ? label.length : 0), style);
}

/** A piece that is never split: its height, and its print function with its top at `y`. */
export interface Strip {
  readonly height: number;
  readonly print: (page: Page, y: number) => void;
}

/** The height of strips below each other. */
export function heightOfAll(strips: readonly Strip[]): number {
  return strips.reduce((total, { height }) => total + height, 0);
}

// --- internal ---

const LEADING = 1.25;
/** Share of the width that a label may take next to its value. */
const LONGEST_LABEL = 0.65;

function start(
  glyphs: Glyphs,
  weight: Weight,
  size: number,
  at: { readonly x: number; readonly width?: number; readonly align?: Align },
): number {
  if (at.width === undefined || at.align === undefined || at.align === 'left') return at.x;
  const free = at.width - widthOf(glyphs, weight, size);
  return at.x + (at.align === 'right' ? free : free / 2);
}
