import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { FINAL_CONSUMER_LIMIT } from '../catalogs/id-types.js';
import { paymentMethods } from '../catalogs/payment-methods.js';
import { termUnits } from '../catalogs/term-units.js';
import { formatDecimal, MONEY_SCALE, parseDecimal, type Scaled, sum } from '../money.js';
import { checkUnknownFields, inspectCommonParts, prepareCommonParts } from './common-parts.js';
import type { PrepareContext } from './context.js';
import {
  additionalInfo,
  buyerSchema,
  DOCUMENT_NUMBER,
  documentTypeField,
  issueDate,
  itemsWithOptionalSums,
  itemsWithSums,
} from './document.js';
import { codeField, decimalField, numberField, optional, patternField } from './field.js';
import type { Findings } from './findings.js';
import type { PreparedInvoice, PreparedPayment } from './prepared-document.js';
import { createShape } from './shape.js';
import { checkTaxGroups } from './tax-groups.js';
import { isWritable, MAX_AMOUNT, sumDocument } from './totals.js';

/** Creation body of an invoice; sums that follow from other fields may be left out. */
export const invoiceSchema = createInvoiceSchema(itemsWithOptionalSums, optional(paymentTotal()));

/** Creation body of an invoice as the HTTP contract has it: every sum is there. */
export const invoiceWithSumsSchema = createInvoiceSchema(itemsWithSums, paymentTotal());

/**
 * Checks the body of an invoice and works out its sums.
 *
 * @param body anything at all.
 * @throws ValidationError with everything that is wrong.
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
    original: null,
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
/** The law's service charge, of the subtotal. Ficha técnica off-line v2.34, tabla 21. */
const TIP_PERCENT = 10n;

type Payment = Static<typeof invoiceSchema>['payments'][number];

function paymentTotal() {
  return decimalField({
    decimals: 2,
    description: 'Amount paid this way. The payments add up to the total of the document.',
    example: '16.68',
  });
}

function createInvoiceSchema<Items extends TSchema, Total extends TSchema>(items: Items, total: Total) {
  return Type.Object(
    {
      documentType: documentTypeField('01', 'Invoice (factura).'),
      issueDate,
      buyer: buyerSchema,
      guiaRemision: optional(
        patternField({ ...DOCUMENT_NUMBER, description: 'Number of the delivery note that went with the goods.' }),
      ),
      items,
      tip: optional(decimalField({ decimals: 2, description: 'Tip, added to the total.', example: '1.45' })),
      payments: Type.Array(
        Type.Object(
          {
            method: codeField({
              catalog: 'payment-methods',
              codes: paymentMethods,
              description: 'Form of payment, as in the catalog payment-methods.',
              example: '20',
            }),
            total,
            term: optional(numberField({ max: 999_999_999_999, description: 'Time until it is due.', example: 30 })),
            termUnit: optional(
              codeField({
                catalog: 'term-units',
                codes: termUnits,
                description: 'Unit of the term, as in the catalog term-units.',
                example: 'dias',
              }),
            ),
          },
          { description: 'A payment.' },
        ),
        { minItems: 1, maxItems: 50, description: 'How it is paid.' },
      ),
      additionalInfo,
    },
    { description: 'An invoice to create.' },
  );
}

/** Only a single payment has a total that follows from the rest. */
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
