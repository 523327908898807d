import { childText } from '../../xml/reader.js';
import type { SriCheck } from '../document-type.js';
import { groupTaxCheck, partyIdCheck, sumsCheck } from '../parts/sri-checks.js';
import { amount, compareDiscounts, compareReimbursements, taxesOf } from '../parts/sum-checks.js';

/** The SRI's checks of a purchase settlement. Ficha técnica off-line v2.34, §11. */
export const PURCHASE_SETTLEMENT_SRI_CHECKS: readonly SriCheck[] = [
  sumsCheck('infoLiquidacionCompra', (parts, compare) => {
    const { root, info, totals } = parts;
    const furtherDiscount = compareDiscounts(parts, compare);
    const computed = amount(info, 'totalSinImpuestos') - furtherDiscount + taxesOf(totals);
    compare('El valor del importe total', amount(info, 'importeTotal'), computed);
    if (childText(info, 'codDocReembolso') !== null) compareReimbursements(root, info, compare);
  }),
  partyIdCheck('infoLiquidacionCompra', 'Proveedor'),
  groupTaxCheck('infoLiquidacionCompra'),
];
