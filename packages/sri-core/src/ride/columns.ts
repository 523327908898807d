import type { RideTable } from '../documents/ride-content.js';
import { type Align, WIDTH } from './page.js';
import { toGlyphs, widthOf } from './typeface.js';

/** A column of a table with its width. */
export interface Column {
  readonly title: string;
  readonly align: Align;
  readonly width: number;
  /** Its index among the cells of a row. */
  readonly index: number;
  /** Whether the additional details of a row go below its text. */
  readonly withDetails: boolean;
}

/** Space left free on both sides of a cell. */
export const CELL_PADDING = 3.5;
/** Size of the text in the rows. */
export const CELL_SIZE = 7.2;

/** The columns of a table, without optional columns that have no content. */
export function columnsOf({ columns, rows }: RideTable): readonly Column[] {
  const drafts = columns
    .map((column, index) => ({ ...column, index, longest: longestOf(rows.map(({ cells }) => cells[index] ?? '')) }))
    .filter(({ optional, longest }) => !optional || longest !== '')
    .map((column) => ({ ...column, fitted: column.limits && fittedWidth(column.limits, column.longest) }));
  const taken = drafts.reduce((total, { fitted = 0 }) => total + fitted, 0);
  return drafts.map(({ title, align, index, fitted }) => ({
    title,
    align,
    index,
    width: fitted ?? WIDTH - taken,
    withDetails: fitted === undefined,
  }));
}

// --- internal ---

function longestOf(texts: readonly string[]): string {
  let longest = '';
  for (const text of texts) if (text.length > longest.length) longest = text;
  return longest;
}

/** The width of the longest text, within the limits of the column. Only that text is measured: digits have one width. */
function fittedWidth([least, most]: readonly [number, number], longest: string): number {
  const needed = widthOf(toGlyphs(longest), 'regular', CELL_SIZE) + 2 * CELL_PADDING;
  return Math.min(Math.max(needed, least), most);
}
