/** Rows under their headings, each column as wide as it has to be. Control characters are left out. */
export function toTable(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  if (rows.length === 0) return 'None.';
  const cells = [headings, ...rows].map((row) => row.map(toCell));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => [...(row[column] ?? '')].length)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}

/** Names with their values, a line each. */
export function toLines(entries: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${name.padEnd(width)}  ${toCell(value)}`)
    .join('\n');
}

// --- internal ---

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  // What others have written must not steer the terminal.
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
