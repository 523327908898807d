import { type TSchema, Type } from '@sinclair/typebox';
import { textField } from '../field.js';
import type { BuyerBody, ItemBody, OriginalDocumentBody, RefundableBody } from '../parts/bodies.js';
import { ivaRefund } from '../parts/iva-refund.js';
import {
  additionalInfo,
  buyerSchema,
  documentTypeField,
  issueDate,
  itemsWithOptionalSums,
  itemsWithSums,
  originalDocumentSchema,
} from '../parts/schemas.js';

/** The input of a credit note (nota de crédito). Computable sums are optional. */
export interface CreditNoteBody extends RefundableBody {
  /** `04`: credit note. */
  readonly documentType: '04';
  /** The buyer: the same as in the credited document. */
  readonly buyer: BuyerBody;
  /** The document being credited. */
  readonly originalDocument: OriginalDocumentBody;
  /** [motivo] Why the original is credited; 1 to 300 characters. */
  readonly motivo: string;
  /** [detalles] 1 to 1000 lines with the credited items, at the rates of the original. */
  readonly items: readonly ItemBody[];
}

/** Creation body of a credit note with optional sums. */
export const creditNoteSchema = createCreditNoteSchema(itemsWithOptionalSums);

/** Creation body of a credit note in the HTTP contract, with every sum required. */
export const creditNoteWithSumsSchema = createCreditNoteSchema(itemsWithSums);

// --- internal ---

function createCreditNoteSchema<Items extends TSchema>(items: Items) {
  return Type.Object(
    {
      documentType: documentTypeField('04', 'Credit note (nota de crédito).'),
      issueDate,
      buyer: buyerSchema,
      originalDocument: originalDocumentSchema,
      motivo: textField({ max: 300, description: 'Why the original is credited.', example: 'Devolución' }),
      items,
      ivaRefund,
      additionalInfo,
    },
    { description: 'A credit note to create.' },
  );
}
