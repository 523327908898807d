import { Type } from '@sinclair/typebox';
import type { documentTypes } from '../../catalogs/document-types.js';
import { dateField, decimalField, emailField, optional, optionalPart, patternField, textField } from '../field.js';
import type { HeadBody, NameValueBody } from '../parts/bodies.js';
import { NAMED_ID_TYPES, partyEmail, partySchema } from '../parts/party.js';
import {
  additionalInfo,
  authorizationField,
  DOCUMENT_NUMBER,
  documentTypeCode,
  documentTypeField,
  issueDate,
  nameValueSchema,
} from '../parts/schemas.js';

/** The input of a delivery guide (guía de remisión). */
export interface DeliveryGuideBody extends HeadBody {
  /** `06`: delivery guide. */
  readonly documentType: '06';
  /** Issue date, DD/MM/YYYY, which only the access key has. It must be today in Ecuador, which is the default. */
  readonly issueDate?: string | null;
  /** The carrier: a person or company, or the issuer itself. */
  readonly carrier: CarrierBody;
  /** [placa] License plate of the vehicle, 1 to 20 characters, such as `PBA1234`. */
  readonly licensePlate: string;
  /** [dirPartida] Address where the transport starts, 1 to 300 characters. */
  readonly departureAddress: string;
  /** [fechaIniTransporte] First day of the transport, DD/MM/YYYY; not before the issue date. */
  readonly startDate: string;
  /** [fechaFinTransporte] Last day of the transport, DD/MM/YYYY; not before the first. */
  readonly endDate: string;
  /** [destinatarios] 1 to 100 recipients, each with its goods. The first is the counterparty of the document. */
  readonly recipients: readonly RecipientBody[];
}

/** The carrier of the goods. */
export interface CarrierBody {
  /** [tipoIdentificacionTransportista] 04 RUC, 05 cédula, 06 passport, 08 foreign. */
  readonly idType: (typeof NAMED_ID_TYPES)[number];
  /** [rucTransportista] Identification number, up to 20 characters. */
  readonly id: string;
  /** [razonSocialTransportista] Name or business name, 1 to 300 characters. */
  readonly name: string;
  /** Mail address for a copy of the authorized document. */
  readonly email?: string | null;
  /** Address, up to 300 characters; not written into the document. */
  readonly address?: string | null;
}

/** A recipient and its goods. */
export interface RecipientBody {
  /** [identificacionDestinatario] Identification number, 1 to 20 characters; the document has no type of it. */
  readonly id: string;
  /** [razonSocialDestinatario] Name or business name, 1 to 300 characters. */
  readonly name: string;
  /** [dirDestinatario] Address where the goods arrive, 1 to 300 characters. */
  readonly address: string;
  /** Mail address for the authorized document. */
  readonly email?: string | null;
  /** [motivoTraslado] Why the goods are moved, 1 to 300 characters; `transferReasons` has the usual texts. */
  readonly reason: string;
  /** [docAduaneroUnico] Number of the customs document, up to 20 characters. */
  readonly customsDocument?: string | null;
  /** [codEstabDestino] Branch of the recipient, three digits. */
  readonly branchCode?: string | null;
  /** [ruta] Route, up to 300 characters. */
  readonly route?: string | null;
  /** The document that supports the transfer, such as the invoice of the goods. */
  readonly supportingDocument?: TransferSupportBody | null;
  /** [detalles] 1 to 1000 lines with the goods. */
  readonly items: readonly GoodsBody[];
}

/** The document that supports a transfer. */
export interface TransferSupportBody {
  /** [codDocSustento] Type of the document, 01 for an invoice. */
  readonly documentType: (typeof documentTypes)[number]['code'];
  /** [numDocSustento] Its number, `001-001-000000123`. */
  readonly number: string;
  /** [numAutDocSustento] Its authorization, 10 to 49 digits; the access key of an electronic document. */
  readonly authorizationNumber?: string | null;
  /** [fechaEmisionDocSustento] The day it was issued, DD/MM/YYYY; not after the delivery guide. */
  readonly issueDate?: string | null;
}

/** A line: goods that are moved. */
export interface GoodsBody {
  /** [codigoInterno] The issuer's code of the product, up to 25 characters. */
  readonly mainCode?: string | null;
  /** [codigoAdicional] A second code, up to 25 characters. */
  readonly auxiliaryCode?: string | null;
  /** [descripcion] What is moved, 1 to 300 characters. */
  readonly description: string;
  /** [cantidad] Quantity; decimal text with at most six decimals. */
  readonly quantity: string;
  /** [detallesAdicionales] Up to 3 pairs, written as detAdicional; a serial or motor number belongs here. */
  readonly additionalDetails?: readonly NameValueBody[] | null;
}

/** The carrier. */
export const carrierSchema = partySchema({
  description: 'The carrier: a person or company, or the issuer itself.',
  address: 'Address; not written into the document.',
  email: optional(partyEmail),
  idTypes: NAMED_ID_TYPES,
});

/** First day of the transport. */
export const startDate = dateField({
  description: 'First day of the transport, DD/MM/YYYY; not before the issue date.',
  example: '21/11/2026',
});

/** Last day of the transport. */
export const endDate = dateField({
  description: 'Last day of the transport, DD/MM/YYYY; not before the first.',
  example: '22/11/2026',
});

/** The document that supports a transfer. */
export const supportSchema = Type.Object(
  {
    documentType: documentTypeCode,
    number: patternField({ ...DOCUMENT_NUMBER, description: 'Its number.' }),
    authorizationNumber: optional(
      authorizationField(
        'Its authorization; the access key of an electronic document.',
        '2111202601179001234500120010010000001231234567812',
      ),
    ),
    issueDate: optional(
      dateField({
        description: 'The day it was issued, DD/MM/YYYY; not after the delivery guide.',
        example: '21/11/2026',
      }),
    ),
  },
  { description: 'The document that supports the transfer, such as the invoice of the goods.' },
);

const goodsSchema = Type.Object(
  {
    mainCode: optional(textField({ max: 25, description: "The issuer's code of the product.", example: 'CAF-500' })),
    auxiliaryCode: optional(textField({ max: 25, description: 'A second code.', example: '7861234567890' })),
    description: textField({ max: 300, description: 'What is moved.', example: 'Café de Loja 500 g' }),
    quantity: decimalField({ decimals: 6, description: 'Quantity.', example: '24.00' }),
    additionalDetails: optionalPart(
      Type.Array(nameValueSchema('A detail of the line.'), {
        maxItems: 3,
        description: 'Up to 3 pairs, written as detAdicional; a serial or motor number belongs here.',
      }),
    ),
  },
  { description: 'A line: goods that are moved.' },
);

const recipientSchema = Type.Object(
  {
    id: textField({ max: 20, description: 'Identification number.', example: '1710034065' }),
    name: textField({ max: 300, description: 'Name or business name.', example: 'María Muñoz' }),
    address: textField({
      max: 300,
      description: 'Address where the goods arrive.',
      example: 'Av. 10 de Agosto N10-20, Quito',
    }),
    email: optional(
      emailField({ description: 'Where the document is sent once authorized.', example: 'maria@example.com' }),
    ),
    reason: textField({
      max: 300,
      description: 'Why the goods are moved; the catalog transfer-reasons has the usual texts.',
      example: 'Venta',
    }),
    customsDocument: optional(
      textField({ max: 20, description: 'Number of the customs document.', example: '055-2026-10-00012345' }),
    ),
    branchCode: optional(
      patternField({ pattern: '^[0-9]{3}$', form: 'NNN', description: 'Branch of the recipient.', example: '002' }),
    ),
    route: optional(textField({ max: 300, description: 'Route.', example: 'Cuenca – Riobamba – Quito' })),
    supportingDocument: optionalPart(supportSchema),
    items: Type.Array(goodsSchema, {
      minItems: 1,
      maxItems: 1000,
      description: 'Goods, in the order they are printed.',
    }),
  },
  { description: 'A recipient and its goods.' },
);

/** Creation body of a delivery guide. It has no sums. */
export const deliveryGuideSchema = Type.Object(
  {
    documentType: documentTypeField('06', 'Delivery guide (guía de remisión).'),
    issueDate,
    carrier: carrierSchema,
    licensePlate: textField({
      max: 20,
      description: 'License plate of the vehicle, letters and digits without a blank or dash.',
      example: 'PBA1234',
    }),
    departureAddress: textField({
      max: 300,
      description: 'Address where the transport starts.',
      example: 'Calle Loja 5-20, Cuenca',
    }),
    startDate,
    endDate,
    recipients: Type.Array(recipientSchema, {
      minItems: 1,
      maxItems: 100,
      description: 'Recipients, each with its goods. The first is the counterparty of the document.',
    }),
    additionalInfo,
  },
  { description: 'A delivery guide to create.' },
);
