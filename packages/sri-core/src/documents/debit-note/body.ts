import { Type } from '@sinclair/typebox';
import { decimalField, textField } from '../field.js';
import type { BuyerBody, OriginalDocumentBody, PaymentBody, RefundableBody, TaxBody } from '../parts/bodies.js';
import { ivaRefund } from '../parts/iva-refund.js';
import { paymentsWithOptionalTotal } from '../parts/payments.js';
import {
  additionalInfo,
  buyerSchema,
  documentTypeField,
  issueDate,
  originalDocumentSchema,
  taxesWithOptionalSums,
} from '../parts/schemas.js';

/** The input of a debit note (nota de débito). Computable sums are optional. */
export interface DebitNoteBody extends RefundableBody {
  /** `05`: debit note. */
  readonly documentType: '05';
  /** The buyer: the same as in the modified document, never an unnamed consumer. */
  readonly buyer: BuyerBody;
  /** The document whose value rises. */
  readonly originalDocument: OriginalDocumentBody;
  /** [motivos] 1 to 1000 reasons with their amounts, in the order they are printed. */
  readonly reasons: readonly ReasonBody[];
  /** [pagos] 1 to 50 payments. They add up to the total. */
  readonly payments: readonly PaymentBody[];
}

/** A reason of a debit note, with the amount that it adds. */
export interface ReasonBody {
  /** [razon] What is charged, 1 to 300 characters. */
  readonly reason: string;
  /** [valor] The amount before taxes; decimal text with at most two decimals. */
  readonly amount: string;
  /** [impuestos] 1 to 10 taxes of the amount, at the rates of the original. The note has their sums by rate code. */
  readonly taxes: readonly TaxBody[];
}

/** The reasons of a debit note. */
export const reasonsSchema = Type.Array(
  Type.Object(
    {
      reason: textField({ max: 300, description: 'What is charged.', example: 'Interés por mora' }),
      amount: decimalField({ decimals: 2, description: 'The amount before taxes.', example: '12.50' }),
      taxes: taxesWithOptionalSums,
    },
    { description: 'A reason with its amount.' },
  ),
  { minItems: 1, maxItems: 1000, description: 'Reasons with their amounts, in the order they are printed.' },
);

/** Creation body of a debit note. */
export const debitNoteSchema = Type.Object(
  {
    documentType: documentTypeField('05', 'Debit note (nota de débito).'),
    issueDate,
    buyer: buyerSchema,
    originalDocument: originalDocumentSchema,
    reasons: reasonsSchema,
    payments: paymentsWithOptionalTotal,
    ivaRefund,
    additionalInfo,
  },
  { description: 'A debit note to create.' },
);
