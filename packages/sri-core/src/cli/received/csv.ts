/**
 * A line of a CSV file for a spreadsheet in Ecuador: separated by semicolons. What a spreadsheet would take for a formula
 * gets an apostrophe in front, also after a comma: elsewhere, spreadsheets divide the line there, and drop quotes behind it.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(';')}\r\n`;
}

// --- internal ---

function toCell(value: string): string {
  const text = value.replace(/(^|,"*)(?=[=+\-@\t\r])/g, "$1'");
  return /[;"\r\n\t]/.test(text) || text !== value ? `"${text.replaceAll('"', '""')}"` : text;
}
