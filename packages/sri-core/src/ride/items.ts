import type { RideRow, RideTable } from '../documents/ride-content.js';
import { CELL_PADDING, CELL_SIZE, type Column, columnsOf } from './columns.js';
import { labelOf } from './facts.js';
import { heightOf, LEFT, linesOf, print, type Style, WIDTH } from './page.js';
import type { Ride } from './ride.js';
import { nextSheet, type Sheets, spaceLeft, WHOLE_SHEET } from './sheets.js';
import type { Glyphs } from './typeface.js';

/**
 * Prints a table over as many pages as needed, with the headings on each. Only a row longer than a page is split.
 *
 * @param footHeight the height that must follow the last row on its page. When it does not fit, the last row moves to the
 * next page with it, so that no page shows sums alone.
 */
export function printTable(sheets: Sheets, content: RideTable, ride: Ride, footHeight: number): void {
  const table = openTable(sheets, content);
  const { rows } = content;
  for (const [index, each] of rows.entries()) {
    const row = toRow(each, table.columns);
    const height = rowHeight(row.lines);
    const follows = index === rows.length - 1 ? footHeight : 0;
    const fits = height + follows <= spaceLeft(sheets);
    const movable = index > 0 && height + follows <= WHOLE_SHEET - table.headingHeight;
    if (!fits && movable) turnPage(table, ride);
    printRow(table, row, ride);
  }
  closeTable(table);
}

/** The height of the headings and the first row, which stay together. */
export function tableStartHeight(content: RideTable): number {
  const columns = columnsOf(content);
  const [first] = content.rows;
  return headingHeightOf(columns) + (first ? rowHeight(toRow(first, columns).lines) : 0);
}

// --- internal ---

interface Table {
  readonly sheets: Sheets;
  readonly columns: readonly Column[];
  readonly about: string | null;
  readonly headingHeight: number;
  /** The top of the part on this page. */
  top: number;
}

/** Lines of each cell, in column order. `details` counts the last lines of the widest cell, which print pale. */
interface Row {
  readonly cells: readonly (readonly Glyphs[])[];
  readonly lines: number;
  readonly details: number;
}

const CELL: Style = { size: CELL_SIZE };
const DETAIL: Style = { size: CELL_SIZE, ink: 'quiet' };
const HEADING: Style = { size: 6.8, weight: 'bold', leading: 1.2 };
const ROW_PADDING = 2.5;

function openTable(sheets: Sheets, content: RideTable): Table {
  const columns = columnsOf(content);
  const { about = null } = content;
  const table: Table = { sheets, columns, about, headingHeight: headingHeightOf(columns), top: sheets.y };
  printHeadings(table);
  return table;
}

function headingHeightOf(columns: readonly Column[]): number {
  const lines = columns.map(({ title, width }) => linesOf(title, HEADING, width - 2 * CELL_PADDING).length);
  return heightOf(Math.max(...lines), HEADING) + 2 * ROW_PADDING;
}

function turnPage(table: Table, ride: Ride): void {
  closeTable(table);
  nextSheet(table.sheets, ride, table.about);
  printHeadings(table);
}

function printHeadings(table: Table): void {
  const { sheets, columns, headingHeight } = table;
  table.top = sheets.y;
  sheets.page.grounds.push({ x: LEFT, y: sheets.y, width: WIDTH, height: headingHeight, round: 'top' });
  let x = LEFT;
  for (const { title, width } of columns) {
    const lines = linesOf(title, HEADING, width - 2 * CELL_PADDING);
    const y = sheets.y + (headingHeight - heightOf(lines.length, HEADING)) / 2;
    print(sheets.page, lines, HEADING, { x: x + CELL_PADDING, y, width: width - 2 * CELL_PADDING, align: 'center' });
    x += width;
  }
  sheets.y += headingHeight;
}

/** Draws the frame and the vertical lines of the part on this page, once its end is known. */
function closeTable({ sheets: { page, y }, columns, top }: Table): void {
  page.frames.push({ x: LEFT, y: top, width: WIDTH, height: y - top });
  let x = LEFT;
  for (const { width } of columns.slice(0, -1)) {
    x += width;
    page.lines.push({ x, y: top, width: 0, height: y - top });
  }
}

function toRow(row: RideRow, columns: readonly Column[]): Row {
  let details = 0;
  const cells = columns.map(({ index, width, withDetails }) => {
    const inner = width - 2 * CELL_PADDING;
    const lines = linesOf(row.cells[index] ?? '', CELL, inner);
    if (!withDetails) return lines;
    const more = row.details.flatMap(({ name, value }) => linesOf(`${labelOf(name)} ${value}`, CELL, inner));
    details = more.length;
    return [...lines, ...more];
  });
  return { cells, details, lines: Math.max(1, ...cells.map((lines) => lines.length)) };
}

function rowHeight(lines: number): number {
  return heightOf(lines, CELL) + 2 * ROW_PADDING;
}

/** Prints a row over as many pages as it needs. */
function printRow(table: Table, row: Row, ride: Ride): void {
  const { sheets } = table;
  let from = 0;
  while (rowHeight(row.lines - from) > spaceLeft(sheets)) {
    const fitting = Math.floor((spaceLeft(sheets) - 2 * ROW_PADDING) / heightOf(1, CELL));
    if (fitting > 0) {
      printCells(table, row, from, from + fitting);
      from += fitting;
    }
    turnPage(table, ride);
  }
  printCells(table, row, from, row.lines);
}

function printCells({ sheets, columns, top, headingHeight }: Table, row: Row, from: number, to: number): void {
  const { page } = sheets;
  if (sheets.y > top + headingHeight) page.lines.push({ x: LEFT, y: sheets.y, width: WIDTH, height: 0 });
  let x = LEFT;
  for (const [index, { align, width, withDetails }] of columns.entries()) {
    const lines = row.cells[index] ?? [];
    const quietFrom = withDetails ? lines.length - row.details : lines.length;
    const at = { x: x + CELL_PADDING, y: sheets.y + ROW_PADDING, width: width - 2 * CELL_PADDING, align };
    const y = print(page, lines.slice(from, Math.min(to, quietFrom)), CELL, at);
    print(page, lines.slice(Math.max(from, quietFrom), to), DETAIL, { ...at, y });
    x += width;
  }
  sheets.y += rowHeight(to - from);
}
