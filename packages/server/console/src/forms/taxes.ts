import { inProportion, isSame } from './amounts.js';
import { type Draft, plain, rowsOf } from './form.js';

/** The code of IVA among taxes. */
export const IVA = '2';
/** The code of ICE. */
export const ICE = '3';

/**
 * A line of a body as a row of the form: its one IVA is a field, its other taxes are a list. The row keeps its
 * original line, so that an unchanged row is sent with exactly the original taxes.
 */
export function openTaxed(entry: Draft | null): Draft {
  if (!entry) return {};
  const { iva, others } = splitTaxes(entry);
  const { taxes: _taxes, auxCode, ...rest } = entry;
  return {
    ...rest,
    ...(auxCode && !rest['auxiliaryCode'] ? { auxiliaryCode: auxCode } : {}),
    rateCode: iva?.['rateCode'] ?? '',
    rate: iva?.['rate'] ?? '',
    others: others.map((tax) => ({ ...tax, was: tax })),
    carried: entry,
  };
}

/** The line of a body for a row. The server computes tax amounts that may have changed. */
export function readTaxed(row: Draft): Draft {
  const { rateCode, rate, others: _others, carried, total, ...rest } = row;
  const before = carried as Draft | undefined;
  const kept = before !== undefined && isAsItWas(row, before);
  if (kept) return { ...rest, ...(total ? { total } : {}), taxes: before['taxes'] };
  const iva = rateCode ? [{ code: IVA, rateCode, rate }] : [];
  const more = rowsOf(row, 'others').map(({ was: _was, ...tax }) => tax);
  return { ...rest, taxes: [...more, ...iva] };
}

/** The other taxes of a line after a change of its quantity: in proportion, except those with a retyped amount. */
export function followQuantity({ quantity, carried, ...row }: Draft): Draft {
  const before = carried as Draft | undefined;
  if (!before) return {};
  const follow = (tax: Draft) => {
    const was = tax['was'] as Draft | undefined;
    if (was?.['rateCode'] !== tax['rateCode']) return tax;
    const amounts = ['taxableBase', 'taxAmount'].flatMap((name) => {
      const amount = inProportion(was?.[name], quantity, before['quantity']);
      return amount === null ? [] : [[name, amount]];
    });
    return { ...tax, ...Object.fromEntries(amounts) };
  };
  return { others: rowsOf(row, 'others').map(follow) };
}

// --- internal ---

/** The taxes of a line: its one IVA, and all others. */
function splitTaxes(line: Draft): { readonly iva: Draft | undefined; readonly others: readonly Draft[] } {
  const taxes = rowsOf(line, 'taxes');
  const ofIva = taxes.filter(({ code }) => code === IVA);
  const [iva] = ofIva.length === 1 ? ofIva : [];
  return { iva, others: taxes.filter((tax) => tax !== iva) };
}

function isAsItWas(row: Draft, before: Draft): boolean {
  const { iva, others } = splitTaxes(before);
  const numbers = ['quantity', 'unitPrice', 'discount', 'amount'];
  const isGiven = rowsOf(before, 'taxes').every(({ taxableBase, taxAmount }) => taxableBase && taxAmount);
  return (
    isGiven &&
    numbers.every((name) => isSame(plain(row[name]) || '0', before[name] ?? '0')) &&
    (iva?.['rateCode'] ?? '') === row['rateCode'] &&
    areAsTheyWere(rowsOf(row, 'others'), others)
  );
}

/** Whether the other taxes are unchanged. A hidden amount cannot have changed. */
function areAsTheyWere(now: readonly Draft[], before: readonly Draft[]): boolean {
  const isSameTax = (tax: Draft, was: Draft | undefined) =>
    was !== undefined &&
    tax['code'] === was['code'] &&
    tax['rateCode'] === was['rateCode'] &&
    ['taxableBase', 'taxAmount'].every((name) => !tax[name] || isSame(tax[name], was[name]));
  return now.length === before.length && now.every((tax, place) => isSameTax(tax, before[place]));
}
