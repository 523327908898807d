import { type TaxFigures, taxFigures } from '../parts/tax-figures.js';
import type { WithholdingComprobante } from './xml.js';

/** The amounts of a withholding receipt for tax forms: what was withheld, by tax. */
export function withholdingFigures({ supportingDocuments }: WithholdingComprobante): TaxFigures {
  return taxFigures({ withheld: supportingDocuments.flatMap(({ withholdings }) => withholdings) });
}
