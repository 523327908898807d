import { type IsoDate, taxRates } from 'sri-core';
import type { Words } from 'sri-core/cli';

/**
 * The error of an IVA percentage that was not in force on the day of its invoice; null if it was. A file has
 * percentages without codes, so an expired one can only be a mistake.
 * @param issueDate `DD/MM/YYYY`; null is today.
 */
export function ratesInForce(rateCode: string, issueDate: string | null, today: IsoDate): Words | null {
  const day = issueDate === null ? today : issueDate.split('/').toReversed().join('-');
  const known = taxRates.filter(({ taxCode }) => taxCode === '2');
  const inForce = known.filter(({ validFrom, validTo }) => (validFrom ?? '') <= day && day <= (validTo ?? '9999'));
  const row = known.find((one) => one.rateCode === rateCode);
  if (!row || inForce.includes(row)) return null;
  const others = inForce.filter((one) => !NAMED.has(one.rateCode)).map(({ rate }) => rate);
  const list = others.toSorted((a, b) => Number(b) - Number(a)).join(', ');
  const written = day.split('-').toReversed().join('/');
  return {
    es: `${row.rate} % no rige el ${written}: ${list}, exento o no objeto.`,
    en: `${row.rate}% is not in force on ${written}: ${list}, exento or no objeto.`,
  };
}

// --- internal ---

/** «No objeto» and «exento», which a file writes as words. */
const NAMED = new Set(['6', '7']);
