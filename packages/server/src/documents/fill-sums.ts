import { ecuadorDate, formatDecimal, MONEY_SCALE } from 'sri-core';
import { prepareWithoutIssuer } from './prepare-without-issuer.js';

/**
 * Adds the sums that follow from the other fields of a creation body: bases and amounts of taxes, and the total of a
 * single payment. Sums that are present stay.
 *
 * @param today the day of Ecuador that the body is checked for; default the day of the machine.
 * @throws ValidationError naming the errors, except of sums that may be omitted.
 */
export function fillSums(
  body: unknown,
  language: 'es' | 'en' = 'es',
  today: string = ecuadorDate(new Date()),
): unknown {
  const prepared = prepareWithoutIssuer(body, { today, strict: false, language });
  return filled(body, prepared);
}

// --- internal ---

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of the sums that a tax and a payment may leave out. The total of a supporting document follows from its taxes. */
const SUMS_OF_TAX = ['taxableBase', 'taxAmount'];
const SUMS_OF_PAYMENT = ['total'];

/** The value with the missing sums of its prepared counterpart, at every depth. */
function filled(given: unknown, prepared: unknown): unknown {
  if (Array.isArray(given) && Array.isArray(prepared)) return given.map((each, index) => filled(each, prepared[index]));
  if (!isObject(given) || !isObject(prepared)) return given;
  const fields = Object.entries(given).map(([name, value]) => [name, filled(value, prepared[name])]);
  const sums = ('method' in given ? SUMS_OF_PAYMENT : SUMS_OF_TAX).flatMap((name) => {
    const sum = prepared[name];
    return typeof sum === 'bigint' && isMissing(given[name]) ? [[name, formatDecimal(sum, MONEY_SCALE)]] : [];
  });
  return Object.fromEntries([...fields, ...sums]);
}

/** Omitted, null, or an empty text, which are equivalent. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
