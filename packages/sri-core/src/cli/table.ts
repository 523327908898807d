import type { Language } from '../catalogs/catalog.js';
import { labelOf } from './labels.js';

/**
 * Formats rows under headings, each column as wide as its content. Control characters are removed.
 *
 * @param language of the headings; `labels.ts` maps their English names.
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

/** Formats names and values, one per line. @param language of the names; `labels.ts` maps their English names. */
export function toLines(entries: Readonly<Record<string, unknown>>, language: Language = 'en'): string {
  const named = Object.entries(entries).map(([name, value]): [string, unknown] => [labelOf(name, language), value]);
  const width = Math.max(...named.map(([name]) => name.length));
  return named.map(([name, value]) => `${name.padEnd(width)}  ${toCell(value, language)}`).join('\n');
}

/** Untrusted text in one line, which cannot control the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

// --- internal ---

function toCell(value: unknown, language: Language): string {
  if (typeof value === 'boolean' && language === 'es') return value ? 'sí' : 'no';
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return printable(text);
}
