import { type Static, Type } from '@sinclair/typebox';
import { TAX } from '../../catalogs/tax-types.js';
import { formatMoney } from '../../money.js';
import type { PrepareContext } from '../context.js';
import type { Computed, PreparedBase } from '../document-type.js';
import type { Findings } from '../findings.js';
import { inspectHead, inspectItems, prepareHead } from '../parts/common-parts.js';
import { createItemPreparer } from '../parts/items.js';
import { createPartyInspector, prepareParty } from '../parts/party.js';
import { inspectPayments, preparePayments } from '../parts/payments.js';
import type { PreparedParty, PreparedPayment, PreparedSale } from '../parts/prepared.js';
import {
  checkReimbursingLines,
  inspectReimbursements,
  type PreparedReimbursement,
  prepareReimbursements,
  type ReimbursementTotals,
  sumReimbursements,
} from '../parts/reimbursements.js';
import { checkTaxGroups } from '../parts/tax-groups.js';
import { checkSums, sumDocument } from '../parts/totals.js';
import { createShape, entriesOf } from '../shape.js';
import { type purchaseSettlementSchema, supplierSchema } from './body.js';

/** A validated purchase settlement (liquidación de compra). */
export interface PreparedPurchaseSettlement extends PreparedBase, Omit<PreparedSale, 'buyer'> {
  readonly documentType: '03';
  readonly supplier: PreparedParty;
  readonly payments: readonly PreparedPayment[];
  readonly reimbursements: readonly PreparedReimbursement[];
  readonly reimbursementTotals: ReimbursementTotals;
}

/** Fails for each tax other than IVA: the schema of a liquidacionCompra has none. */
export function refuseOtherTaxes(copy: unknown, _context: PrepareContext, findings: Findings): void {
  entriesOf(copy, 'items').forEach((item, index) => {
    entriesOf(item, 'taxes').forEach((tax, place) => {
      if (OTHER_TAX.fits(tax)) findings.fail(`items[${index}].taxes[${place}].code`, 'onlyIva');
    });
  });
}

/** Validates the well-formed parts of the body of a purchase settlement whose shape is wrong. */
export function inspectPurchaseSettlement(copy: unknown, context: PrepareContext, findings: Findings): void {
  const issueDate = context.keepIssueDate ?? context.today;
  inspectHead(copy, context, findings);
  inspectSupplier(copy, findings);
  inspectItems(copy, findings);
  inspectPayments(copy, findings);
  inspectReimbursements(copy, 'reimbursements', issueDate, findings);
}

/** Validates the body of a purchase settlement and computes its sums. */
export function preparePurchaseSettlement(
  copy: Body,
  context: PrepareContext,
  findings: Findings,
): Computed<PreparedPurchaseSettlement> {
  const issueDate = context.keepIssueDate ?? context.today;
  const head = prepareHead(copy, context, findings);
  const supplier = prepareParty(copy.supplier, 'supplier', findings);
  const items = copy.items.map(createItemPreparer(issueDate, findings));
  const reimbursements = prepareReimbursements(copy.reimbursements, 'reimbursements', issueDate, findings);
  inspectPayments(copy, findings);
  findings.throwIfBlocked();

  const sums = sumDocument(items, 0n);
  checkSums(sums, 'items', findings);
  checkTaxGroups(items, sums.taxTotals, findings);
  const reimbursementTotals = sumReimbursements(reimbursements, 'reimbursements', findings);
  if (reimbursements.length > 0) checkReimbursingLines(items, reimbursementTotals, findings);
  const payments = preparePayments(copy.payments, sums.total, findings);

  return {
    ...head,
    supplier,
    items,
    payments,
    reimbursements,
    reimbursementTotals,
    subtotal: sums.subtotal,
    discount: sums.discount,
    taxTotals: sums.taxTotals,
    total: formatMoney(sums.total),
  };
}

// --- internal ---

type Body = Static<typeof purchaseSettlementSchema>;

const inspectSupplier = createPartyInspector('supplier', supplierSchema);
const OTHER_TAX = createShape(Type.Object({ code: Type.Union([Type.Literal(TAX.ICE), Type.Literal(TAX.IRBPNR)]) }));
