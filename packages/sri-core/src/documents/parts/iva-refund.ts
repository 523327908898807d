import { TAX } from '../../catalogs/tax-types.js';
import { formatMoney, parseMoney, type Scaled, sum } from '../../money.js';
import { decimalField, optional } from '../field.js';
import type { Findings } from '../findings.js';
import type { PreparedParty, TaxTotal } from './prepared.js';

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
 * Shares the refund out among the taxed IVAs of the document, in their order: no rate gets more than its tax. Fails for a buyer
 * without a cédula (code 92), without a taxed IVA, and for more than the IVA of the document.
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
  const refund = parseMoney(text || '0');
  if (refund === 0n) return { refund, taxTotals };
  if (buyer.idType !== CEDULA) findings.fail('ivaRefund', 'refundBuyer');
  const iva = sum(taxTotals.map(({ code, taxAmount }) => (code === TAX.IVA ? taxAmount : 0n)));
  if (iva === 0n) findings.fail('ivaRefund', 'refundTax');
  else if (refund > iva) findings.fail('ivaRefund', 'maxAmount', { max: formatMoney(iva) });
  let rest = refund;
  const refunded = taxTotals.map((total) => {
    if (total.code !== TAX.IVA) return total;
    const share = rest < total.taxAmount ? rest : total.taxAmount;
    rest -= share;
    return { ...total, refund: share };
  });
  return { refund, taxTotals: refunded };
}

// --- internal ---

/** The only identification type with a refund. */
const CEDULA = '05';
