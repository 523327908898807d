import { type CliText, CommandFailure } from 'sri-core/cli';
import { simplify } from './cells/cell-values.js';
import type { CsvTable } from './cells/csv-table.js';
import { CSV_TABLES } from './tables/index.js';

/** The meaning of a column: the key of a column of the table, additional information, or null for an ignored one. */
export type ColumnMeaning = string | { readonly info: string } | null;

/** The columns that a file of any type may have, by their keys. They make no field of the body. */
export const COMMON_COLUMNS = {
  reference: {
    names: ['referencia', 'pedido', 'reference'],
    note: {
      es: 'su nombre para el comprobante; las filas con el mismo son uno solo. Sin ella cada fila es un comprobante',
      en: 'your name for the document; rows with the same one are one document. Without it each row is a document',
    },
  },
  documentType: {
    names: ['tipo_comprobante', 'document_type'],
    note: {
      es: 'el tipo de todo el archivo, como 07; si no, --type, o 01',
      en: 'the type of the whole file, such as 07; otherwise --type, or 01',
    },
  },
} as const satisfies Readonly<Record<string, Pick<CsvTable['columns'][string], 'names' | 'note'>>>;

/**
 * Reads the first line of a file.
 * @throws CommandFailure COLUMNS_INVALID naming every column that is unknown, duplicate or missing.
 */
export function readColumns(headings: readonly string[], table: CsvTable): readonly ColumnMeaning[] {
  const examined = examine(headings, table);
  if (fits(examined)) return examined.meanings.map((meaning) => meaning ?? null);
  throw new CommandFailure('COLUMNS_INVALID', describe(headings, table, examined));
}

/** The place of a common column in a file; -1 without one. */
export function placeOf(key: keyof typeof COMMON_COLUMNS, headings: readonly string[]): number {
  const names: readonly string[] = COMMON_COLUMNS[key].names;
  return headings.findIndex((heading) => names.includes(plainHeading(heading)));
}

// --- internal ---

type Examined = ReturnType<typeof examine>;

function examine(headings: readonly string[], table: CsvTable) {
  const byName = new Map(
    Object.entries({ ...COMMON_COLUMNS, ...table.columns }).flatMap(([key, { names }]) =>
      names.map((name): [string, string] => [name, key]),
    ),
  );
  const meanings = headings.map((heading) => meaningOf(heading, byName));
  const named = meanings.filter((meaning) => typeof meaning === 'string');
  return {
    meanings,
    unknown: headings.filter((heading, index) => meanings[index] === undefined && heading !== ''),
    twice: headings.filter((_, index) => named.filter((key) => key === meanings[index]).length > 1),
    missing: Object.entries(table.columns).flatMap(([key, { required }]) =>
      required && !named.includes(key) ? [key] : [],
    ),
  };
}

function fits({ unknown, twice, missing }: Examined): boolean {
  return unknown.length + twice.length + missing.length === 0;
}

/** The code of the only type with these columns; null without such a type. */
function typeOf(headings: readonly string[]): string | null {
  const fitting = Object.values(CSV_TABLES).filter((table) => fits(examine(headings, table)));
  return fitting.length === 1 ? (fitting[0]?.documentType ?? null) : null;
}

function describe(headings: readonly string[], table: CsvTable, { unknown, twice, missing }: Examined): CliText {
  const other = typeOf(headings);
  const sentences = [
    { es: 'La primera línea debe nombrar las columnas.', en: 'The first line must name the columns.' },
    unknown.length > 0 && { es: `No se conoce: ${quoted(unknown)}.`, en: `Not known: ${quoted(unknown)}.` },
    twice.length > 0 && { es: `Dicen lo mismo: ${quoted(twice)}.`, en: `Of one meaning: ${quoted(twice)}.` },
    missing.length > 0 && {
      es: `Falta: ${namesOf(missing, table, 0)}.`,
      en: `Missing: ${namesOf(missing, table, -1)}.`,
    },
    other !== null && {
      es: `Son las columnas de otro tipo: --type ${other}.`,
      en: `These are the columns of another type: --type ${other}.`,
    },
    { es: 'Un dato libre va en una columna «info:Nombre».', en: 'Free text goes in a column «info:Name».' },
    unknown.length > 0 && {
      es: `Sin columna, y en un JSONL: ${table.withoutColumn.es}.`,
      en: `Without a column, and in a JSONL: ${table.withoutColumn.en}.`,
    },
    {
      es: `Las columnas: batch template ${table.documentType}.`,
      en: `The columns: batch template ${table.documentType}.`,
    },
  ].filter((sentence) => sentence !== false);
  return { es: sentences.map(({ es }) => es).join(' '), en: sentences.map(({ en }) => en).join(' ') };
}

function quoted(headings: readonly string[]): string {
  return headings.map((heading) => JSON.stringify(heading.slice(0, 40))).join(', ');
}

/** @param place 0 for the Spanish names, -1 for the English ones. */
function namesOf(keys: readonly string[], { columns }: CsvTable, place: 0 | -1): string {
  const all: Readonly<Record<string, { readonly names: readonly string[] }>> = { ...COMMON_COLUMNS, ...columns };
  return keys.map((key) => all[key]?.names.at(place)).join(', ');
}

/** For a corrected file of errors. */
const PASSED_OVER = new Set(['error', 'linea', 'line']);

function meaningOf(heading: string, byName: ReadonlyMap<string, string>): ColumnMeaning | undefined {
  const info = /^info:\s*(.{1,300})$/i.exec(heading.trim())?.[1];
  if (info) return { info: info.trim() };
  const plain = plainHeading(heading);
  return PASSED_OVER.has(plain) ? null : byName.get(plain);
}

/** Headings may also be written with hyphens and points. */
function plainHeading(heading: string): string {
  return simplify(heading, /[\s.-]+/g);
}
