import { type Static, Type } from '@sinclair/typebox';
import { FINAL_CONSUMER_LIMIT } from '../../catalogs/id-types.js';
import { formatDecimal, MONEY_SCALE, parseDecimal, type Scaled, sum } from '../../money.js';
import type { PrepareContext } from '../context.js';
import type { PreparedBase } from '../document-type.js';
import type { Findings } from '../findings.js';
import { checkUnknownFields, inspectCommonParts, prepareCommonParts } from '../parts/common-parts.js';
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
    if (WITH_PAYMENTS.fits(copy)) checkPaymentTotals(copy.payments, findings);
    checkUnknownFields(shape, body, findings);
    return findings.refuse();
  }
  const parts = prepareCommonParts(copy, context, findings);
  checkPaymentTotals(copy.payments, findings);
  findings.throwIfBlocked();

  const tip = parseDecimal(copy.tip ?? '0', MONEY_SCALE);
  const sums = sumDocument(parts.items, tip);
  if (!isWritable(sums)) {
    const culprit = isWritable({ ...sums, total: sums.total - tip }) ? 'tip' : 'items';
    findings.fail(culprit, 'maxAmount', { max: formatDecimal(MAX_AMOUNT, MONEY_SCALE) });
  }
  checkTaxGroups(parts.items, sums.taxTotals, findings);
  const payments = copy.payments.map((payment) => preparePayment(payment, sums.total));
  const total = formatDecimal(sums.total, MONEY_SCALE);
  if (sum(payments.map((payment) => payment.total)) !== sums.total) {
    findings.warn('payments', 'PAYMENTS_MISMATCH', { expected: total });
  }
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
    total,
    warnings: findings.warnings,
  };
}

// --- internal ---

const SHAPE = createShape(invoiceSchema);
const SHAPE_WITH_SUMS = createShape(invoiceWithSumsSchema);
const WITH_PAYMENTS = createShape(Type.Pick(invoiceSchema, ['payments']));

const FINAL_CONSUMER = '07';
/** The legal service charge, as a share of the subtotal. Ficha técnica off-line v2.34, tabla 21. */
const TIP_PERCENT = 10n;

type Payment = Static<typeof invoiceSchema>['payments'][number];

/** Only a single payment has a computable total. */
function checkPaymentTotals(payments: readonly Payment[], findings: Findings): void {
  if (payments.length < 2) return;
  payments.forEach((payment, index) => {
    if (typeof payment.total !== 'string') findings.fail(`payments[${index}].total`, 'required');
  });
}

function preparePayment(payment: Payment, total: Scaled): PreparedPayment {
  return {
    method: payment.method,
    total: typeof payment.total === 'string' ? parseDecimal(payment.total, MONEY_SCALE) : total,
    term: payment.term ?? null,
    termUnit: payment.termUnit ?? null,
  };
}
