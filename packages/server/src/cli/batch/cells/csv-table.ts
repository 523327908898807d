import type { DocumentType, IsoDate, LocalizedText } from 'sri-core';
import type { Read } from './cell-values.js';

/** The columns of one type of document, and how rows become its creation body. */
export interface CsvTable {
  /** [codDoc] `01` */
  readonly documentType: DocumentType;
  /** By their keys, in the order of the body's fields. */
  readonly columns: Readonly<Record<string, Column>>;
  /** How rows divide into the elements of each list, by its path: `items[]`. */
  readonly lists: Readonly<Record<string, ListRows>>;
  /** What has no column. A JSONL takes it. */
  readonly withoutColumn: LocalizedText;
  /** The rows of the template: their cells by the key of the column. They are valid on that day. */
  examples(today: IsoDate): readonly Readonly<Record<string, string>>[];
}

/** A line of a file. */
export interface CsvRow {
  /** From 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A column of a file. */
export interface Column {
  /** Its names, the Spanish one first and the English one last. Capitals, accents and blanks do not matter. */
  readonly names: readonly [string, ...string[]];
  /** The content of the column. */
  readonly note: LocalizedText;
  /** Whether a file must have it. */
  readonly required?: boolean;
  /** The path of its value: `items[].quantity`. An object joins what is there already. */
  readonly field: string;
  /** The fields that it makes, where they are others than `field`. */
  readonly makes?: readonly string[];
  /** The column that the value comes from where this one is empty. */
  readonly or?: string;
  readonly read: CellReader;
}

/** A column. @param names separated by blanks, the Spanish one first and the English one last. */
export function column(field: string, names: string, read: CellReader, note: LocalizedText): Column {
  const [first = '', ...others] = names.split(' ');
  return { names: [first, ...others], field, read, note };
}

/** A column that a file must have. */
export function requiredColumn(...parts: Parameters<typeof column>): Column {
  return { ...column(...parts), required: true };
}

/** Turns a cell into a value; an empty or absent cell is an empty text. `undefined` leaves the field out. */
export type CellReader = (text: string, cells: RowCells) => Read<unknown>;

/** The other cells that belong to the same part of a document. */
export interface RowCells {
  /** The cell of that column; an empty text without one. */
  text(key: string): string;
  /** The character between cells. */
  readonly delimiter: string;
  /** The day in Ecuador. */
  readonly today: IsoDate;
}

/**
 * How rows divide into the elements of a list. `rows`: each row is one. `filled`: each row with a cell for it is one. A list of
 * column keys: rows with the same cells there are one, and an empty cell there is that of the row above.
 */
export type ListRows = 'rows' | 'filled' | readonly string[];

/** A part of a document that repeats, or the document itself: its columns and the lists in it, in the order of the body. */
export interface Part {
  /** `items[]`; empty for the document. */
  readonly path: string;
  /** Path of the list within the part around it. */
  readonly list: string;
  readonly rows: ListRows;
  readonly steps: readonly (ColumnStep | Part)[];
  /** The keys of the part's columns and of the columns in its lists. */
  readonly keys: readonly string[];
}

/** A column of a part. */
export interface ColumnStep {
  readonly key: string;
  readonly column: Column;
  /** The path of the value within the part. */
  readonly field: string;
}

/** Arranges the columns of a table by the parts of its document. */
export function partsOf(table: CsvTable): Part {
  return partAt('', '', table);
}

// --- internal ---

function partAt(path: string, list: string, table: CsvTable): Part {
  const steps: (ColumnStep | Part)[] = [];
  const keys: string[] = [];
  const begun = new Set<string>();
  for (const [key, column] of Object.entries(table.columns)) {
    if (!column.field.startsWith(path)) continue;
    keys.push(key);
    const field = column.field.slice(path.length).replace(/^\./, '');
    const inner = field.indexOf('[]');
    if (inner < 0) steps.push({ key, column, field });
    else {
      const name = field.slice(0, inner);
      if (begun.has(name)) continue;
      begun.add(name);
      steps.push(partAt(`${path === '' ? '' : `${path}.`}${name}[]`, name, table));
    }
  }
  return { path, list, rows: table.lists[path] ?? 'rows', steps, keys };
}
