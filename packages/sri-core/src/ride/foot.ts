import { writeAmount } from '../documents/parts/amounts.js';
import type { NameValue } from '../documents/parts/prepared.js';
import type { RideContent, RidePayment, RideSum } from '../documents/ride-content.js';
import { labelOf, methodText, termUnitText } from './facts.js';
import {
  heightOf,
  heightOfAll,
  LEFT,
  labelled,
  labelledHeight,
  linesOf,
  print,
  printLabelled,
  RIGHT,
  type Strip,
  type Style,
  WIDTH,
} from './page.js';
import type { Ride } from './ride.js';
import { nextSheet, type Sheets, spaceLeft, WHOLE_SHEET } from './sheets.js';
import { toGlyphs, widthOf } from './typeface.js';
import { clampLines } from './wrap.js';

/** The sums, next to the additional information and the payments, which take the full width without sums; measured only. */
export interface Foot {
  /** The height that must fit on one page, below the last line. */
  readonly together: number;
  readonly print: (sheets: Sheets, ride: Ride) => void;
}

/** Measures the foot of a document. */
export function measureFoot({ sums, payments: ways }: RideContent, info: readonly NameValue[]): Foot {
  const totals = sums.map((row, index, rows) => toTotalStrip(row, index === rows.length - 1));
  const width = sums.length > 0 ? TOTALS_LEFT - GAP - LEFT : WIDTH;
  const sections = [additionalInfo(info, width), payments(ways, width)].filter(({ strips }) => strips.length > 0);
  const totalsHeight = heightOfAll(totals);
  const left = sections.reduce((height, section) => height + sectionHeight(section) + GAP, 0);
  const whole = Math.max(totalsHeight, left);
  // A short foot is never split. In a long one, the sums start where they fit and the rest flows on.
  const together = whole <= WHOLE_SHEET * LONGEST_WHOLE ? whole : Math.max(totalsHeight, leastStart(sections));
  return {
    together: together + GAP,
    print: (sheets, ride) => {
      if (together + GAP > spaceLeft(sheets)) nextSheet(sheets, ride);
      else sheets.y += GAP;
      const { page, y } = sheets;
      printTotals(sheets, totals, ride);
      if (sheets.page === page)
        sheets.y = y; // the lists are next to the sums
      else sheets.y += GAP;
      for (const section of sections) {
        printSection(sheets, section, ride);
        sheets.y += GAP;
      }
    },
  };
}

// --- internal ---

/** A framed list under a heading, which repeats on each further page. */
interface Section {
  readonly width: number;
  readonly heading: Strip;
  readonly strips: readonly Strip[];
}

const GAP = 7;
/** Share of a page: a longer foot may be split rather than leave so much of a page empty. */
const LONGEST_WHOLE = 0.55;
const PADDING = 5;
const TOTALS_WIDTH = 204;
const TOTALS_LEFT = RIGHT - TOTALS_WIDTH;
const AMOUNT_WIDTH = 74;
const SMALL: Style = { size: 7.4 };
const HEADING: Style = { size: 7.4, weight: 'bold' };
/** Room for twice the 300 characters of the schema. */
const MOST_LINES = 14;

function toTotalStrip(row: RideSum, isLast: boolean): Strip {
  const style: Style = row.strong ? { size: 9, weight: 'bold' } : SMALL;
  const labelWidth = TOTALS_WIDTH - AMOUNT_WIDTH - 2 * PADDING;
  const label = clampLines(linesOf(row.label, row.strong ? style : HEADING, labelWidth), MOST_LINES);
  const size = widthOf(toGlyphs(row.amount), style.weight ?? 'regular', style.size) > AMOUNT_WIDTH ? SMALL : style;
  const amount = clampLines(linesOf(row.amount, size, AMOUNT_WIDTH), 1);
  const height = heightOf(label.length, style) + (row.strong ? 6 : 3.4);
  return {
    height,
    print: (page, y) => {
      const ground = { x: TOTALS_LEFT, y, width: TOTALS_WIDTH, height };
      if (row.strong) page.grounds.push(isLast ? { ...ground, round: 'bottom' } : ground);
      const top = y + (height - heightOf(label.length, style)) / 2;
      print(page, label, row.strong ? style : HEADING, { x: TOTALS_LEFT + PADDING, y: top });
      const x = TOTALS_LEFT + PADDING + labelWidth;
      print(page, amount, size, { x, y: top, width: AMOUNT_WIDTH, align: 'right' });
    },
  };
}

/** Prints the sums below each other. Only a list longer than a page continues on another page. */
function printTotals(sheets: Sheets, strips: readonly Strip[], ride: Ride): void {
  if (strips.length === 0) return;
  let top = sheets.y;
  const close = () => {
    const height = sheets.y - top;
    sheets.page.lines.push({ x: RIGHT - AMOUNT_WIDTH - PADDING, y: top, width: 0, height });
    sheets.page.frames.push({ x: TOTALS_LEFT, y: top, width: TOTALS_WIDTH, height });
  };
  for (const strip of strips) {
    if (strip.height > spaceLeft(sheets)) {
      close();
      nextSheet(sheets, ride);
      top = sheets.y;
    }
    if (sheets.y > top) sheets.page.lines.push({ x: TOTALS_LEFT, y: sheets.y, width: TOTALS_WIDTH, height: 0 });
    strip.print(sheets.page, sheets.y);
    sheets.y += strip.height;
  }
  close();
}

function additionalInfo(fields: readonly NameValue[], width: number): Section {
  const strips = fields.map(({ name, value }): Strip => {
    const text = labelled(labelOf(name), value, SMALL, width - 2 * PADDING);
    const paragraph = { ...text, label: clampLines(text.label, MOST_LINES), value: clampLines(text.value, MOST_LINES) };
    return {
      height: labelledHeight(paragraph) + 2,
      print: (page, y) => void printLabelled(page, paragraph, LEFT + PADDING, y + 1),
    };
  });
  return { width, heading: headingStrip([{ text: 'Información adicional', x: 0, width }], width), strips };
}

function payments(list: readonly RidePayment[], width: number): Section {
  const columns: readonly ListColumn[] = [
    { text: 'Forma de pago', x: 0, width: width - 160 },
    { text: 'Valor', x: width - 160, width: 72, align: 'right' },
    { text: 'Plazo', x: width - 88, width: 40, align: 'right' },
    { text: 'Tiempo', x: width - 48, width: 48 },
  ];
  const strips = list.map((payment): Strip => {
    const { total, term } = payment;
    const cells = [methodText(payment), writeAmount(total), term ?? '', termUnitText(payment)].map((text, index) =>
      clampLines(linesOf(text, SMALL, (columns[index]?.width ?? 0) - 2 * PADDING), 4),
    );
    return {
      height: heightOf(Math.max(...cells.map((lines) => lines.length)), SMALL) + 2,
      print: (page, y) => {
        for (const [index, lines] of cells.entries()) {
          const column = columns[index];
          if (column) print(page, lines, SMALL, { ...inside(column), y: y + 1 });
        }
      },
    };
  });
  return { width, heading: headingStrip(columns, width), strips };
}

/** A column of a list: its left edge and width, inside the list. */
interface ListColumn {
  readonly text: string;
  readonly x: number;
  readonly width: number;
  readonly align?: 'right';
}

function inside({ x, width, align }: ListColumn) {
  return { x: LEFT + x + PADDING, width: width - 2 * PADDING, align: align ?? 'left' } as const;
}

function headingStrip(columns: readonly ListColumn[], width: number): Strip {
  const height = heightOf(1, HEADING) + 4;
  return {
    height,
    print: (page, y) => {
      page.grounds.push({ x: LEFT, y, width, height, round: 'top' });
      for (const column of columns) {
        print(page, linesOf(column.text, HEADING, column.width), HEADING, { ...inside(column), y: y + 2 });
      }
    },
  };
}

function sectionHeight({ heading, strips }: Section): number {
  return heading.height + heightOfAll(strips) + 4;
}

/** The first heading with its first entry: the smallest piece that may start a list. */
function leastStart(sections: readonly Section[]): number {
  const first = sections[0];
  return first ? first.heading.height + (first.strips[0]?.height ?? 0) + 4 : 0;
}

function printSection(sheets: Sheets, { width, heading, strips }: Section, ride: Ride): void {
  let top = 0;
  const open = () => {
    top = sheets.y;
    heading.print(sheets.page, top);
    sheets.y += heading.height + 2;
  };
  const close = () => {
    sheets.y += 2;
    sheets.page.frames.push({ x: LEFT, y: top, width, height: sheets.y - top });
  };
  if (heading.height + (strips[0]?.height ?? 0) + 4 > spaceLeft(sheets)) nextSheet(sheets, ride);
  open();
  for (const strip of strips) {
    if (strip.height + 2 > spaceLeft(sheets)) {
      close();
      nextSheet(sheets, ride);
      open();
    }
    strip.print(sheets.page, sheets.y);
    sheets.y += strip.height;
  }
  close();
}
