import { reimbursementPanel, reimbursementTable } from '../parts/reimbursements.js';
import { itemTable, partyPanel } from '../parts/ride-blocks.js';
import { rideSums, sumOfDiscounts } from '../parts/ride-sums.js';
import type { RideContent } from '../ride-content.js';
import type { PurchaseSettlementComprobante } from './xml.js';

/** What the RIDE of a purchase settlement prints: supplier, lines, reimbursed documents, sums, payments. */
export function purchaseSettlementRide(settlement: PurchaseSettlementComprobante): RideContent {
  const { supplier, issueDate, items, reimbursement } = settlement;
  return {
    blocks: [
      partyPanel(supplier, issueDate, [], 'Nombres y apellidos / Razón social del proveedor:'),
      ...(reimbursement ? [reimbursementPanel(reimbursement)] : []),
      itemTable(items),
      ...(reimbursement?.documents.length ? [reimbursementTable(reimbursement.documents)] : []),
    ],
    sums: rideSums(settlement, { discount: settlement.discount ?? sumOfDiscounts(items) }),
    payments: settlement.payments,
  };
}
