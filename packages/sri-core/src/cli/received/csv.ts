/**
 * A line of a CSV file for a spreadsheet in Ecuador: separated by semicolons. A cell that a spreadsheet would take for a
 * formula gets an apostrophe in front.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(';')}\r\n`;
}

// --- internal ---

function toCell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[;"\r\n\t]/.test(text) || text !== value ? `"${text.replaceAll('"', '""')}"` : text;
}
