import type { IsoDate } from 'sri-core';
import type { Words } from 'sri-core/cli';
import type { BatchEntry, RowError } from './batch-entry.js';
import { COLUMNS, type ColumnMeaning, type ColumnName, columnOfField } from './csv-columns.js';
import type { CsvRow } from './csv-row.js';
import { isDayOf, type Read, readBuyerId, readDate, readDecimal, readPaymentMethod, readVat } from './csv-values.js';
import { ratesInForce } from './vat-in-force.js';

/** The file whose rows are read. */
export interface CsvTable {
  readonly columns: readonly ColumnMeaning[];
  /** As the file has them, in the order of `columns`. */
  readonly headings: readonly string[];
  readonly delimiter: string;
  /** The day in Ecuador. */
  readonly today: IsoDate;
}

/** Makes the creation body of an invoice from its rows: the buyer from the first row, an item from each. */
export function toInvoice(
  rows: readonly CsvRow[],
  { columns, headings, delimiter, today }: CsvTable,
): Omit<BatchEntry, 'identity'> {
  const errors: RowError[] = [];
  const cell = (row: CsvRow | undefined, name: ColumnName) => row?.cells[columns.indexOf(name)]?.trim() ?? '';
  const lines = rows.map(({ line }) => line);
  const heading = (name: ColumnName) => headings[columns.indexOf(name)]?.trim() || COLUMNS[name][0];
  const fail = (name: ColumnName, message: Words, row?: CsvRow) => {
    const place = row && rows.length > 1 ? `, ${row.line}` : '';
    errors.push({ field: `${heading(name)}${place}`, message });
  };
  function take<T>(name: ColumnName, read: Read<T>, row?: CsvRow): T | null {
    if ('value' in read) return read.value;
    fail(name, read.wrong, row);
    return null;
  }

  /** Fields of the whole invoice: given once, or the same on each of its rows. */
  function shared(name: ColumnName): string {
    const values = new Set(rows.map((row) => cell(row, name)).filter((text) => text !== ''));
    if (values.size > 1) fail(name, DIFFERS);
    return [...values][0] ?? '';
  }

  const tooWide = rows.find(({ cells }) => cells.slice(columns.length).some((text) => text !== ''));
  if (tooWide) errors.push({ field: `${tooWide.line}`, message: TOO_WIDE });
  const buyer = take('buyerId', readBuyerId(shared('buyerId'), shared('idType')));
  const address = shared('address');
  const date = shared('issueDate');
  const issueDate = date === '' ? null : take('issueDate', readDate(date));
  // The body keeps the day, so that an issued document is still recognized tomorrow.
  if (issueDate !== null && !isDayOf(issueDate, today)) fail('issueDate', notToday(date, today));
  const email = shared('email');
  if (email === '') fail('email', NO_EMAIL);
  const method = take('paymentMethod', readPaymentMethod(shared('paymentMethod')));
  const term = shared('term');
  if (!/^\d{0,6}$/.test(term))
    fail('term', { es: 'El plazo es un número de días.', en: 'The term is a number of days.' });
  const items = rows.map((row) => {
    const discount = cell(row, 'discount');
    const description = cell(row, 'description');
    const vat = take('vat', readVat(cell(row, 'vat')), row);
    const outOfForce = vat === null ? null : ratesInForce(vat.rateCode, issueDate, today);
    if (outOfForce !== null) fail('vat', outOfForce, row);
    return {
      mainCode: cell(row, 'code') || description.slice(0, 25),
      description,
      quantity: take('quantity', readDecimal(cell(row, 'quantity'), delimiter), row),
      unitPrice: take('unitPrice', readDecimal(cell(row, 'unitPrice'), delimiter), row),
      ...(discount === '' ? {} : { discount: take('discount', readDecimal(discount, delimiter), row) }),
      taxes: [vat],
    };
  });
  const additionalInfo = readInfo(rows, columns);
  const body = {
    documentType: '01',
    ...(issueDate === null ? {} : { issueDate }),
    buyer: {
      ...buyer,
      name: shared('buyerName'),
      email,
      ...(address === '' ? {} : { address }),
    },
    items,
    payments: [{ method, ...(term === '' ? {} : { term: Number(term), termUnit: 'dias' }) }],
    ...(additionalInfo.length === 0 ? {} : { additionalInfo }),
  };
  return {
    reference: cell(rows[0], 'reference') || null,
    lines,
    body,
    errors,
    originLines: originLinesOf(rows, headings),
    columnOf: (field) => columnOfField(field, { columns, headings, lines }),
  };
}

// --- internal ---

const DIFFERS: Words = {
  es: 'difiere entre las líneas de la misma referencia.',
  en: 'differs between the lines of the same reference.',
};
const TOO_WIDE: Words = {
  es: 'la línea tiene más celdas que columnas: un texto con el separador va entre comillas.',
  en: 'the line has more cells than columns: a text with the separator in it goes between quotes.',
};

const NO_EMAIL: Words = {
  es: 'falta. Hace falta siempre, también para consumidor final: si el comprador no tiene correo, ponga uno suyo.',
  en: 'is missing. It is always needed, for consumidor final too: where the buyer has no address, enter one of your own.',
};

function notToday(text: string, today: IsoDate): Words {
  const [year, month, day] = today.split('-');
  const now = `${day}/${month}/${year}`;
  return {
    es: `«${text}» no es hoy (${now}), y el SRI solo recibe la fecha del día: ponga ${now} o deje la celda vacía.`,
    en: `«${text}» is not today (${now}), and the SRI takes the date of the day only: write ${now} or leave the cell empty.`,
  };
}

/** The lines of these rows in the original file, from a file of errors. */
function originLinesOf(rows: readonly CsvRow[], headings: readonly string[]): readonly number[] {
  const place = headings.findIndex((heading) => /^(linea|line)$/i.test(heading.trim()));
  if (place < 0) return [];
  return rows.map(({ cells }) => Number(cells[place])).filter((line) => Number.isInteger(line) && line > 0);
}

function readInfo(rows: readonly CsvRow[], columns: readonly ColumnMeaning[]) {
  return columns.flatMap((column, index) => {
    if (column === null || typeof column === 'string') return [];
    const value = rows.map(({ cells }) => cells[index] ?? '').find((text) => text !== '');
    return value === undefined ? [] : [{ name: column.info, value }];
  });
}
