import { type LocalizedText, taxRates } from 'sri-core';
import { isDayOf, readDate, readDecimal, readVat, simplify, wrong } from './cell-values.js';
import type { CellReader } from './csv-table.js';

/** A text; an empty one is a fault of the body. */
export const text: CellReader = (cell) => ({ value: cell });

/** A number; required. */
export const decimal: CellReader = (cell, { delimiter }) => readDecimal(cell, delimiter);

/** A percentage, with or without its sign. */
export const percent: CellReader = (cell, { delimiter }) => readDecimal(cell.replace(/%$/, '').trimEnd(), delimiter);

/** The same, and no field at all for an empty cell. */
export function optional(read: CellReader): CellReader {
  return (cell, cells) => (cell === '' ? NOTHING : read(cell, cells));
}

/** A code of two digits or more, whose leading zeros Excel drops. */
export function code(length: number): CellReader {
  return (cell) => ({ value: /^\d+$/.test(cell) ? cell.padStart(length, '0') : cell });
}

/** One of some words. @param words the value of each, without capitals and accents. @param list them for people. */
export function oneOf(words: Readonly<Record<string, string>>, list: LocalizedText): CellReader {
  return (cell) => {
    const plain = simplify(cell);
    if (Object.hasOwn(words, plain)) return { value: words[plain] };
    return wrong(`«${cell}» no es ${list.es}.`, `«${cell}» is not ${list.en}.`);
  };
}

/** The day of issue: today, or nothing. */
export const issueDay: CellReader = (cell, { today }) => {
  if (cell === '') return NOTHING;
  const read = readDate(cell);
  if ('wrong' in read || isDayOf(read.value, today)) return read;
  const now = today.split('-').toReversed().join('/');
  return wrong(
    `«${cell}» no es hoy (${now}), y el SRI solo recibe la fecha del día: ponga ${now} o deje la celda vacía.`,
    `«${cell}» is not today (${now}), and the SRI takes the date of the day only: write ${now} or leave the cell empty.`,
  );
};

/** A mail address that must be there. */
export const email: CellReader = (cell) => (cell === '' ? NO_EMAIL : { value: cell });

/**
 * The tax of a line by its percentage, in force on a day. A file has percentages without codes, so an expired one can only
 * be a mistake.
 * @param day the key of the column with the day; today where it is empty.
 */
export function vat(day: string): CellReader {
  return (cell, cells) => {
    const read = readVat(cell);
    if ('wrong' in read) return read;
    const written = readDate(cells.text(day));
    const onDay = 'value' in written ? written.value.split('/').toReversed().join('-') : cells.today;
    return vatExpired(read.value.rateCode, onDay) ?? read;
  };
}

/** The term of a payment in days. */
export const term: CellReader = (cell) => {
  if (cell === '') return NOTHING;
  if (/^\d{1,6}$/.test(cell)) return { value: { term: Number(cell), termUnit: 'dias' } };
  return wrong('El plazo es un número de días.', 'The term is a number of days.');
};

// --- internal ---

const NOTHING = { value: undefined };

/** The error of a rate of IVA that is not in force on that day; null if it is. */
function vatExpired(rateCode: string, day: string) {
  const known = taxRates.filter(({ taxCode }) => taxCode === '2');
  const inForce = known.filter(({ validFrom, validTo }) => (validFrom ?? '') <= day && day <= (validTo ?? '9999'));
  const row = known.find((one) => one.rateCode === rateCode);
  if (!row || inForce.includes(row)) return null;
  // «No objeto» and «exento», which a file writes as words.
  const others = inForce.filter((one) => one.rateCode !== '6' && one.rateCode !== '7').map(({ rate }) => rate);
  const list = others.toSorted((a, b) => Number(b) - Number(a)).join(', ');
  const written = day.split('-').toReversed().join('/');
  return wrong(
    `${row.rate} % no rige el ${written}: ${list}, exento o no objeto.`,
    `${row.rate}% is not in force on ${written}: ${list}, exento or no objeto.`,
  );
}

const NO_EMAIL = wrong(
  'falta. Hace falta siempre, también para consumidor final: si el comprador no tiene correo, ponga uno suyo.',
  'is missing. It is always needed, for consumidor final too: for a buyer without an address enter yours.',
);
