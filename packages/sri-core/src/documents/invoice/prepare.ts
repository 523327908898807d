import type { Static } from '@sinclair/typebox';
import { FINAL_CONSUMER_LIMIT } from '../../catalogs/id-types.js';
import { TAX } from '../../catalogs/tax-types.js';
import { formatMoney, parseMoney, type Scaled, sum } from '../../money.js';
import type { PrepareContext } from '../context.js';
import type { Computed, PreparedBase } from '../document-type.js';
import type { Findings } from '../findings.js';
import { type CommonParts, inspectCommonParts, prepareCommonParts } from '../parts/common-parts.js';
import { prepareRefund } from '../parts/iva-refund.js';
import { inspectPayments, preparePayments } from '../parts/payments.js';
import type { PreparedItem, PreparedPayment, PreparedSale } from '../parts/prepared.js';
import {
  checkReimbursingLines,
  inspectReimbursements,
  type PreparedReimbursement,
  prepareReimbursements,
  type ReimbursementTotals,
  sumReimbursements,
} from '../parts/reimbursements.js';
import { checkTaxGroups } from '../parts/tax-groups.js';
import { checkAmount, checkSums, isWritable, type Sums, sumDocument } from '../parts/totals.js';
import { optionalText } from '../text.js';
import type { invoiceSchema } from './body.js';
import { type PreparedAdvance, type PreparedCharge, prepareAdvances, prepareCharges } from './collected.js';
import { exportCosts, type PreparedExport, prepareExport } from './export.js';
import { checkNegotiable } from './negotiable.js';
import { subsidyOf } from './subsidy.js';
import { inspectTransport, type PreparedTransport, prepareTransport } from './transport.js';

/** A validated invoice (factura). */
export interface PreparedInvoice extends PreparedBase, PreparedSale {
  readonly documentType: '01';
  /** [guiaRemision] */
  readonly guiaRemision: string | null;
  readonly export: PreparedExport | null;
  /** [totalSubsidio] Null when no line has a subsidy. No part of the total. */
  readonly subsidy: Scaled | null;
  readonly reimbursements: readonly PreparedReimbursement[];
  readonly reimbursementTotals: ReimbursementTotals;
  /** [propina] Part of the total. */
  readonly tip: Scaled;
  /** [otrosRubrosTerceros] Part of the total. */
  readonly thirdPartyCharges: readonly PreparedCharge[];
  /** [retenciones] Part of the total. */
  readonly withholdings: readonly PreparedAdvance[];
  readonly deliveryGuide: PreparedTransport | null;
  /** [placa] */
  readonly licensePlate: string | null;
  /** [tipoNegociable/correo] */
  readonly negotiableEmail: string | null;
  readonly payments: readonly PreparedPayment[];
}

/** Validates the well-formed parts of the body of an invoice whose shape is wrong. */
export function inspectInvoice(copy: unknown, context: PrepareContext, findings: Findings): void {
  inspectCommonParts(copy, context, findings);
  inspectPayments(copy, findings);
  inspectReimbursements(copy, 'reimbursements', context.keepIssueDate ?? context.today, findings);
  inspectTransport(copy, context.keepIssueDate ?? context.today, findings);
  checkNegotiable(copy, findings);
}

/** Validates the body of an invoice and computes its sums. */
export function prepareInvoice(copy: Body, context: PrepareContext, findings: Findings): Computed<PreparedInvoice> {
  const parts = prepareCommonParts(copy, context, findings);
  inspectPayments(copy, findings);
  const variant = prepareVariant(copy, parts, findings);
  checkNegotiable(copy, findings);
  findings.throwIfBlocked();

  const tip = parseMoney(copy.tip ?? '0');
  const additions = {
    tip,
    export: exportCosts(variant.export),
    thirdPartyCharges: sum(variant.thirdPartyCharges.map(({ amount }) => amount)),
    withholdings: sum(variant.withholdings.map(({ amount }) => amount)),
  };
  const sums = sumDocument(parts.items, sum(Object.values(additions)));
  checkSums(sums, culpritOf(sums, additions), findings);
  const subsidy = subsidyOf(parts.items);
  checkAmount(subsidy ?? 0n, 'items', findings);
  const { refund, taxTotals } = prepareRefund(copy.ivaRefund, parts.buyer, sums.taxTotals, findings);
  const total = sums.total - refund;
  checkTaxGroups(parts.items, taxTotals, findings);
  if (variant.reimbursements.length > 0) checkReimbursingLines(parts.items, variant.reimbursementTotals, findings);
  checkBuildingMaterials(parts.items, findings);
  const payments = preparePayments(copy.payments, total, findings);
  if (tip * 100n > sums.subtotal * TIP_PERCENT) findings.warn('tip', 'TIP_LIMIT', { percent: Number(TIP_PERCENT) });
  if (parts.buyer.idType === FINAL_CONSUMER && total > parseMoney(FINAL_CONSUMER_LIMIT)) {
    findings.warn('buyer.idType', 'FINAL_CONSUMER_LIMIT', { max: FINAL_CONSUMER_LIMIT });
  }

  return {
    ...parts,
    ...variant,
    guiaRemision: copy.guiaRemision ?? null,
    tip,
    payments,
    subsidy,
    subtotal: sums.subtotal,
    discount: sums.discount,
    taxTotals,
    total: formatMoney(total),
  };
}

// --- internal ---

const FINAL_CONSUMER = '07';
/** The code of IVA 5 %. */
const BUILDING_MATERIALS = '5';
/** The legal service charge, as a share of the subtotal. Ficha técnica off-line v2.34, tabla 21. */
const TIP_PERCENT = 10n;

type Body = Static<typeof invoiceSchema>;

/** The parts that only some invoices have. */
function prepareVariant(body: Body, { issueDate, buyer }: CommonParts, findings: Findings) {
  const reimbursements = prepareReimbursements(body.reimbursements, 'reimbursements', issueDate, findings);
  return {
    export: prepareExport(body.export, buyer.idType, findings),
    reimbursements,
    reimbursementTotals: sumReimbursements(reimbursements, 'reimbursements', findings),
    thirdPartyCharges: prepareCharges(body.thirdPartyCharges),
    withholdings: prepareAdvances(body.withholdings, findings),
    deliveryGuide: prepareTransport(body.deliveryGuide, issueDate, findings),
    licensePlate: optionalText(body.licensePlate),
    negotiableEmail: body.negotiable?.email ?? null,
  };
}

/** Warns of lines of building materials without their code. Ficha técnica off-line v2.34, tablas 17 and 31. */
function checkBuildingMaterials(items: readonly PreparedItem[], findings: Findings): void {
  items.forEach(({ auxiliaryCode, taxes }, index) => {
    const isReduced = taxes.some(({ code, rateCode }) => code === TAX.IVA && rateCode === BUILDING_MATERIALS);
    if (!isReduced || /^F010[1-8][0-9]{2}$/.test(auxiliaryCode ?? '')) return;
    findings.warn(`items[${index}].auxiliaryCode`, 'BUILDING_MATERIAL_CODE', undefined, 'uncertain');
  });
}

/** The field to blame for a total that is too large: the lines, or the largest amount added to them. */
function culpritOf(sums: Sums, additions: Readonly<Record<string, Scaled>>): string {
  const lines = { ...sums, total: sums.total - sum(Object.values(additions)) };
  const [largest] = Object.entries(additions).toSorted(([, one], [, other]) => (one < other ? 1 : -1));
  return isWritable(lines) ? (largest?.[0] ?? 'items') : 'items';
}
