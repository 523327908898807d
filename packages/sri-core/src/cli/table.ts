import type { Language } from '../catalogs/catalog.js';
import { labelOf } from './labels.js';

/**
 * Rows under their headings, each column as wide as it has to be. Control characters are left out.
 *
 * @param language of the headings, which `labels.ts` knows by their English names.
 */
export function toTable(
  headings: readonly string[],
  rows: readonly (readonly unknown[])[],
  language: Language = 'en',
): string {
  if (rows.length === 0) return language === 'es' ? 'Ninguno.' : 'None.';
  const named = headings.map((heading) => labelOf(heading, language));
  const cells = [named, ...rows].map((row) => row.map((value) => toCell(value, language)));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => [...(row[column] ?? '')].length)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}

/** Names with their values, a line each. @param language of the names, which `labels.ts` knows by their English ones */
export function toLines(entries: Readonly<Record<string, unknown>>, language: Language = 'en'): string {
  const named = Object.entries(entries).map(([name, value]): [string, unknown] => [labelOf(name, language), value]);
  const width = Math.max(...named.map(([name]) => name.length));
  return named.map(([name, value]) => `${name.padEnd(width)}  ${toCell(value, language)}`).join('\n');
}

// --- internal ---

function toCell(value: unknown, language: Language): string {
  if (typeof value === 'boolean' && language === 'es') return value ? 'sí' : 'no';
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  // What others have written must not steer the terminal.
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
