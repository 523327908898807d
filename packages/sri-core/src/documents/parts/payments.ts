import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { paymentMethods } from '../../catalogs/payment-methods.js';
import { termUnits } from '../../catalogs/term-units.js';
import { formatMoney, parseMoney, type Scaled, sum } from '../../money.js';
import { children, type XmlElement } from '../../xml/reader.js';
import { optionalElement } from '../../xml/writer.js';
import { codeField, decimalField, numberField, optional } from '../field.js';
import type { Findings } from '../findings.js';
import { createShape } from '../shape.js';
import type { PreparedPayment } from './prepared.js';
import { optional as optionalText, text } from './reading.js';

const TOTAL = decimalField({
  decimals: 2,
  description: 'Amount paid this way. The payments add up to the total of the document.',
  example: '16.68',
});

/** Payments with an optional total. */
export const paymentsWithOptionalTotal = paymentsSchema(optional(TOTAL));
/** Payments with a required total. */
export const paymentsWithTotal = paymentsSchema(TOTAL);

/** A payment, as in the XML. */
export interface ComprobantePayment {
  readonly method: string;
  readonly total: string;
  readonly term: string | null;
  readonly termUnit: string | null;
}

/**
 * Fails for each payment without a total, unless it is the only one. Only a single payment has a computable total.
 *
 * @param field the path of the payments in the body.
 */
export function inspectPayments(copy: unknown, findings: Findings, field = 'payments'): void {
  if (!WITH_PAYMENTS.fits(copy) || copy.payments.length < 2) return;
  copy.payments.forEach((payment, index) => {
    if (typeof payment.total !== 'string') findings.fail(`${field}[${index}].total`, 'required');
  });
}

/** The payments as written. Warns when they do not add up to the total of the document. @param field their path. */
export function preparePayments(
  payments: Static<typeof paymentsWithOptionalTotal>,
  total: Scaled,
  findings: Findings,
  field = 'payments',
): readonly PreparedPayment[] {
  const prepared = payments.map((payment) => ({
    method: payment.method,
    total: typeof payment.total === 'string' ? parseMoney(payment.total) : total,
    term: payment.term ?? null,
    termUnit: payment.termUnit ?? null,
  }));
  if (sum(prepared.map((payment) => payment.total)) !== total) {
    findings.warn(field, 'PAYMENTS_MISMATCH', { expected: formatMoney(total) });
  }
  return prepared;
}

/** [pagos] */
export function readPayments(info: XmlElement | null): readonly ComprobantePayment[] {
  return children(info, 'pagos')
    .flatMap((payments) => children(payments, 'pago'))
    .map((payment) => ({
      method: text(payment, 'formaPago'),
      total: text(payment, 'total'),
      term: optionalText(payment, 'plazo'),
      termUnit: optionalText(payment, 'unidadTiempo'),
    }));
}

/** [pagos] */
export function writePayments(payments: readonly PreparedPayment[]): string {
  let xml = '<pagos>';
  for (const payment of payments) {
    xml +=
      `<pago><formaPago>${payment.method}</formaPago><total>${formatMoney(payment.total)}</total>` +
      optionalElement('plazo', payment.term === null ? null : String(payment.term)) +
      `${optionalElement('unidadTiempo', payment.termUnit)}</pago>`;
  }
  return `${xml}</pagos>`;
}

// --- internal ---

function paymentsSchema<Total extends TSchema>(total: Total) {
  return Type.Array(
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
  );
}

const WITH_PAYMENTS = createShape(Type.Object({ payments: paymentsWithOptionalTotal }));
