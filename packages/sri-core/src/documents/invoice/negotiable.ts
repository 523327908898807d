import { Type } from '@sinclair/typebox';
import { element } from '../../xml/writer.js';
import { emailField } from '../field.js';
import type { Findings } from '../findings.js';
import { line, one, optional } from '../parts/element-rule.js';
import { paymentsWithOptionalTotal } from '../parts/payments.js';
import { buyerSchema } from '../parts/schemas.js';
import { createShape } from '../shape.js';
import { optionalText } from '../text.js';

/** What makes the invoice a negotiable one. */
export const negotiableSchema = Type.Object(
  {
    email: emailField({ max: 100, description: 'Mail address that the SRI notifies.', example: 'cobros@example.com' }),
  },
  { description: 'Makes the invoice a negotiable one (factura comercial negociable).' },
);

/**
 * Fails unless the buyer of a negotiable invoice has an address, and a payment has a term with its unit. The schema requires
 * neither; the Ficha técnica off-line v2.34 requires both.
 *
 * @param copy of a body; passed over unless buyer, payments and `negotiable` are well-formed.
 */
export function checkNegotiable(copy: unknown, findings: Findings): void {
  if (!NEGOTIABLE.fits(copy)) return;
  if (optionalText(copy.buyer.address) === null) findings.fail('buyer.address', 'negotiable');
  const due = copy.payments.findIndex(({ term }) => typeof term === 'number');
  if (due < 0) findings.fail('payments[0].term', 'negotiable');
  else if (!copy.payments[due]?.termUnit) findings.fail(`payments[${due}].termUnit`, 'negotiable');
}

/** [tipoNegociable] Empty without an address. */
export function writeNegotiable(email: string | null): string {
  return email === null ? '' : `<tipoNegociable>${element('correo', email)}</tipoNegociable>`;
}

/** The structure of the address. */
export const TIPO_NEGOCIABLE = optional('tipoNegociable', [one('correo', line(100))]);

// --- internal ---

const NEGOTIABLE = createShape(
  Type.Object({ negotiable: negotiableSchema, buyer: buyerSchema, payments: paymentsWithOptionalTotal }),
);
