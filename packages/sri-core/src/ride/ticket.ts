import { writeAmount } from '../documents/parts/amounts.js';
import { fullTitleOf } from '../documents/parts/ride-blocks.js';
import { documentTypeOf } from '../documents/registry.js';
import type { RideFact, RidePanel, RidePayment, RideRow, RideSum, RideTable } from '../documents/ride-content.js';
import {
  authorizationText,
  emissionText,
  environmentText,
  issuerFacts,
  labelOf,
  methodText,
  termUnitText,
} from './facts.js';
import {
  type Align,
  blankPage,
  heightOf,
  heightOfAll,
  labelledHeight,
  linesOf,
  type Page,
  print,
  printLabelled,
  type Strip,
  type Style,
} from './page.js';
import { paragraphs } from './panel.js';
import { isPreview, numberOf, type Ride, stateMarks } from './ride.js';
import { BARS_WIDTH, DOT, measureBars, measureQr, wholeDots } from './ticket-code.js';
import { printedTimestamp } from './timestamp.js';
import { toGlyphs, widthOf } from './typeface.js';
import { clampLines } from './wrap.js';

/**
 * Lays out a RIDE as a ticket: a roll of 80 mm with 72 mm to print on, in black alone. It has the parts of the A4, below
 * each other. It is one page, unless it grows longer than a PDF page may be.
 */
export function layoutTicket(ride: Ride): readonly Page[] {
  const { document } = ride;
  const { blocks, sums, payments } = documentTypeOf(document.documentType).ride(document);
  return toPages([
    ...marks(ride),
    ...issuer(ride),
    ...codes(ride),
    ...blocks.flatMap((block) => ('rows' in block ? table(block) : panel(block))),
    ...(sums.length > 0 ? [RULE, ...sums.flatMap(sum)] : []),
    ...(payments.length > 0 ? [RULE, ...lines('Forma de pago', BOLD), ...payments.flatMap(payment)] : []),
    ...additionalInfo(ride),
    ...marks(ride),
  ]);
}

// --- internal ---

/** The place of a text: its left edge and width. */
interface Column {
  readonly x: number;
  readonly width: number;
  readonly align?: Align;
}

const PAPER_WIDTH = 640 * DOT;
const LEFT = 32 * DOT;
const WIDTH = 576 * DOT;
const MARGIN = 32 * DOT;
/** The longest side of a PDF page is 14,400 points (ISO 32000-1, annex C). */
const LONGEST = 14_000;
const WHOLE: Column = { x: LEFT, width: WIDTH };
const CENTRED: Column = { ...WHOLE, align: 'center' };

const TEXT: Style = { size: 8, ink: 'black', leading: 1.2 };
const BOLD: Style = { ...TEXT, weight: 'bold' };
const SMALL: Style = { ...TEXT, size: 7.2 };
const CAPTION: Style = { ...SMALL, weight: 'bold', size: 6.6 };
const TITLE: Style = { ...BOLD, size: 11.5 };
const TOTAL: Style = { ...BOLD, size: 11 };
/** Room for twice the 300 characters of the schema: a detail has a name and a value. */
const MOST_LINES = 24;
const LOGO = { width: 440 * DOT, height: 176 * DOT };
/** The space between the bars and the column to their right. */
const GUTTER = 24 * DOT;

const RULE: Strip = {
  height: 16 * DOT,
  print: (page, y) => page.rules.push({ x: LEFT, y: wholeDots(y + 7 * DOT), width: WIDTH, height: DOT }),
};

function gap(dots: number): Strip {
  return { height: dots * DOT, print: () => {} };
}

/** One strip a line. */
function lines(text: string, style: Style, { x, width, align = 'left' }: Column = WHOLE): readonly Strip[] {
  return clampLines(linesOf(text, style, width), MOST_LINES).map((line) => ({
    height: heightOf(1, style),
    print: (page, y) => void print(page, [line], style, { x, y, width, align }),
  }));
}

function facts(list: readonly RideFact[], { x, width }: Column = WHOLE): readonly Strip[] {
  const inBlack = paragraphs(list, width, TEXT, MOST_LINES);
  return inBlack.map((text) => ({
    height: labelledHeight(text),
    print: (page, y) => void printLabelled(page, text, x, y),
  }));
}

function printAll(strips: readonly Strip[], page: Page, top: number): void {
  let y = top;
  for (const strip of strips) {
    strip.print(page, y);
    y += strip.height;
  }
}

/** Strips below each other, on pages as long as they need. */
function toPages(strips: readonly Strip[]): readonly Page[] {
  const pages: Page[] = [];
  for (let from = 0; from < strips.length; ) {
    let to = from;
    let height = 2 * MARGIN;
    while (to < strips.length && (to === from || height + (strips[to]?.height ?? 0) <= LONGEST)) {
      height += strips[to]?.height ?? 0;
      to += 1;
    }
    const page = blankPage({ width: PAPER_WIDTH, height: wholeDots(height) });
    printAll(strips.slice(from, to), page, MARGIN);
    pages.push(page);
    from = to;
  }
  return pages;
}

/** A line for each state without validity, between rules. */
function marks(ride: Ride): readonly Strip[] {
  const states = stateMarks(ride);
  if (states.length === 0) return [];
  return [RULE, ...states.flatMap((state) => lines(state, TITLE, CENTRED)), RULE];
}

function issuer(ride: Ride): readonly Strip[] {
  const { businessName, tradeName, rimpe, ruc } = ride.document.issuer;
  const names = tradeName === null || tradeName === businessName ? [businessName] : [tradeName, businessName];
  return [
    ...logo(ride),
    ...names.flatMap((name, index) => lines(name, index === 0 ? TITLE : BOLD, CENTRED)),
    ...lines(`R.U.C. ${ruc}`, BOLD, CENTRED),
    gap(8),
    ...facts(issuerFacts(ride.document.issuer)),
    ...(rimpe === null ? [] : lines(rimpe, BOLD)),
    RULE,
  ];
}

function logo({ logo: pixels }: Ride): readonly Strip[] {
  if (!pixels) return [];
  const scale = Math.min(LOGO.width / pixels.width, LOGO.height / pixels.height, 1);
  const [width, height] = [pixels.width * scale, pixels.height * scale];
  return [
    {
      height: height + 12 * DOT,
      print: (page, y) => page.logo.push({ x: LEFT + (WIDTH - width) / 2, y, width, height }),
    },
  ];
}

/** The document with its key: bars along the paper, texts and QR code to their right. A preview has no codes. */
function codes(ride: Ride): readonly Strip[] {
  const { document, authorization } = ride;
  const key = isPreview(ride) ? '' : document.accessKey;
  const [bars, qr] = [measureBars(key), measureQr(key)];
  const x = bars ? LEFT + BARS_WIDTH + GUTTER : LEFT;
  const column = { x, width: LEFT + WIDTH - x };
  const fact = (caption: string, value: string) => [
    ...lines(caption, CAPTION, column),
    ...lines(value, TEXT, column),
    gap(4),
  ];
  const texts = [
    ...lines(fullTitleOf(document.documentType), TITLE, column),
    ...lines(`No. ${numberOf(document)}`, { ...BOLD, size: 10 }, column),
    gap(8),
    ...fact('NÚMERO DE AUTORIZACIÓN', authorizationText(ride)),
    ...fact('FECHA Y HORA DE AUTORIZACIÓN', authorization ? printedTimestamp(authorization.date) : '—'),
    ...fact('AMBIENTE', environmentText(ride)),
    ...fact('EMISIÓN', emissionText(ride)),
    ...fact('CLAVE DE ACCESO', document.accessKey),
  ];
  const below = heightOfAll(texts) + 12 * DOT;
  const height = Math.max(bars?.height ?? 0, below + (qr ? qr.height + 32 * DOT : 0));
  return [
    {
      height: wholeDots(height) + DOT,
      print(page, y) {
        const top = wholeDots(y);
        bars?.print(page, LEFT, top);
        printAll(texts, page, top);
        qr?.print(page, wholeDots(x + (column.width - qr.width) / 2), wholeDots(top + below));
      },
    },
    RULE,
  ];
}

function panel({ left, right, below = [] }: RidePanel): readonly Strip[] {
  return [...facts([...left, ...right, ...below]), RULE];
}

/** Each row under its widest text: the other cells in one paragraph, and the amount of the last column on their right. */
function table({ columns, rows }: RideTable): readonly Strip[] {
  const last = columns.length - 1;
  const amountAt = columns[last]?.align === 'right' ? last : -1;
  const wideAt = columns.findIndex(({ limits }) => !limits);
  const title = (at: number) => columns[at]?.title ?? '';
  return [...pair(title(wideAt), title(amountAt), BOLD), ...rows.flatMap((row) => [gap(4), ...rowStrips(row)]), gap(8)];

  function rowStrips({ cells, details }: RideRow): readonly Strip[] {
    const others = columns.flatMap(({ title: whole, short = whole }, index) => {
      const text = cells[index] ?? '';
      return index === wideAt || index === amountAt || text === '' ? [] : [`${short} ${text}`];
    });
    return [
      ...lines(cells[wideAt] ?? '', TEXT),
      ...details.flatMap(({ name, value }) => lines(`${labelOf(name)} ${value}`, SMALL)),
      ...pair(others.join(' · '), cells[amountAt] ?? '', SMALL, TEXT),
    ];
  }
}

/** A text on the left, and an amount on the right of its last line. */
function pair(text: string, amount: string, style: Style, amountStyle = style): readonly Strip[] {
  const taken =
    amount === '' ? 0 : widthOf(toGlyphs(amount), amountStyle.weight ?? 'regular', amountStyle.size) + 12 * DOT;
  const strips = lines(text, style, { x: LEFT, width: WIDTH - taken });
  const height = heightOf(1, amountStyle);
  const end = strips.at(-1);
  if (!end || amount === '') return strips;
  return [
    ...strips.slice(0, -1),
    {
      height: Math.max(end.height, height),
      print(page, y) {
        end.print(page, y + Math.max(height - end.height, 0) / 2);
        print(page, linesOf(amount, amountStyle, WIDTH), amountStyle, { ...WHOLE, y, align: 'right' });
      },
    },
  ];
}

function sum({ label, amount, strong }: RideSum): readonly Strip[] {
  return strong ? [gap(4), ...pair(label, amount, TOTAL), gap(4)] : pair(label, amount, TEXT);
}

function payment(way: RidePayment): readonly Strip[] {
  const term = way.term === null ? '' : ` · ${way.term} ${termUnitText(way)}`;
  return pair(`${methodText(way)}${term}`, writeAmount(way.total), TEXT);
}

function additionalInfo({ document }: Ride): readonly Strip[] {
  const { additionalInfo: fields } = document;
  if (fields.length === 0) return [];
  return [
    RULE,
    ...lines('Información adicional', BOLD),
    ...facts(fields.map(({ name, value }) => [labelOf(name), value])),
  ];
}
