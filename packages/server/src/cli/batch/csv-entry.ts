import type { IsoDate } from 'sri-core';
import type { CliText } from 'sri-core/cli';
import type { BatchEntry, RowError } from './batch-entry.js';
import type { ColumnStep, CsvRow, CsvTable, Part, RowCells } from './cells/csv-table.js';
import type { ColumnMeaning } from './csv-columns.js';

/** A file whose rows are read. */
export interface CsvSource {
  readonly table: CsvTable;
  /** The parts of a document of the table. */
  readonly parts: Part;
  /** The meaning of each column of the file. */
  readonly columns: readonly ColumnMeaning[];
  /** As the file has them, in the order of `columns`. */
  readonly headings: readonly string[];
  readonly delimiter: string;
  /** The day in Ecuador. */
  readonly today: IsoDate;
}

/** Makes the creation body of one document from its rows. */
export function toEntry(rows: readonly CsvRow[], source: CsvSource): Omit<BatchEntry, 'identity'> {
  const { table, parts, columns, headings, delimiter, today } = source;
  const errors: RowError[] = [];
  const places = new Map(columns.map((meaning, index) => [meaning, index]));
  const cellOf = (row: CsvRow, key: string) => row.cells[places.get(key) ?? -1]?.trim() ?? '';
  const filledRow = (key: string, within: readonly CsvRow[]) => within.find((row) => cellOf(row, key) !== '');
  const elements: Element[] = [];

  /** The column as the file names it, with the line where an entry has several. */
  function label(key: string, { part, rows: own }: Element): string {
    const heading = headings[places.get(key) ?? -1]?.trim() || (table.columns[key]?.names[0] ?? key);
    const row = filledRow(key, own) ?? own[0];
    return part.path === '' || rows.length === 1 || !row ? heading : `${heading}, ${row.line}`;
  }

  /** Reads the columns of one element, and the elements inside it. */
  function read(part: Part, own: readonly CsvRow[], at: string, around: readonly Element[]): Fields {
    // Each element inside it asks for the same cells: they are looked for once.
    const known = new Map<string, string>();
    const textOf = (key: string) => {
      if (!known.has(key)) {
        const row = filledRow(key, own);
        known.set(key, row ? cellOf(row, key) : '');
      }
      return known.get(key) ?? '';
    };
    const element: Element = { part, rows: own, at, textOf };
    elements.push(element);
    const chain = [element, ...around];
    const cells: RowCells = {
      delimiter,
      today,
      text: (key) => (chain.find((each) => each.part.steps.some((step) => isColumn(step, key))) ?? element).textOf(key),
    };
    const value: Fields = {};
    for (const step of part.steps) {
      if ('steps' in step) {
        const groups = divide(step, own);
        if (groups.length === 0) continue;
        const list = groups.map((group, index) => {
          const place = at === '' ? step.list : `${at}.${step.list}`;
          return read(step, group, `${place}[${index}]`, chain);
        });
        place(value, step.list, list);
        continue;
      }
      if (differs(step.key, own)) errors.push({ field: label(step.key, element), message: differing(part, element) });
      const found = step.column.read(textOf(step.key), cells);
      if ('wrong' in found) errors.push({ field: label(step.key, element), message: found.wrong });
      const content = 'wrong' in found ? null : found.value;
      if (content !== undefined) place(value, step.field, content);
    }
    return value;
  }

  const differs = (key: string, own: readonly CsvRow[]) =>
    own.length > 1 && new Set(own.map((row) => cellOf(row, key)).filter((text) => text !== '')).size > 1;
  const differing = ({ rows: by }: Part, element: Element): CliText =>
    typeof by === 'string' ? DIFFERS : differsWithin(label(by[0] ?? '', { ...element, part: parts }));

  function divide({ rows: by, keys }: Part, own: readonly CsvRow[]): readonly (readonly CsvRow[])[] {
    if (by === 'rows') return own.map((row) => [row]);
    if (by === 'filled') return own.filter((row) => keys.some((key) => cellOf(row, key) !== '')).map((row) => [row]);
    let last: readonly string[] | null = null;
    const groups = Map.groupBy(own, (row) => {
      const stated = by.map((key) => cellOf(row, key));
      const above = last ?? stated;
      last = stated.every((text, index) => text === '' || text === above[index]) ? above : stated;
      return JSON.stringify(last);
    });
    return [...groups.values()];
  }

  const tooWide = rows.find(({ cells }) => cells.slice(columns.length).some((text) => text !== ''));
  if (tooWide) errors.push({ field: `${tooWide.line}`, message: TOO_WIDE });
  const additionalInfo = readInfo(rows, columns, (index) =>
    errors.push({ field: headings[index]?.trim() ?? '', message: DIFFERS }),
  );
  const body = {
    documentType: table.documentType,
    ...read(parts, rows, '', []),
    ...(additionalInfo.length === 0 ? {} : { additionalInfo }),
  };
  return {
    reference: rows[0] ? cellOf(rows[0], 'reference') || null : null,
    lines: rows.map(({ line }) => line),
    body,
    errors,
    originLines: originLinesOf(rows, headings),
    columnOf(field) {
      const element = innermost(elements, field);
      if (!element) return null;
      const inside = field.slice(element.at.length).replace(/^\./, '');
      const step = maker(element.part, inside);
      if (!step) return null;
      const isFilled = places.has(step.key) && filledRow(step.key, element.rows) !== undefined;
      const key = isFilled ? step.key : (step.column.or ?? step.key);
      return places.has(key) ? label(key, element) : null;
    },
  };
}

// --- internal ---

type Fields = Record<string, unknown>;

/** A part as it stands in one entry. */
interface Element {
  readonly part: Part;
  readonly rows: readonly CsvRow[];
  /** `items[1]`; empty for the document. */
  readonly at: string;
  /** The first filled cell of a column in its rows; empty without one. */
  readonly textOf: (key: string) => string;
}

const DIFFERS: CliText = {
  es: 'difiere entre las líneas de la misma referencia.',
  en: 'differs between the lines of the same reference.',
};
const TOO_WIDE: CliText = {
  es: 'la línea tiene más celdas que columnas: un texto con el separador va entre comillas.',
  en: 'the line has more cells than columns: a text with the separator in it goes between quotes.',
};

function differsWithin(heading: string): CliText {
  return {
    es: `difiere entre las líneas con lo mismo en «${heading}».`,
    en: `differs between the lines with the same «${heading}».`,
  };
}

function isColumn(step: ColumnStep | Part, key: string): boolean {
  return 'key' in step && step.key === key;
}

/** Sets a value at a path such as `payments[0].method`. An object joins an object that is there, and nothing else replaces it. */
function place(target: Fields, path: string, value: unknown): void {
  const names = path === '' ? [] : path.split(/[.[\]]+/).filter((name) => name !== '');
  let at: Fields = target;
  names.forEach((name, index) => {
    const next = names[index + 1];
    if (next === undefined) at[name] = isFields(at[name]) ? { ...at[name], ...(isFields(value) ? value : {}) } : value;
    else {
      at[name] ??= /^\d+$/.test(next) ? [] : {};
      at = at[name] as Fields;
    }
  });
  if (names.length === 0 && isFields(value)) Object.assign(target, value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The element that holds a field of the body. */
function innermost(elements: readonly Element[], field: string): Element | null {
  const holding = elements.filter(({ at }) => at === '' || isWithin(field, at));
  return holding.toSorted((a, b) => b.at.length - a.at.length)[0] ?? null;
}

/** The column that makes a field of its part: the closest column around it, otherwise the first inside it. */
function maker(part: Part, field: string): ColumnStep | null {
  const made = part.steps.flatMap((step) =>
    'key' in step ? fieldsOf(step, part).map((each) => ({ step, each })) : [],
  );
  const around = made
    .filter(({ each }) => each === '' || isWithin(field, each))
    .toSorted((a, b) => b.each.length - a.each.length);
  return (around[0] ?? made.find(({ each }) => isWithin(each, field)))?.step ?? null;
}

function fieldsOf({ column, field }: ColumnStep, { path }: Part): readonly string[] {
  return column.makes?.map((each) => each.slice(path.length).replace(/^\./, '')) ?? [field];
}

/** Whether a path is that one or lies in it. */
function isWithin(field: string, path: string): boolean {
  return (
    path !== '' && field.startsWith(path) && (field.length === path.length || /[.[]/.test(field[path.length] ?? ''))
  );
}

/** The lines of these rows in the original file, from a file of errors. */
function originLinesOf(rows: readonly CsvRow[], headings: readonly string[]): readonly number[] {
  const found = headings.findIndex((heading) => /^(linea|line)$/i.test(heading.trim()));
  if (found < 0) return [];
  return rows.map(({ cells }) => Number(cells[found])).filter((line) => Number.isInteger(line) && line > 0);
}

/** @param complain of a column whose cells differ, by its index. */
function readInfo(
  rows: readonly CsvRow[],
  columns: readonly ColumnMeaning[],
  complain: (index: number) => void,
): readonly { readonly name: string; readonly value: string }[] {
  return columns.flatMap((column, index) => {
    if (column === null || typeof column === 'string') return [];
    const [value, ...others] = new Set(rows.map(({ cells }) => cells[index] ?? '').filter((text) => text !== ''));
    if (others.length > 0) complain(index);
    return value === undefined ? [] : [{ name: column.info, value }];
  });
}
