import { Type } from '@sinclair/typebox';
import { optional, optionalPart } from '../field.js';
import type { HeadBody, MeasuredItemBody, PaymentBody } from '../parts/bodies.js';
import { NAMED_ID_TYPES, partyEmail, partySchema } from '../parts/party.js';
import { paymentsWithOptionalTotal } from '../parts/payments.js';
import { MAX_REIMBURSEMENTS, type ReimbursementBody, reimbursementSchema } from '../parts/reimbursements.js';
import {
  additionalInfo,
  documentTypeField,
  issueDate,
  itemsSchema,
  MEASURES,
  taxesWithOptionalSums,
} from '../parts/schemas.js';

/** The input of a purchase settlement (liquidación de compra), which the buyer issues. Computable sums are optional. */
export interface PurchaseSettlementBody extends HeadBody {
  /** `03`: purchase settlement. */
  readonly documentType: '03';
  /** The supplier, who issues no invoice. */
  readonly supplier: SupplierBody;
  /** [detalles] 1 to 1000 lines with what is bought, in the order they are printed. Their taxes are IVA (code 2) alone. */
  readonly items: readonly MeasuredItemBody[];
  /** [pagos] 1 to 50 payments. They add up to the total. */
  readonly payments: readonly PaymentBody[];
  /** [reembolsos] Up to 300 documents whose expense is reimbursed to the supplier. */
  readonly reimbursements?: readonly ReimbursementBody[] | null;
}

/** The supplier of a purchase settlement. */
export interface SupplierBody {
  /** [tipoIdentificacionProveedor] 04 RUC, 05 cédula, 06 passport, 08 foreign. */
  readonly idType: (typeof NAMED_ID_TYPES)[number];
  /** [identificacionProveedor] Identification number, up to 20 characters. */
  readonly id: string;
  /** [razonSocialProveedor] Name or business name, 1 to 300 characters. */
  readonly name: string;
  /** Mail address for the authorized document: one plain address. Without one the document is not mailed. */
  readonly email?: string | null;
  /** [direccionProveedor] Address, up to 300 characters. */
  readonly address?: string | null;
}

/** The supplier. */
export const supplierSchema = partySchema({
  description: 'The supplier.',
  address: 'Address.',
  email: optional(partyEmail),
  idTypes: NAMED_ID_TYPES,
});

/** Creation body of a purchase settlement. */
export const purchaseSettlementSchema = Type.Object(
  {
    documentType: documentTypeField('03', 'Purchase settlement (liquidación de compra).'),
    issueDate,
    supplier: supplierSchema,
    items: itemsSchema(taxesWithOptionalSums, MEASURES),
    payments: paymentsWithOptionalTotal,
    reimbursements: optionalPart(
      Type.Array(reimbursementSchema, {
        maxItems: MAX_REIMBURSEMENTS,
        description: 'Documents whose expense is reimbursed to the supplier.',
      }),
    ),
    additionalInfo,
  },
  { description: 'A purchase settlement to create.' },
);
