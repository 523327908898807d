import { DEFAULT_DOCUMENT_TYPE, type IsoDate, type Language } from 'sri-core';
import { toTable } from 'sri-core/cli';
import type { CsvTable } from './cells/csv-table.js';
import { COMMON_COLUMNS } from './csv-columns.js';
import { joinCells } from './csv-file.js';

/** A CSV of a type with example rows, as Excel in Ecuador writes it. They are valid on that day. */
export function templateCsv(table: CsvTable, today: IsoDate): string {
  const rows = table.examples(today).map((row) => ({ documentType: table.documentType, ...row }));
  const used = Object.entries(allColumns(table)).filter(([key]) => rows.some((row) => key in row));
  // An invoice needs no column for its type.
  const columns = used.filter(([key]) => key !== 'documentType' || table.documentType !== DEFAULT_DOCUMENT_TYPE);
  const cells = rows.map((row: Readonly<Record<string, string>>) => columns.map(([key]) => row[key] ?? ''));
  return joinCells([columns.map(([, { names }]) => names[0]), ...cells], ';');
}

/** The columns of a type for people: their names, whether a file requires them, and their content. */
export function describeColumns(table: CsvTable, language: Language) {
  const facts = Object.values(allColumns(table)).map(({ names: [column, ...also], required = false, note }) => ({
    column,
    also,
    required,
    note: note[language],
  }));
  return [...facts, { column: 'info:…', also: [], required: false, note: INFO[language] }];
}

/** The columns of a type as a text, by their Spanish and English names. A star marks required columns. */
export function tabulateColumns(table: CsvTable, language: Language): string {
  const rows = describeColumns(table, language).map(({ column, also, required, note }) => [
    `${column}${required ? ' *' : ''}`,
    also.at(-1) ?? '',
    note,
  ]);
  return toTable(HEADINGS[language], rows);
}

// --- internal ---

const HEADINGS = {
  es: ['columna (* hace falta)', 'en inglés', 'qué es'],
  en: ['column (* needed)', 'in English', 'what it is'],
};
const INFO = { es: 'información adicional, con ese nombre', en: 'additional information, by that name' };

function allColumns({
  columns,
}: CsvTable): Readonly<Record<string, Pick<CsvTable['columns'][string], 'names' | 'required' | 'note'>>> {
  return { ...COMMON_COLUMNS, ...columns };
}
