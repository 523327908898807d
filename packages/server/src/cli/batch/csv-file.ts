import { type CsvError, parse } from 'csv-parse/sync';
import { DEFAULT_DOCUMENT_TYPE, ecuadorDate, type IsoDate } from 'sri-core';
import { CommandFailure, UsageError } from 'sri-core/cli';
import { csvCell } from '../../documents/write-csv.js';
import { type BatchFile, identify } from './batch-entry.js';
import { type CsvRow, type CsvTable, partsOf } from './cells/csv-table.js';
import { placeOf, readColumns } from './csv-columns.js';
import { toEntry } from './csv-entry.js';
import { findTable } from './tables/index.js';

/** The options for facts that a file may omit. */
export interface CsvOptions {
  /** The type of the documents if no column states it. Default 01. */
  readonly documentType?: string | null;
  /** The day in Ecuador, the only day a document may have. */
  readonly today?: IsoDate;
}

/**
 * Reads a CSV as Excel in Ecuador writes it, or any other: cells between semicolons, commas or tabs, quotes around
 * cells that need them, any line ends, with or without a byte order mark or a line `sep=;`. Lines with the same
 * reference are one document; a line without a reference is a separate one.
 * @throws CommandFailure CSV_INVALID, COLUMNS_INVALID, DOCUMENT_TYPE_INVALID
 */
export function readCsvFile(
  text: string,
  { documentType = null, today = ecuadorDate(new Date()) }: CsvOptions = {},
): BatchFile {
  const { delimiter, rows } = parseRows(text.replace(/^\uFEFF/, ''));
  const [first, ...data] = rows;
  if (!first) throw new CommandFailure('CSV_INVALID', NOTHING);
  const headings = first.cells;
  const table = tableOf(headings, data, documentType);
  const columns = readColumns(headings, table);
  if (data.length === 0) throw new CommandFailure('CSV_INVALID', NOTHING);
  const source = { table, parts: partsOf(table), columns, headings, delimiter, today };
  const entries = identify(groups(data, headings).map((group) => toEntry(group, source)));
  const byLine = new Map(data.map((row) => [row.line, row]));
  return {
    entries,
    writeErrors(failed) {
      const kept = headings.flatMap((heading, index) => (/^(error|linea|line)$/i.test(heading) ? [] : [index]));
      const pick = (cells: readonly string[]) => kept.map((index) => cells[index] ?? '');
      const rowsOf = ({ lines }: { readonly lines: readonly number[] }, error: string) =>
        lines.map((line) => [...pick(byLine.get(line)?.cells ?? []), String(line), error]);
      const lines = [
        [...pick(headings), 'linea', 'error'],
        ...failed.flatMap(({ entry, error }) => rowsOf(entry, error)),
      ];
      return joinCells(lines, delimiter);
    },
  };
}

/** Rows of cells as a CSV. Its mark tells Excel that it is UTF-8. */
export function joinCells(rows: readonly (readonly string[])[], delimiter: string): string {
  const lines = rows.map((cells) => cells.map((cell) => csvCell(cell, delimiter)).join(delimiter));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

// --- internal ---

const NOTHING = {
  es: 'El archivo no tiene filas debajo de los nombres de las columnas.',
  en: 'The file has no rows below the names of its columns.',
};
const MIXED = {
  es: 'La columna tipo_comprobante dice más de un tipo. Un CSV es de un solo tipo; un JSONL los mezcla.',
  en: 'The column document_type says more than one type. A CSV is of one type; a JSONL mixes them.',
};
const MAX_CELL = 10_000;

function parseRows(text: string): { readonly delimiter: string; readonly rows: readonly CsvRow[] } {
  const declared = /^sep=([;,\t])\r?\n/i.exec(text);
  const first = text.slice(declared?.[0].length ?? 0).split(/\r?\n|\r/, 1)[0] ?? '';
  const outside = first.replace(/"[^"]*"/g, '');
  const count = (mark: string) => outside.split(mark).length;
  const delimiter = declared?.[1] ?? [';', ',', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ';';
  try {
    const rows: CsvRow[] = [];
    parse(text.replace(/\r\n?/g, '\n'), {
      delimiter,
      trim: true,
      relax_column_count: true,
      // A quote inside an unquoted cell, as users type names of shops.
      relax_quotes: true,
      skip_empty_lines: true,
      from_line: declared ? 2 : 1,
      record_delimiter: '\n',
      max_record_size: 50 * MAX_CELL,
      on_record(cells, { lines }) {
        // The parser reports the line where a row ends.
        if (cells.some((cell) => cell !== '')) rows.push({ line: lines - lineEndsIn(cells), cells });
        return null;
      },
    });
    return { delimiter, rows };
  } catch (error) {
    const { code, lines } = error as CsvError & { readonly lines?: number };
    const place = lines === undefined ? '' : ` ${lines}`;
    throw new CommandFailure('CSV_INVALID', {
      es: `El archivo no es un CSV que se pueda leer: línea${place} (${code}). Suele ser una comilla sin cerrar o suelta.`,
      en: `The file is no CSV that can be read: line${place} (${code}). It is usually a quote that is not closed, or stands alone.`,
    });
  }
}

function lineEndsIn(cells: readonly string[]): number {
  return cells.join('').split('\n').length - 1;
}

/** The table of the type in the file's own column, otherwise the given table. */
function tableOf(headings: readonly string[], rows: readonly CsvRow[], given: string | null): CsvTable {
  const place = placeOf('documentType', headings);
  const filled = rows.map(({ cells }) => cells[place]?.trim() ?? '').filter((code) => code !== '');
  const stated = new Set(filled.map((code) => code.padStart(2, '0')));
  const [code = given ?? DEFAULT_DOCUMENT_TYPE, ...others] = stated;
  if (others.length > 0) throw new CommandFailure('DOCUMENT_TYPE_INVALID', MIXED);
  if (given !== null && given !== code) {
    throw new UsageError({
      es: `El archivo dice que es de tipo ${code}, y --type ${given}.`,
      en: `The file says that its type is ${code}, and --type says ${given}.`,
    });
  }
  return findTable(code);
}

function groups(rows: readonly CsvRow[], headings: readonly string[]): readonly (readonly CsvRow[])[] {
  const place = placeOf('reference', headings);
  const found = Map.groupBy(rows, ({ cells, line }) => cells[place] || line);
  return [...found.values()];
}
