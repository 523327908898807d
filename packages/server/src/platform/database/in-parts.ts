/** Rows per statement, far below the parameter limit of every database. */
const MOST_ROWS = 500;

/** Rows in parts of which each fits into one statement. */
export function inParts<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / MOST_ROWS) }, (_, part) =>
    rows.slice(part * MOST_ROWS, (part + 1) * MOST_ROWS),
  );
}
