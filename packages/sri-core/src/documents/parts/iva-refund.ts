import { TAX } from '../../catalogs/tax-types.js';
import { MONEY_SCALE, parseDecimal, type Scaled } from '../../money.js';
import { decimalField, optional } from '../field.js';
import type { Findings } from '../findings.js';
import type { PreparedParty, TaxTotal } from './prepared.js';
import { cents } from './taxes.js';

/** The refund of a document. */
export const ivaRefund = optional(
  decimalField({
    decimals: 2,
    description:
      'IVA that the SRI returns to an elderly buyer, as its service allowed it; subtracted from the total. The buyer has a cédula.',
    example: '1.50',
  }),
);

/**
 * Assigns the refund to the document's taxed IVA. Fails for a buyer without a cédula (code 92), without exactly one taxed IVA,
 * and for more than that tax.
 *
 * @returns the refund in cents, and the taxes with it.
 * @see Ficha técnica off-line v2.34, anexo 20.
 */
export function prepareRefund<Total extends TaxTotal>(
  text: string | null | undefined,
  buyer: PreparedParty,
  taxTotals: readonly Total[],
  findings: Findings,
): { readonly refund: Scaled; readonly taxTotals: readonly Total[] } {
  const refund = parseDecimal(text || '0', MONEY_SCALE);
  if (refund === 0n) return { refund, taxTotals };
  if (buyer.idType !== CEDULA) findings.fail('ivaRefund', 'refundBuyer');
  const taxed = taxTotals.filter((tax) => tax.code === TAX.IVA && tax.taxAmount > 0n);
  const [only] = taxed;
  if (!only || taxed.length > 1) findings.fail('ivaRefund', 'refundTax');
  else if (refund > only.taxAmount) findings.fail('ivaRefund', 'maxAmount', { max: cents(only.taxAmount) });
  return { refund, taxTotals: taxTotals.map((tax) => (tax === only ? { ...tax, refund } : tax)) };
}

// --- internal ---

/** The only identification type with a refund. */
const CEDULA = '05';
