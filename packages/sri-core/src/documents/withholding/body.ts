import { Type } from '@sinclair/typebox';
import { type SupportCode, supportCodes } from '../../catalogs/support-codes.js';
import type { SupportDocumentCode } from '../../catalogs/support-document-types.js';
import type { TaxTypeCode } from '../../catalogs/tax-types.js';
import { type WithholdingTaxCode, withholdingTaxes } from '../../catalogs/withholding-taxes.js';
import {
  booleanField,
  codeField,
  dateField,
  decimalField,
  optional,
  optionalPart,
  patternField,
  rateField,
  textField,
} from '../field.js';
import type { HeadBody, PaymentBody } from '../parts/bodies.js';
import { NAMED_ID_TYPES, partyEmail, partySchema } from '../parts/party.js';
import { paymentsWithOptionalTotal } from '../parts/payments.js';
import { MAX_REIMBURSEMENTS, type ReimbursementBody, reimbursementSchema } from '../parts/reimbursements.js';
import {
  additionalInfo,
  authorizationField,
  DOCUMENT_NUMBER,
  documentTypeField,
  flatTaxSchema,
  issueDate,
  supportTypeCode,
} from '../parts/schemas.js';

/** The versions of the schema that a comprobante de retención can be written in. */
const WITHHOLDING_VERSIONS = ['2.0.0', '1.0.0'] as const;

/** A version of the schema. */
export type WithholdingVersion = (typeof WITHHOLDING_VERSIONS)[number];

/** The most supporting documents of one comprobante. The schema has no limit; the file has one of 320 KiB. */
const MAX_SUPPORTING_DOCUMENTS = 300;

/** The input of a withholding receipt (comprobante de retención). Computable sums are optional. */
export interface WithholdingBody extends HeadBody {
  /** `07`: withholding receipt. */
  readonly documentType: '07';
  /**
   * [version] Version of the schema, `2.0.0` by default. `1.0.0` holds no three-digit document types, reimbursements,
   * dividends, bananas or payments abroad, and leaves out what its schema does not have.
   */
  readonly version?: WithholdingVersion | null;
  /** The supplier whose tax is withheld. */
  readonly subject: SubjectBody;
  /** [periodoFiscal] Month of the withholding, MM/YYYY. Default: the month of the issue date. */
  readonly fiscalPeriod?: string | null;
  /** [docsSustento] 1 to 300 documents of that supplier. */
  readonly supportingDocuments: readonly SupportingDocumentBody[];
}

/** The subject of a withholding. */
export interface SubjectBody {
  /** [tipoIdentificacionSujetoRetenido] 04 RUC, 05 cédula, 06 passport, 08 foreign. */
  readonly idType: (typeof NAMED_ID_TYPES)[number];
  /** [identificacionSujetoRetenido] Identification number, up to 20 characters. */
  readonly id: string;
  /** [razonSocialSujetoRetenido] Name or business name, 1 to 300 characters. */
  readonly name: string;
  /** Mail address for the authorized document: one plain address. */
  readonly email: string;
  /** Address, up to 300 characters; not written into the document. */
  readonly address?: string | null;
  /** [tipoSujetoRetenido] `01` person, `02` company. Required with type 08, and only there. */
  readonly kind?: '01' | '02' | null;
  /** [parteRel] Whether the subject is a related party. Default false. */
  readonly relatedParty?: boolean | null;
}

/** A document that a withholding is made on. */
export interface SupportingDocumentBody {
  /** [codSustento] What the purchase is used for, as in `supportCodes`. */
  readonly supportCode: SupportCode;
  /** [codDocSustento] Type of the document, as in `supportDocumentTypes`. */
  readonly documentType: SupportDocumentCode;
  /** [numDocSustento] Its number, `001-001-000000123`. A self-withholding (350, 3481 on type 42) takes its own number. */
  readonly number?: string | null;
  /** [fechaEmisionDocSustento] The day it was issued, DD/MM/YYYY; not later than the withholding. */
  readonly issueDate: string;
  /** [fechaRegistroContable] The day it was entered in the books, DD/MM/YYYY; it may be later than the withholding. */
  readonly registrationDate?: string | null;
  /** [numAutDocSustento] Its authorization, 10 to 49 digits. */
  readonly authorizationNumber?: string | null;
  /** [pagoLocExt] Where it is paid. Default: in Ecuador. */
  readonly payment?: SupportPaymentBody | null;
  /** [totalSinImpuestos] Its total before taxes; decimal text. Default: from the taxes. */
  readonly subtotal?: string | null;
  /** [importeTotal] Its total; decimal text. Default: subtotal and taxes. */
  readonly total?: string | null;
  /** [impuestosDocSustento] 1 to 20 taxes of the document, one entry per rate. */
  readonly taxes: readonly SupportTaxBody[];
  /** [retenciones] 1 to 20 withholdings on the document. */
  readonly withholdings: readonly WithheldBody[];
  /** [pagos] 1 to 50 payments. They add up to the total. */
  readonly payments: readonly SupportPagoBody[];
  /** [reembolsos] Documents whose expense is reimbursed: required with type 41, and only with 41, 47 and 48. */
  readonly reimbursements?: readonly ReimbursementBody[] | null;
}

/** Where a supporting document is paid. */
export interface SupportPaymentBody {
  /** [pagoLocExt] `01` to a resident, `02` to a non-resident. Default `01`. */
  readonly location?: '01' | '02' | null;
  /** [tipoRegi] `01` general regime, `02` tax haven, `03` preferential regime. Required abroad. */
  readonly regime?: '01' | '02' | '03' | null;
  /** [paisEfecPago] Country of the payment, as in `countries`; in regime 02 of the ATS, table 17. Required abroad. */
  readonly country?: string | null;
  /** [aplicConvDobTrib] Whether a double taxation treaty applies. Required abroad. */
  readonly treaty?: boolean | null;
  /** [pagExtSujRetNorLeg] Whether the law subjects the payment to withholding. Required without a treaty, and only then. */
  readonly subjectToWithholding?: boolean | null;
  /** [pagoRegFis] Whether the payment goes to a regime of lower taxation. */
  readonly taxHaven?: boolean | null;
}

/** A tax of a supporting document. */
export interface SupportTaxBody {
  /** [codImpuestoDocSustento] 2 IVA, 3 ICE, 5 IRBPNR. */
  readonly code: TaxTypeCode;
  /** [codigoPorcentaje] Rate code of the tax, as in `taxRates`. */
  readonly rateCode: string;
  /** [tarifa] Percentage; for taxes by unit, dollars per unit. At most three significant digits. Default: the table's. */
  readonly rate?: string | null;
  /** [baseImponible] Amount the tax applies to; decimal text. */
  readonly taxableBase: string;
  /** [valorImpuesto] The tax; decimal text. Default: base × rate. */
  readonly taxAmount?: string | null;
}

/** A withholding on a supporting document. */
export interface WithheldBody {
  /** [codigo] 1 income tax, 2 IVA, 6 ISD. */
  readonly tax: WithholdingTaxCode;
  /** [codigoRetencion] Concept, as in `withholdingCodes`. For IVA 1, 2, 3, 7 … 11, never a box of form 104. */
  readonly code: string;
  /** [baseImponible] Amount that is withheld from; decimal text. For IVA, the document's IVA. */
  readonly taxableBase: string;
  /** [porcentajeRetener] Percentage; at most three significant digits. */
  readonly rate: string;
  /** [valorRetenido] Amount withheld; decimal text. Default: base × rate. */
  readonly amount?: string | null;
  /** [dividendos] The dividend: required for income tax with support code 10, and only there. */
  readonly dividend?: DividendBody | null;
  /** [compraCajBanano] The bananas: required with codes 338, 340, 341, 342, 342A, 342B, and only there. */
  readonly bananas?: BananasBody | null;
}

/** The dividend that tax is withheld from. */
export interface DividendBody {
  /** [fechaPagoDiv] The day it is paid, DD/MM/YYYY. */
  readonly paymentDate: string;
  /** [imRentaSoc] Income tax that the company paid on it; decimal text. */
  readonly incomeTax: string;
  /** [ejerFisUtDiv] Year of the profits, YYYY. */
  readonly fiscalYear: string;
}

/** The bananas that tax is withheld from. */
export interface BananasBody {
  /** [numCajBan] Number of boxes, 1 to 7 digits. */
  readonly boxes: string;
  /** [precCajBan] Price of a box; decimal text. */
  readonly boxPrice: string;
}

/** A payment of a supporting document. */
export interface SupportPagoBody {
  /** [formaPago] Form of payment, as in `paymentMethods`. */
  readonly method: PaymentBody['method'];
  /** [total] Amount paid this way; decimal text. A single payment may leave it out. */
  readonly total?: string | null;
}

const money = (description: string, example: string) => decimalField({ decimals: 2, description, example });
const yesNo = (description: string) => optional(booleanField({ description, example: false }));

/** The subject. */
export const subjectSchema = partySchema({
  description: 'The supplier whose tax is withheld.',
  address: 'Address; not written into the document.',
  email: partyEmail,
  idTypes: NAMED_ID_TYPES,
  more: {
    kind: optional(
      codeField({
        codes: [{ code: '01' }, { code: '02' }],
        description: '01 person, 02 company. Required with type 08, and only there.',
        example: '02',
      }),
    ),
    relatedParty: yesNo('Whether the subject is a related party. Default false.'),
  },
});

/** Where a supporting document is paid. */
export const supportPaymentSchema = Type.Object(
  {
    location: optional(
      codeField({
        codes: [{ code: '01' }, { code: '02' }],
        description: '01 to a resident, 02 to a non-resident. Default 01.',
        example: '02',
      }),
    ),
    regime: optional(
      codeField({
        codes: [{ code: '01' }, { code: '02' }, { code: '03' }],
        description: '01 general regime, 02 tax haven, 03 preferential regime. Required abroad.',
        example: '01',
      }),
    ),
    country: optional(
      patternField({
        pattern: '^[0-9]{3,4}$',
        form: '110',
        description:
          'Country of the payment: of the catalog countries, or in regime 02 of the SRI’s table of tax havens (ATS, table 17). Required abroad.',
        example: '110',
      }),
    ),
    treaty: yesNo('Whether a double taxation treaty applies. Required abroad.'),
    subjectToWithholding: yesNo(
      'Whether the law subjects the payment to withholding. Required without a treaty, and only then.',
    ),
    taxHaven: yesNo('Whether the payment goes to a regime of lower taxation.'),
  },
  { description: 'Where it is paid. Default: in Ecuador.' },
);

/** A withholding on a supporting document. */
export const withheldSchema = Type.Object(
  {
    tax: codeField({
      catalog: 'withholding-taxes',
      codes: withholdingTaxes,
      description: 'Tax: 1 income tax, 2 IVA, 6 ISD.',
      example: '1',
    }),
    code: textField({ max: 5, description: 'Concept, as in the catalog withholding-codes.', example: '312' }),
    taxableBase: money("Amount that is withheld from. For IVA, the document's IVA.", '100.00'),
    rate: rateField({ digits: 3, description: 'Percentage; at most three significant digits.', example: '2.00' }),
    amount: optional(money('Amount withheld. Default: base × rate.', '2.00')),
    dividend: optionalPart(
      Type.Object(
        {
          paymentDate: dateField({ description: 'The day it is paid, DD/MM/YYYY.', example: '20/11/2026' }),
          incomeTax: money('Income tax that the company paid on it.', '250.00'),
          fiscalYear: patternField({
            pattern: '^(19|20)[0-9]{2}$',
            form: 'YYYY',
            description: 'Year of the profits.',
            example: '2025',
          }),
        },
        { description: 'The dividend: required for income tax with support code 10, and only there.' },
      ),
    ),
    bananas: optionalPart(
      Type.Object(
        {
          boxes: patternField({
            pattern: '^[0-9]{1,7}$',
            form: 'N … NNNNNNN',
            description: 'Number of boxes.',
            example: '1200',
          }),
          boxPrice: money('Price of a box.', '6.85'),
        },
        { description: 'The bananas: required with codes 338, 340, 341, 342, 342A, 342B, and only there.' },
      ),
    ),
  },
  { description: 'A withholding on the document.' },
);

/** A document that a withholding is made on. */
export const supportingDocumentSchema = Type.Object(
  {
    supportCode: codeField({
      catalog: 'support-codes',
      codes: supportCodes,
      description: 'What the purchase is used for, as in the catalog support-codes.',
      example: '01',
    }),
    documentType: supportTypeCode,
    number: optional(
      patternField({
        ...DOCUMENT_NUMBER,
        description: 'Its number; required unless the withholding is on itself (350, 3481 on type 42).',
      }),
    ),
    issueDate: dateField({
      description: 'The day it was issued, DD/MM/YYYY; not later than the withholding.',
      example: '18/11/2026',
    }),
    registrationDate: optional(
      dateField({ description: 'The day it was entered in the books, DD/MM/YYYY.', example: '21/11/2026' }),
    ),
    authorizationNumber: optional(
      authorizationField('Its authorization number.', '1811202601179001167400120010010000001231234567814'),
    ),
    payment: optionalPart(supportPaymentSchema),
    subtotal: optional(money('Its total before taxes. Default: from the taxes.', '100.00')),
    total: optional(money('Its total. Default: subtotal and taxes.', '115.00')),
    taxes: Type.Array(
      flatTaxSchema(
        optional(
          rateField({
            digits: 3,
            description: "Percentage; for taxes by unit, dollars a unit. Default: the table's.",
            example: '15.00',
          }),
        ),
        'A tax of the document.',
      ),
      { minItems: 1, maxItems: 20, description: 'Taxes of the document, one entry per rate.' },
    ),
    withholdings: Type.Array(withheldSchema, {
      minItems: 1,
      maxItems: 20,
      description: 'Withholdings on the document.',
    }),
    payments: Type.Array(Type.Pick(paymentsWithOptionalTotal.items, ['method', 'total']), {
      minItems: 1,
      maxItems: 50,
      description: 'How it is paid.',
    }),
    reimbursements: optionalPart(
      Type.Array(reimbursementSchema, {
        minItems: 1,
        maxItems: MAX_REIMBURSEMENTS,
        description: 'Documents whose expense is reimbursed: required with type 41, and only with 41, 47 and 48.',
      }),
    ),
  },
  { description: 'A document that a withholding is made on.' },
);

/** Creation body of a withholding receipt; every sum that can be computed is optional. */
export const withholdingSchema = Type.Object(
  {
    documentType: documentTypeField('07', 'Withholding receipt (comprobante de retención).'),
    version: optional(
      codeField({
        codes: WITHHOLDING_VERSIONS.map((code) => ({ code })),
        description:
          'Version of the schema, 2.0.0 by default. 1.0.0 holds no three-digit document types, reimbursements, dividends, bananas or payments abroad.',
        example: '2.0.0',
      }),
    ),
    issueDate,
    subject: subjectSchema,
    fiscalPeriod: optional(
      patternField({
        pattern: '^(0[1-9]|1[0-2])/20[0-9]{2}$',
        form: 'MM/YYYY',
        description: 'Month of the withholding. Default: the month of the issue date.',
        example: '11/2026',
      }),
    ),
    supportingDocuments: Type.Array(supportingDocumentSchema, {
      minItems: 1,
      maxItems: MAX_SUPPORTING_DOCUMENTS,
      description: 'Documents of that supplier.',
    }),
    additionalInfo,
  },
  { description: 'A withholding receipt to create.' },
);
