import { WITHHELD } from '../../catalogs/withholding-taxes.js';
import { type TaxFigures, taxFigures, type WithheldAmount } from '../parts/tax-figures.js';
import type { InvoiceComprobante } from './xml.js';

/** The amounts of an invoice for tax forms. What it withholds stands in its own elements, else among its advance payments. */
export function invoiceFigures({ taxes, tip, withheld, withholdings }: InvoiceComprobante): TaxFigures {
  const stated = [
    ...(withheld.iva === null ? [] : [{ tax: WITHHELD.IVA, amount: withheld.iva }]),
    ...(withheld.incomeTax === null ? [] : [{ tax: WITHHELD.INCOME, amount: withheld.incomeTax }]),
  ];
  // From the Ficha's table 23: codes of three digits belong to income tax, codes of one digit to IVA.
  const inAdvance = withholdings.map(
    ({ rateCode, amount }): WithheldAmount => ({ tax: rateCode.length === 3 ? WITHHELD.INCOME : WITHHELD.IVA, amount }),
  );
  return taxFigures({ taxes, tip, withheld: stated.length > 0 ? stated : inAdvance });
}
