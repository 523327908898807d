import type { Words } from 'sri-core/cli';
import type { BatchEntry, RowError } from './batch-entry.js';
import { COLUMNS, type ColumnMeaning, type ColumnName } from './csv-columns.js';
import type { CsvRow } from './csv-row.js';
import { type Read, readBuyerId, readDate, readDecimal, readPaymentMethod, readVat } from './csv-values.js';

/** Makes the creation body of an invoice from its rows: the buyer from the first, a line of the invoice from each. */
export function toInvoice(
  rows: readonly CsvRow[],
  columns: readonly ColumnMeaning[],
  delimiter: string,
): Omit<BatchEntry, 'identity'> {
  const errors: RowError[] = [];
  const cell = (row: CsvRow | undefined, name: ColumnName) => row?.cells[columns.indexOf(name)]?.trim() ?? '';
  const fail = (name: ColumnName, message: Words) => errors.push({ field: COLUMNS[name][0], message });
  function take<T>(name: ColumnName, read: Read<T>): T | null {
    if ('value' in read) return read.value;
    fail(name, read.wrong);
    return null;
  }

  /** What belongs to the whole invoice: once, or the same on each of its rows. */
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
  const method = take('paymentMethod', readPaymentMethod(shared('paymentMethod')));
  const term = shared('term');
  if (!/^\d{0,6}$/.test(term))
    fail('term', { es: 'El plazo es un número de días.', en: 'The term is a number of days.' });
  const items = rows.map((row) => {
    const discount = cell(row, 'discount');
    const description = cell(row, 'description');
    return {
      mainCode: cell(row, 'code') || description.slice(0, 25),
      description,
      quantity: take('quantity', readDecimal(cell(row, 'quantity'), delimiter)),
      unitPrice: take('unitPrice', readDecimal(cell(row, 'unitPrice'), delimiter)),
      ...(discount === '' ? {} : { discount: take('discount', readDecimal(discount, delimiter)) }),
      taxes: [take('vat', readVat(cell(row, 'vat')))],
    };
  });
  const additionalInfo = readInfo(rows, columns);
  const body = {
    documentType: '01',
    ...(issueDate === null ? {} : { issueDate }),
    buyer: {
      ...buyer,
      name: shared('buyerName'),
      email: shared('email'),
      ...(address === '' ? {} : { address }),
    },
    items,
    payments: [{ method, ...(term === '' ? {} : { term: Number(term), termUnit: 'dias' }) }],
    ...(additionalInfo.length === 0 ? {} : { additionalInfo }),
  };
  return { reference: cell(rows[0], 'reference') || null, lines: rows.map(({ line }) => line), body, errors };
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

function readInfo(rows: readonly CsvRow[], columns: readonly ColumnMeaning[]) {
  return columns.flatMap((column, index) => {
    if (column === null || typeof column === 'string') return [];
    const value = rows.map(({ cells }) => cells[index] ?? '').find((text) => text !== '');
    return value === undefined ? [] : [{ name: column.info, value }];
  });
}
