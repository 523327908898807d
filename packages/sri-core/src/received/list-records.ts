import { typeOfLabel } from './document-label.js';
import { guessLayout, type ListLayout, readHeadings, withModifiedNumber } from './list-layout.js';

/** A row of the list, put together from its lines. */
export interface ListRecord {
  /** Its first line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** The columns of the cells; null when the cells fit no layout. */
  readonly layout: ListLayout | null;
}

/**
 * Joins the lines of each row, in one pass. A line with the first column or an access key begins a row; any other line
 * continues it. Headings may occur anywhere, so that several lists can be joined.
 */
export function* readRecords(text: string): Generator<ListRecord> {
  let layout: ListLayout | null = null;
  /** The columns of the headings so far; empty after a row. */
  let named: ListLayout = [];
  let open: OpenRecord | null = null;
  for (const { line, cells } of readLines(text)) {
    const headings: ListLayout | null = cells && readHeadings(cells);
    if (headings) {
      if (open) yield close(open);
      open = null;
      // The earlier layout breaks its headings, too. A repeated column begins another list.
      const known: ListLayout = named;
      named = headings.some((field) => field !== null && known.includes(field)) ? headings : [...known, ...headings];
      layout = named;
      continue;
    }
    named = [];
    layout ??= cells && guessLayout(cells);
    if (!cells || !layout) {
      if (open) yield close(open);
      open = null;
      yield { line, cells: [], layout: null };
      continue;
    }
    if (open && !begins(cells, layout) && goesOn(open, cells)) {
      open.parts.push(cells);
      open.count += cells.length;
      continue;
    }
    if (open) yield close(open);
    open = { line, layout, parts: [cells], count: cells.length };
  }
  if (open) yield close(open);
}

/** A key that a spreadsheet turned into a number: `1,23457E+48`. */
export const SCIENTIFIC = /^\d(?:[.,]\d{1,20})?E\+?4\d$/i;

// --- internal ---

/** Whether a cell is meant to be an access key, right or wrong. */
function isLikeKey(cell: string | undefined): boolean {
  return cell !== undefined && (/^\d{30,60}$/.test(cell) || SCIENTIFIC.test(cell));
}

/** No row of the portal is longer; a longer line is not divided. */
const LONGEST_LINE = 4_000;
/** Longer values are cut. */
const LONGEST_CELL = 400;

/** The lines with their values, without blank lines; `cells` null for a line that is too long to be a row. */
function* readLines(text: string): Generator<{ readonly line: number; readonly cells: readonly string[] | null }> {
  let line = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const content = text.slice(start, end);
    start = end + 1;
    line += 1;
    // Much faster than as cells.
    if (content.trim() === '') continue;
    const cells = content.length > LONGEST_LINE ? null : content.split('\t').map(clean);
    if (!cells?.every((cell) => cell === '')) yield { line, cells };
  }
}

interface OpenRecord {
  readonly line: number;
  readonly layout: ListLayout;
  readonly parts: (readonly string[])[];
  count: number;
}

/** Without the quotes and the apostrophe that spreadsheets put around values. */
function clean(cell: string): string {
  const plain = cell.replace(/\s+/g, ' ').trim().slice(0, LONGEST_CELL);
  const quoted = /^"((?:[^"]|"")*)"$/.exec(plain)?.[1];
  const inner = quoted?.replaceAll('""', '"') ?? plain;
  return inner.replace(/^'(?=\d)/, '').trim();
}

function begins(cells: readonly string[], layout: ListLayout): boolean {
  const [first = ''] = cells;
  const hasFirst =
    (layout[0] === 'issuerRuc' && cells.length > 1 && /^\d{13}$/.test(first)) ||
    (layout[0] === 'documentType' && cells.length > 1 && typeOfLabel(first) !== null) ||
    (layout[0] === 'accessKey' && isLikeKey(first));
  return hasFirst || (cells.length > 2 && isLikeKey(cells[layout.indexOf('accessKey')]));
}

/** Whether the line may continue the row: the row still lacks a column. */
function goesOn({ layout, parts, count }: OpenRecord, cells: readonly string[]): boolean {
  const columns = withModifiedNumber(layout).length;
  if (count >= columns) return false;
  // Editors drop the blank end of a row; only a number can follow there.
  const lacksEnd = count === columns - 1 && layout.at(-1) === 'modifiedNumber';
  return !lacksEnd || parts.length > 1 || /^[\d-]+$/.test(cells.join(''));
}

function close({ line, layout, parts }: OpenRecord): ListRecord {
  const layouts = [layout, withModifiedNumber(layout)];
  const joined = [joinValues(parts), joinText(parts), joinBoth(parts)];
  const fits = joined.flatMap((cells) =>
    layouts
      .filter((columns) => isLikeKey(cells[columns.indexOf('accessKey')]))
      .map((columns) => ({ cells, columns, spare: spareCells(cells, columns) })),
  );
  const best = fits.toSorted((one, other) => one.spare - other.spare)[0];
  return best ? { line, cells: best.cells, layout: best.columns } : { line, cells: joined[0] ?? [], layout: null };
}

/** How far the number of cells is from that of the columns, without blank cells at the end. */
function spareCells(cells: readonly string[], columns: ListLayout): number {
  const filled = cells.findLastIndex((cell) => cell !== '') + 1;
  return filled > columns.length ? filled - columns.length : (columns.length - cells.length) / 100;
}

/** Joins lines that break between two values. */
function joinValues(parts: OpenRecord['parts']): readonly string[] {
  const row: string[] = [];
  for (const part of parts) {
    if (row.at(-1) === '') row.pop();
    row.push(...part);
  }
  return row;
}

/** Joins lines that break inside a value, such as a name on two lines. */
function joinText(parts: OpenRecord['parts']): readonly string[] {
  const row: string[] = [];
  for (const [first = '', ...rest] of parts) row.push(`${row.pop() ?? ''} ${first}`.trim(), ...rest);
  return row;
}

/** Joins lines that break inside values up to the access key, and between values after it. */
function joinBoth(parts: OpenRecord['parts']): readonly string[] {
  const withKey = parts.findIndex((part) => part.some(isLikeKey)) + 1;
  return joinValues([joinText(parts.slice(0, withKey)), ...parts.slice(withKey)]);
}
