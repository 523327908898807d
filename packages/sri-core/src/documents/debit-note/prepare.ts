import type { Static } from '@sinclair/typebox';
import type { IsoDate } from '../../calendar.js';
import { formatMoney, parseMoney, type Scaled, sum } from '../../money.js';
import type { PrepareContext } from '../context.js';
import type { PreparedBase } from '../document-type.js';
import type { Findings } from '../findings.js';
import { checkUnknownFields, inspectBuyer, inspectHead, inspectRates, prepareHead } from '../parts/common-parts.js';
import { prepareRefund } from '../parts/iva-refund.js';
import { checkOriginalDate, prepareOriginal } from '../parts/modified-document.js';
import { prepareParty, refuseFinalConsumer } from '../parts/party.js';
import { inspectPayments, preparePayments } from '../parts/payments.js';
import type { OriginalDocument, PreparedParty, PreparedPayment, PreparedTax, TaxTotal } from '../parts/prepared.js';
import { checkTaxGroups } from '../parts/tax-groups.js';
import { createTaxPreparer } from '../parts/taxes.js';
import { checkSums, sumTaxes } from '../parts/totals.js';
import { createShape, entriesOf } from '../shape.js';
import { normalizeText } from '../text.js';
import { debitNoteSchema, reasonsSchema } from './body.js';

/** A validated debit note (nota de débito). Money is in cents. */
export interface PreparedDebitNote extends PreparedBase {
  readonly documentType: '05';
  readonly buyer: PreparedParty;
  readonly originalDocument: OriginalDocument;
  readonly reasons: readonly PreparedReason[];
  /** [impuestos] One entry per tax and rate code, in order of appearance. */
  readonly taxTotals: readonly ReasonTaxTotal[];
  readonly payments: readonly PreparedPayment[];
  /** [totalSinImpuestos] */
  readonly subtotal: Scaled;
  /** [valorTotal] Decimal text with two decimals. */
  readonly total: string;
}

/** A reason, as written. Its taxes stand in the sums of the note alone. */
export interface PreparedReason {
  readonly reason: string;
  readonly amount: Scaled;
  readonly taxes: readonly PreparedTax[];
}

/** The sum of one tax at one rate code; all its reasons have one rate. */
export interface ReasonTaxTotal extends TaxTotal {
  readonly rate: Scaled;
}

/**
 * Validates the body of a debit note and computes its sums.
 *
 * @param body any value.
 * @throws ValidationError with every failure.
 */
export function prepareDebitNote(body: unknown, context: PrepareContext, findings: Findings): PreparedDebitNote {
  const copy = SHAPE.copy(body);
  refuseFinalConsumer(copy, findings);
  checkOriginalDate(copy, context, findings);
  if (!SHAPE.fits(copy)) {
    for (const { field, fault } of SHAPE.faults(copy)) findings.fail(field, fault.rule, fault.params);
    inspectHead(copy, context, findings);
    inspectBuyer(copy, findings);
    inspectReasons(copy, findings);
    inspectPayments(copy, findings);
    checkUnknownFields(SHAPE, body, findings);
    return findings.refuse();
  }
  const originalDocument = prepareOriginal(copy.originalDocument);
  const head = prepareHead(copy, context, findings);
  const buyer = prepareParty(copy.buyer, 'buyer', findings);
  const reasons = copy.reasons.map(createReasonPreparer(originalDocument.issueDate, findings));
  inspectPayments(copy, findings);
  const summed = sumReasonTaxes(reasons, findings);
  findings.throwIfBlocked();

  const { refund, taxTotals } = prepareRefund(copy.ivaRefund, buyer, summed, findings);
  const subtotal = sum(reasons.map(({ amount }) => amount));
  const gross = subtotal + sum(taxTotals.map(({ taxAmount }) => taxAmount));
  const total = gross - refund;
  checkSums({ subtotal, discount: 0n, taxTotals, total: gross }, 'reasons', findings);
  checkTaxGroups(reasons, taxTotals, findings, 'reasons');
  const payments = preparePayments(copy.payments, total, findings);
  checkUnknownFields(SHAPE, body, findings);
  findings.throwIfFailed();

  return {
    documentType: '05',
    ...head,
    buyer,
    originalDocument,
    reasons,
    taxTotals,
    payments,
    subtotal,
    total: formatMoney(total),
    warnings: findings.warnings,
  };
}

// --- internal ---

type Reason = Static<typeof reasonsSchema>[number];

const SHAPE = createShape(debitNoteSchema);
const REASON = createShape(reasonsSchema.items);

function createReasonPreparer(rateDate: IsoDate | null, findings: Findings) {
  const prepareTaxes = createTaxPreparer(rateDate, findings);
  return (reason: Reason, index: number): PreparedReason => {
    const amount = parseMoney(reason.amount);
    const line = { field: `reasons[${index}]`, subtotal: amount, quantity: null };
    return { reason: normalizeText(reason.reason), amount, taxes: prepareTaxes(reason.taxes, line) };
  };
}

/** Validates the well-formed reasons of a body whose shape is wrong. */
function inspectReasons(copy: unknown, findings: Findings): void {
  const prepareReason = createReasonPreparer(null, findings);
  entriesOf(copy, 'reasons').forEach((reason, index) => {
    if (REASON.fits(reason)) prepareReason(reason, index);
    else inspectRates(reason, `reasons[${index}]`, findings);
  });
}

/** The note writes each code once, with one rate. Fails for a reason that has another rate than the first. */
function sumReasonTaxes(reasons: readonly PreparedReason[], findings: Findings): readonly ReasonTaxTotal[] {
  const rates = new Map<string, Scaled>();
  reasons.forEach(({ taxes }, index) => {
    taxes.forEach(({ code, rateCode, rate }, place) => {
      const first = rates.get(`${code}:${rateCode}`) ?? rate;
      rates.set(`${code}:${rateCode}`, first);
      if (rate === first) return;
      findings.fail(`reasons[${index}].taxes[${place}].rate`, 'rateOfCode', { rate: formatMoney(first) });
    });
  });
  return sumTaxes(reasons).map((total) => ({ ...total, rate: rates.get(`${total.code}:${total.rateCode}`) ?? 0n }));
}
