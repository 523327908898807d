import { sum } from '../../money.js';
import { child, children, childText } from '../../xml/reader.js';
import type { SriCheck } from '../document-type.js';
import { groupTaxCheck, partyIdCheck, refundCheck, sumsCheck } from '../parts/sri-checks.js';
import {
  amount,
  type Compare,
  compareDiscounts,
  compareReimbursements,
  compensationsOf,
  type SummedParts,
  taxesOf,
} from '../parts/sum-checks.js';

/** The SRI's checks of an invoice. Ficha técnica off-line v2.34, §11. */
export const INVOICE_SRI_CHECKS: readonly SriCheck[] = [
  sumsCheck('infoFactura', compareTotal),
  refundCheck('infoFactura'),
  partyIdCheck('infoFactura', 'Comprador'),
  groupTaxCheck('infoFactura'),
];

// --- internal ---

function compareTotal(parts: SummedParts, compare: Compare): void {
  const { root, info, totals } = parts;
  const furtherDiscount = compareDiscounts(parts, compare);
  const extras = ['propina', 'fleteInternacional', 'seguroInternacional', 'gastosAduaneros', 'gastosTransporteOtros'];
  const computed =
    amount(info, 'totalSinImpuestos') -
    furtherDiscount +
    taxesOf(totals) -
    compensationsOf(info) +
    sum(extras.map((name) => amount(info, name))) +
    sum(children(child(root, 'retenciones'), 'retencion').map((each) => amount(each, 'valor'))) +
    sum(children(child(root, 'otrosRubrosTerceros'), 'rubro').map((each) => amount(each, 'total')));
  compare('El valor del importe total', amount(info, 'importeTotal'), computed);
  if (childText(info, 'codDocReembolso') !== null) compareReimbursements(root, info, compare);
}
