import { FINAL_CONSUMER_LIMIT } from '../../catalogs/id-types.js';
import { formatDecimal, MONEY_SCALE, parseDecimal, type Scaled } from '../../money.js';
import type { PrepareContext } from '../context.js';
import type { PreparedBase } from '../document-type.js';
import type { Findings } from '../findings.js';
import { checkUnknownFields, inspectCommonParts, prepareCommonParts } from '../parts/common-parts.js';
import { inspectPayments, preparePayments } from '../parts/payments.js';
import type { PreparedPayment, PreparedSale } from '../parts/prepared.js';
import { checkTaxGroups } from '../parts/tax-groups.js';
import { isWritable, MAX_AMOUNT, sumDocument } from '../parts/totals.js';
import { createShape } from '../shape.js';
import { invoiceSchema, invoiceWithSumsSchema } from './body.js';

/** A validated invoice (factura). */
export interface PreparedInvoice extends PreparedBase, PreparedSale {
  readonly documentType: '01';
  /** [guiaRemision] */
  readonly guiaRemision: string | null;
  /** [propina] Part of the total. */
  readonly tip: Scaled;
  readonly payments: readonly PreparedPayment[];
}

/**
 * Validates the body of an invoice and computes its sums.
 *
 * @param body any value.
 * @throws ValidationError with every failure.
 */
export function prepareInvoice(body: unknown, context: PrepareContext, findings: Findings): PreparedInvoice {
  const shape = context.requireAmounts ? SHAPE_WITH_SUMS : SHAPE;
  const copy = shape.copy(body);
  if (!shape.fits(copy)) {
    for (const { field, fault } of shape.faults(copy)) findings.fail(field, fault.rule, fault.params);
    inspectCommonParts(copy, context, findings);
    inspectPayments(copy, findings);
    checkUnknownFields(shape, body, findings);
    return findings.refuse();
  }
  const parts = prepareCommonParts(copy, context, findings);
  inspectPayments(copy, findings);
  findings.throwIfBlocked();

  const tip = parseDecimal(copy.tip ?? '0', MONEY_SCALE);
  const sums = sumDocument(parts.items, tip);
  if (!isWritable(sums)) {
    const culprit = isWritable({ ...sums, total: sums.total - tip }) ? 'tip' : 'items';
    findings.fail(culprit, 'maxAmount', { max: formatDecimal(MAX_AMOUNT, MONEY_SCALE) });
  }
  checkTaxGroups(parts.items, sums.taxTotals, findings);
  const payments = preparePayments(copy.payments, sums.total, findings);
  if (tip * 100n > sums.subtotal * TIP_PERCENT) findings.warn('tip', 'TIP_LIMIT', { percent: Number(TIP_PERCENT) });
  if (parts.buyer.idType === FINAL_CONSUMER && sums.total > parseDecimal(FINAL_CONSUMER_LIMIT, MONEY_SCALE)) {
    findings.warn('buyer.idType', 'FINAL_CONSUMER_LIMIT', { max: FINAL_CONSUMER_LIMIT });
  }
  checkUnknownFields(shape, body, findings);
  findings.throwIfFailed();

  return {
    documentType: '01',
    ...parts,
    guiaRemision: copy.guiaRemision ?? null,
    tip,
    payments,
    subtotal: sums.subtotal,
    discount: sums.discount,
    taxTotals: sums.taxTotals,
    total: formatDecimal(sums.total, MONEY_SCALE),
    warnings: findings.warnings,
  };
}

// --- internal ---

const SHAPE = createShape(invoiceSchema);
const SHAPE_WITH_SUMS = createShape(invoiceWithSumsSchema);

const FINAL_CONSUMER = '07';
/** The legal service charge, as a share of the subtotal. Ficha técnica off-line v2.34, tabla 21. */
const TIP_PERCENT = 10n;
