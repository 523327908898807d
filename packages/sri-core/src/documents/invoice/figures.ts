import { WITHHELD } from '../../catalogs/withholding-taxes.js';
import { isZero } from '../parts/amounts.js';
import { type TaxFigures, taxFigures, type WithheldAmount } from '../parts/tax-figures.js';
import type { InvoiceComprobante } from './xml.js';

/** The amounts of an invoice for tax forms. What it withholds of a tax stands in an element, else among the advances. */
export function invoiceFigures({ taxes, tip, withheld, withholdings }: InvoiceComprobante): TaxFigures {
  const stated: readonly WithheldAmount[] = [
    { tax: WITHHELD.IVA, amount: withheld.iva ?? '0' },
    { tax: WITHHELD.INCOME, amount: withheld.incomeTax ?? '0' },
  ].filter(({ amount }) => !isZero(amount));
  // From the Ficha's table 23: codes of three digits belong to income tax, codes of one digit to IVA.
  const inAdvance = withholdings
    .map(({ rateCode, amount }) => ({ tax: rateCode.length === 3 ? WITHHELD.INCOME : WITHHELD.IVA, amount }))
    .filter(({ tax }) => stated.every((each) => each.tax !== tax));
  return taxFigures({ taxes, tip, withheld: [...stated, ...inAdvance] });
}
