import { type Ink, PAGE_HEIGHT, PAGE_WIDTH, type Page, type PrintedText, type Rectangle } from './page.js';
import { CAP_HEIGHT, type Glyphs, toGlyphs, type Weight, widthOf } from './typeface.js';

/** The resource name of the font that shows the glyphs of a subset. */
export type FontName = `${'R' | 'B'}${number}`;

/**
 * PDF operators of a page, in its flipped space (`y` down). `under` is covered by the logo, and `over` covers it.
 *
 * @param marks words written large across the page, below everything that is read.
 * @param fonts receives the fonts that the page uses.
 */
export function pageOperators(
  page: Page,
  marks: readonly string[],
  fonts: Set<FontName>,
): { readonly under: string; readonly over: string } {
  const under = [
    `${SHADE.ground} g`,
    ...page.grounds.map((ground) =>
      outline(ground, { top: ground.round === 'top', bottom: ground.round === 'bottom' }),
    ),
    page.grounds.length > 0 ? 'f' : '',
    marksAcross(marks, fonts),
  ];
  const over = [
    `${SHADE.line} G ${HAIR_LINE} w`,
    strokes(page.lines),
    `${SHADE.frame} G ${FRAME_LINE} w`,
    ...page.frames.map((frame) => outline(frame, { top: true, bottom: true })),
    page.frames.length > 0 ? 'S' : '',
    barcode(page),
    texts(page.texts, fonts),
  ];
  return { under: under.filter(Boolean).join('\n'), over: over.filter(Boolean).join('\n') };
}

/** The font of a glyph: its subset's, bold only where the subset has a bold form. */
export function fontOf(glyph: number, weight: Weight): FontName {
  const subset = glyph >> 8;
  return weight === 'bold' && subset === 0 ? 'B0' : `R${subset}`;
}

// --- internal ---

/** Grey levels that a photocopy keeps apart, 0 black to 1 white. */
const SHADE = { ground: 0.925, line: 0.74, frame: 0.5 } as const;
const HAIR_LINE = 0.35;
const FRAME_LINE = 0.7;
const CORNER = 3;
const INKS: Readonly<Record<Ink, string>> = { text: '0.08 g', quiet: '0.36 g', warning: '0.72 0.09 0.09 rg' };
/** A red so pale that small print over it is read, and a copier keeps it. */
const MARK_INK = '0.97 0.885 0.885 rg';
const MARK_ANGLE = (52 * Math.PI) / 180;
const MARK_LENGTH = 640;
/** Below the middle of the page, clear of the barcode. */
const MARK_CENTRE = PAGE_HEIGHT * 0.585;
const MARK_LARGEST = 104;
/** Where cubic curves must be held to draw a quarter of a circle. */
const ROUND = 0.5523;

function number(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

function rectangles(list: readonly Rectangle[]): string {
  return list
    .map(({ x, y, width, height }) => `${number(x)} ${number(y)} ${number(width)} ${number(height)} re`)
    .join('\n');
}

function strokes(list: readonly Rectangle[]): string {
  if (list.length === 0) return '';
  const paths = list.map(
    ({ x, y, width, height }) => `${number(x)} ${number(y)} m ${number(x + width)} ${number(y + height)} l`,
  );
  return `${paths.join('\n')}\nS`;
}

/** A path around a rectangle, with round corners above, below, or both. */
function outline(
  { x, y, width, height }: Rectangle,
  round: { readonly top: boolean; readonly bottom: boolean },
): string {
  const [right, bottom] = [x + width, y + height];
  const [above, below] = [round.top ? CORNER : 0, round.bottom ? CORNER : 0];
  const point = (...at: readonly number[]) => at.map(number).join(' ');
  const corner = (size: number, ...at: readonly number[]) => (size === 0 ? '' : `${point(...at)} c`);
  const held = CORNER * (1 - ROUND);
  return [
    `${point(x + above, y)} m`,
    `${point(right - above, y)} l`,
    corner(above, right - held, y, right, y + held, right, y + above),
    `${point(right, bottom - below)} l`,
    corner(below, right, bottom - held, right - held, bottom, right - below, bottom),
    `${point(x + below, bottom)} l`,
    corner(below, x + held, bottom, x, bottom - held, x, bottom - below),
    `${point(x, y + above)} l`,
    corner(above, x, y + held, x + held, y, x + above, y),
    'h',
  ]
    .filter(Boolean)
    .join('\n');
}

function barcode({ barcodeGround, bars }: Page): string {
  if (bars.length === 0) return '';
  return `1 g\n${rectangles(barcodeGround)}\nf\n0 g\n${rectangles(bars)}\nf`;
}

function texts(list: readonly PrintedText[], fonts: Set<FontName>): string {
  const operators = ['BT'];
  let font = '';
  let ink: Ink | null = null;
  for (const text of list) {
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
  operators.push('ET');
  return operators.join('\n');
}

/** The marks, below each other, rising from the lower left. */
function marksAcross(marks: readonly string[], fonts: Set<FontName>): string {
  if (marks.length === 0) return '';
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
    fonts.add('B0');
    const place = [cosine, -sine, -sine, -cosine, x, y].map(number).join(' ');
    return [`/B0 ${number(size)} Tf`, `${place} Tm`, `${literal(glyphs)} Tj`];
  });
  return ['BT', MARK_INK, ...operators, 'ET'].join('\n');
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

/** A PDF string of the codes of a run; their subset is told by the font. */
function literal(run: string): string {
  let codes = run;
  if (!ONE_SUBSET.test(run)) {
    codes = '';
    for (let index = 0; index < run.length; index += 1) codes += String.fromCharCode(run.charCodeAt(index) & 0xff);
  }
  return `(${codes.replace(/[\\()]/g, '\\$&')})`;
}
