import { type TSchema, Type } from '@sinclair/typebox';
import { decimalField, optional, patternField } from '../field.js';
import type { BuyerBody, ItemBody, NameValueBody, PaymentBody } from '../parts/bodies.js';
import { paymentsWithOptionalTotal, paymentsWithTotal } from '../parts/payments.js';
import {
  additionalInfo,
  buyerSchema,
  DOCUMENT_NUMBER,
  documentTypeField,
  issueDate,
  itemsWithOptionalSums,
  itemsWithSums,
} from '../parts/schemas.js';

/** The input of an invoice (factura). Computable sums are optional. */
export interface InvoiceBody {
  /** `01`: invoice. */
  readonly documentType: '01';
  /** [fechaEmision] Issue date, DD/MM/YYYY. It must be today in Ecuador, which is the default. */
  readonly issueDate?: string | null;
  /** The buyer. */
  readonly buyer: BuyerBody;
  /** [guiaRemision] Number of the delivery guide that went with the goods, `001-002-000000123`. */
  readonly guiaRemision?: string | null;
  /** [detalles] 1 to 1000 lines, in the order they are printed. */
  readonly items: readonly ItemBody[];
  /** [propina] Tip, added to the total; decimal text with at most two decimals. Default `0.00`. */
  readonly tip?: string | null;
  /** [pagos] 1 to 50 payments. They add up to the total. */
  readonly payments: readonly PaymentBody[];
  /** [infoAdicional] Up to 15 pairs for the foot, written as campoAdicional. */
  readonly additionalInfo?: readonly NameValueBody[] | null;
}

/** Creation body of an invoice with optional sums. */
export const invoiceSchema = createInvoiceSchema(itemsWithOptionalSums, paymentsWithOptionalTotal);

/** Creation body of an invoice in the HTTP contract, with every sum required. */
export const invoiceWithSumsSchema = createInvoiceSchema(itemsWithSums, paymentsWithTotal);

// --- internal ---

function createInvoiceSchema<Items extends TSchema, Payments extends TSchema>(items: Items, payments: Payments) {
  return Type.Object(
    {
      documentType: documentTypeField('01', 'Invoice (factura).'),
      issueDate,
      buyer: buyerSchema,
      guiaRemision: optional(
        patternField({ ...DOCUMENT_NUMBER, description: 'Number of the delivery guide that went with the goods.' }),
      ),
      items,
      tip: optional(decimalField({ decimals: 2, description: 'Tip, added to the total.', example: '1.45' })),
      payments,
      additionalInfo,
    },
    { description: 'An invoice to create.' },
  );
}
