import { Type } from '@sinclair/typebox';
import { child, type XmlElement } from '../../xml/reader.js';
import { element } from '../../xml/writer.js';
import { emailField } from '../field.js';
import type { Findings } from '../findings.js';
import { line, one, optional } from '../parts/element-rule.js';
import type { PreparedParty, PreparedPayment } from '../parts/prepared.js';
import { optional as optionalText } from '../parts/reading.js';

/** What makes the invoice a negotiable one. */
export const negotiableSchema = Type.Object(
  {
    email: emailField({ max: 100, description: 'Mail address that the SRI notifies.', example: 'cobros@example.com' }),
  },
  { description: 'Makes the invoice a negotiable one (factura comercial negociable).' },
);

/**
 * Fails unless the buyer has an address and a payment has a term with its unit. The schema asks for neither; the Ficha
 * técnica off-line v2.34 does, for an invoice that is to be negotiated.
 */
export function checkNegotiable(
  buyer: Pick<PreparedParty, 'address'>,
  payments: readonly Pick<PreparedPayment, 'term' | 'termUnit'>[],
  findings: Findings,
): void {
  if (buyer.address === null) findings.fail('buyer.address', 'negotiable');
  const due = payments.findIndex(({ term }) => term !== null);
  if (due < 0) findings.fail('payments[0].term', 'negotiable');
  else if (payments[due]?.termUnit === null) findings.fail(`payments[${due}].termUnit`, 'negotiable');
}

/** [tipoNegociable] Empty without an address. */
export function writeNegotiable(email: string | null): string {
  return email === null ? '' : `<tipoNegociable>${element('correo', email)}</tipoNegociable>`;
}

/** [tipoNegociable] Null without it. */
export function readNegotiable(root: XmlElement): { readonly email: string } | null {
  const email = optionalText(child(root, 'tipoNegociable'), 'correo');
  return email === null ? null : { email };
}

/** The structure of the address. */
export const TIPO_NEGOCIABLE = optional('tipoNegociable', [one('correo', line(100))]);
