import { type TSchema, Type } from '@sinclair/typebox';
import { decimalField, optional, optionalPart, patternField, textField } from '../field.js';
import type { BuyerBody, MeasuredItemBody, PaymentBody, RefundableBody } from '../parts/bodies.js';
import { ivaRefund } from '../parts/iva-refund.js';
import { paymentsWithOptionalTotal, paymentsWithTotal } from '../parts/payments.js';
import { MAX_REIMBURSEMENTS, type ReimbursementBody, reimbursementSchema } from '../parts/reimbursements.js';
import {
  additionalInfo,
  buyerSchema,
  DOCUMENT_NUMBER,
  documentTypeField,
  issueDate,
  itemsSchema,
  MEASURES,
  taxesWithOptionalSums,
  taxesWithSums,
} from '../parts/schemas.js';
import { thirdPartyChargesSchema, withholdingsSchema } from './collected.js';
import { exportSchema } from './export.js';
import { negotiableSchema } from './negotiable.js';
import { transportSchema } from './transport.js';
import type {
  AdvanceWithholdingBody,
  ExportBody,
  NegotiableBody,
  ThirdPartyChargeBody,
  TransportBody,
} from './variant-bodies.js';

/** The input of an invoice (factura). Computable sums are optional. */
export interface InvoiceBody extends RefundableBody {
  /** `01`: invoice. */
  readonly documentType: '01';
  /** The buyer. */
  readonly buyer: BuyerBody;
  /** [guiaRemision] Number of the delivery guide that went with the goods, `001-002-000000123`. */
  readonly guiaRemision?: string | null;
  /** Terms and costs of an export. */
  readonly export?: ExportBody | null;
  /** [detalles] 1 to 1000 lines, in the order they are printed. */
  readonly items: readonly MeasuredItemBody[];
  /** [reembolsos] Up to 300 documents whose expense the invoice reimburses. Its lines have IVA of code 6. */
  readonly reimbursements?: readonly ReimbursementBody[] | null;
  /** [propina] Tip, added to the total; decimal text with at most two decimals. Default `0.00`. */
  readonly tip?: string | null;
  /** [otrosRubrosTerceros] Up to 100 amounts collected for third parties, part of the total. Writes version 2.1.0. */
  readonly thirdPartyCharges?: readonly ThirdPartyChargeBody[] | null;
  /** [retenciones] Up to 50 withholdings that an invoice of fuel or newspapers collects in advance, part of the total. */
  readonly withholdings?: readonly AdvanceWithholdingBody[] | null;
  /** [infoSustitutivaGuiaRemision] Transport of the goods: the invoice replaces the delivery guide. Writes version 2.1.0. */
  readonly deliveryGuide?: TransportBody | null;
  /** [placa] Plate of the vehicle that is fuelled or does the commercial transport, 1 to 20 characters. */
  readonly licensePlate?: string | null;
  /** [tipoNegociable] Makes the invoice a negotiable one. */
  readonly negotiable?: NegotiableBody | null;
  /** [pagos] 1 to 50 payments. They add up to the total. */
  readonly payments: readonly PaymentBody[];
}

/** Creation body of an invoice with optional sums. */
export const invoiceSchema = createInvoiceSchema(
  itemsSchema(taxesWithOptionalSums, MEASURES),
  paymentsWithOptionalTotal,
);

/** Creation body of an invoice in the HTTP contract, with every sum required. */
export const invoiceWithSumsSchema = createInvoiceSchema(itemsSchema(taxesWithSums, MEASURES), paymentsWithTotal);

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
      export: optionalPart(exportSchema),
      items,
      reimbursements: optionalPart(
        Type.Array(reimbursementSchema, {
          maxItems: MAX_REIMBURSEMENTS,
          description: `Up to ${MAX_REIMBURSEMENTS} documents whose expense the invoice reimburses.`,
        }),
      ),
      tip: optional(decimalField({ decimals: 2, description: 'Tip, added to the total.', example: '1.45' })),
      thirdPartyCharges: optionalPart(thirdPartyChargesSchema),
      withholdings: optionalPart(withholdingsSchema),
      deliveryGuide: optionalPart(transportSchema),
      licensePlate: optional(
        textField({
          max: 20,
          description: 'Plate of the vehicle that is fuelled or does the commercial transport.',
          example: 'ABC1234',
        }),
      ),
      negotiable: optionalPart(negotiableSchema),
      payments,
      ivaRefund,
      additionalInfo,
    },
    { description: 'An invoice to create.' },
  );
}
