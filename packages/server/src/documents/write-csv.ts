import { type Language, translate } from 'sri-core';
import { EXPORT_COLUMNS, type ExportRow, withoutFormula } from './export-columns.js';

/**
 * A CSV of RFC 4180 with a row for each document: UTF-8 with a byte order mark, commas, points in amounts, days as
 * `2026-11-21`.
 */
export async function* writeCsv(rows: AsyncIterable<ExportRow>, language: Language): AsyncGenerator<Uint8Array> {
  yield encode(`\uFEFF${toLine(EXPORT_COLUMNS.map(({ head }) => translate(head, language)))}`);
  for await (const row of rows) {
    const cells = EXPORT_COLUMNS.map(({ form, of }) => {
      const cell = of(row, language);
      return form === 'text' ? withoutFormula(cell) : cell;
    });
    yield encode(toLine(cells));
  }
}

/** A cell of a CSV, quoted where it must be. */
export function csvCell(text: string, delimiter: string): string {
  return /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
}

// --- internal ---

function encode(text: string): Uint8Array {
  return Buffer.from(text);
}

function toLine(cells: readonly string[]): string {
  return `${cells.map((cell) => csvCell(cell, ',')).join()}\r\n`;
}
