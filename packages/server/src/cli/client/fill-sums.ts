import { ecuadorDate, formatDecimal, MONEY_SCALE, prepareDocument, type Scaled } from 'sri-core';

/**
 * Adds the sums that follow from the other fields of a creation body: bases and amounts of taxes, and the total of a
 * single payment. Sums that are present stay.
 * @throws ValidationError naming the errors, except of sums that may be omitted.
 */
export function fillSums(body: unknown, language: 'es' | 'en' = 'es'): unknown {
  const prepared = prepareDocument(body, { issuer: SOMEBODY, today: ecuadorDate(new Date()), strict: false, language });
  if (!isObject(body)) return body;
  const items = prepared.items.map((line, index) => {
    const given = listed(body['items'])[index];
    const taxes = line.taxes.map(({ taxableBase, taxAmount }, place) =>
      withMissing(listed(given?.['taxes'])[place], { taxableBase, taxAmount }),
    );
    return { ...given, taxes };
  });
  const payments =
    'payments' in prepared
      ? prepared.payments.map(({ total }, index) => withMissing(listed(body['payments'])[index], { total }))
      : null;
  return { ...body, items, ...(payments ? { payments } : {}) };
}

// --- internal ---

type Fields = Readonly<Record<string, unknown>>;

/** Sums do not depend on the issuer. */
const SOMEBODY = {
  ruc: '9999999999001',
  businessName: '-',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: false,
};

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listed(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function withMissing(given: Fields | undefined, amounts: Readonly<Record<string, Scaled>>): Fields {
  const missing = Object.entries(amounts).filter(([name]) => isMissing(given?.[name]));
  return {
    ...given,
    ...Object.fromEntries(missing.map(([name, amount]) => [name, formatDecimal(amount, MONEY_SCALE)])),
  };
}

/** Omitted, null, or an empty text, which are equivalent. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
