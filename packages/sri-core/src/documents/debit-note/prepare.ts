import type { Static } from '@sinclair/typebox';
import type { IsoDate } from '../../calendar.js';
import { formatMoney, parseMoney, type Scaled, sum } from '../../money.js';
import type { PrepareContext } from '../context.js';
import type { Computed, PreparedBase } from '../document-type.js';
import type { Findings } from '../findings.js';
import { inspectBuyer, inspectHead, inspectRates, prepareHead } from '../parts/common-parts.js';
import { prepareRefund } from '../parts/iva-refund.js';
import { prepareOriginal } from '../parts/modified-document.js';
import { prepareParty } from '../parts/party.js';
import { inspectPayments, preparePayments } from '../parts/payments.js';
import type { OriginalDocument, PreparedParty, PreparedPayment, PreparedTax, TaxTotal } from '../parts/prepared.js';
import { checkTaxGroups } from '../parts/tax-groups.js';
import { createTaxPreparer } from '../parts/taxes.js';
import { checkSums, sumTaxes } from '../parts/totals.js';
import { createShape, entriesOf } from '../shape.js';
import { normalizeText } from '../text.js';
import { type debitNoteSchema, reasonsSchema } from './body.js';

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

/** Validates the well-formed parts of the body of a debit note whose shape is wrong. */
export function inspectDebitNote(copy: unknown, context: PrepareContext, findings: Findings): void {
  inspectHead(copy, context, findings);
  inspectBuyer(copy, findings);
  inspectReasons(copy, findings);
  inspectPayments(copy, findings);
}

/** Validates the body of a debit note and computes its sums. */
export function prepareDebitNote(copy: Body, context: PrepareContext, findings: Findings): Computed<PreparedDebitNote> {
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

  return { ...head, buyer, originalDocument, reasons, taxTotals, payments, subtotal, total: formatMoney(total) };
}

// --- internal ---

type Body = Static<typeof debitNoteSchema>;
type Reason = Static<typeof reasonsSchema>[number];

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
