import {
  code,
  date,
  decimal,
  digits,
  documentNumber,
  month,
  oneOf,
  optional,
  paymentMethod,
  percent,
  text,
  yesNo,
} from '../csv/cell-readers.js';
import type { CsvTable } from '../csv/csv-table.js';
import { dayCell, ISSUE_DATE, MAY_BE_MISSING, NAMED_ID, partyColumns, vatColumn } from './parts.js';

/** [tipoSujetoRetenido] */
const KINDS = {
  persona: '01',
  person: '01',
  '01': '01',
  '1': '01',
  sociedad: '02',
  company: '02',
  '02': '02',
  '2': '02',
};
/** [codigo] */
const TAXES = { renta: '1', ir: '1', '1': '1', iva: '2', '2': '2', isd: '6', '6': '6' };

/** `07`: each row is a tax, a withholding, or both; rows with the same supporting document are one. */
export const WITHHOLDING_TABLE: CsvTable = {
  documentType: '07',
  columns: {
    issueDate: ISSUE_DATE,
    ...partyColumns(
      'subject',
      { es: 'el proveedor a quien se retiene', en: 'the supplier whose tax is withheld' },
      { id: NAMED_ID, mustHaveEmail: true },
    ),
    kind: {
      names: ['tipo_sujeto', 'kind'],
      field: 'subject.kind',
      read: optional(oneOf(KINDS, { es: 'persona ni sociedad', en: 'persona or sociedad' })),
      note: { es: 'persona o sociedad, solo del exterior', en: 'persona or sociedad, of foreign ones only' },
    },
    relatedParty: {
      names: ['parte_relacionada', 'related_party'],
      field: 'subject.relatedParty',
      read: optional(yesNo),
      note: { es: 'sí o no; si falta, no', en: 'yes or no; no where left out' },
    },
    fiscalPeriod: {
      names: ['periodo_fiscal', 'fiscal_period'],
      field: 'fiscalPeriod',
      read: optional(month),
      note: {
        es: 'como 11/2026; si falta, el mes de emisión',
        en: 'such as 11/2026; the month of issue where left out',
      },
    },
    supportCode: {
      names: ['codigo_sustento', 'sustento_tributario', 'support_code'],
      field: 'supportingDocuments[].supportCode',
      required: true,
      read: code(2),
      note: { es: 'tabla 5 del ATS, como 01', en: 'table 5 of the ATS, such as 01' },
    },
    supportType: {
      names: ['tipo_documento_sustento', 'support_type'],
      field: 'supportingDocuments[].documentType',
      read: (cell, cells) => code(2)(cell || INVOICE, cells),
      note: { es: 'tabla 4 del ATS; si falta, 01, factura', en: 'table 4 of the ATS; 01, an invoice, where left out' },
    },
    supportNumber: {
      names: ['documento_sustento', 'factura', 'support_number'],
      field: 'supportingDocuments[].number',
      required: true,
      read: optional(documentNumber),
      note: {
        es: '001-001-000000123; las filas con el mismo son un solo documento de sustento',
        en: '001-001-000000123; rows with the same one are one supporting document',
      },
    },
    supportDate: {
      names: ['fecha_documento_sustento', 'fecha_factura', 'support_date'],
      field: 'supportingDocuments[].issueDate',
      required: true,
      read: date,
      note: { es: 'el día en que se emitió', en: 'the day of its issue' },
    },
    registrationDate: {
      names: ['fecha_registro', 'registration_date'],
      field: 'supportingDocuments[].registrationDate',
      read: optional(date),
      note: { es: 'del registro contable; puede faltar', en: 'of its entry in the books; may be left out' },
    },
    supportAuthorization: {
      names: ['autorizacion_sustento', 'autorizacion', 'support_authorization'],
      field: 'supportingDocuments[].authorizationNumber',
      read: optional(digits),
      note: { es: 'su autorización o clave de acceso', en: 'its authorization or access key' },
    },
    vat: vatColumn('supportingDocuments[].taxes[]', 'supportDate'),
    vatBase: {
      names: ['base_iva', 'base_imponible', 'vat_base'],
      field: 'supportingDocuments[].taxes[].taxableBase',
      required: true,
      read: decimal,
      note: { es: 'la base de esa tarifa en el documento', en: 'the base of that rate in the document' },
    },
    vatAmount: {
      names: ['valor_iva', 'vat_amount'],
      field: 'supportingDocuments[].taxes[].taxAmount',
      read: optional(decimal),
      note: { es: 'si falta, base por tarifa', en: 'base × rate where left out' },
    },
    tax: {
      names: ['impuesto_retenido', 'impuesto', 'tax'],
      field: 'supportingDocuments[].withholdings[].tax',
      required: true,
      read: oneOf(TAXES, { es: 'renta, IVA ni ISD', en: 'renta, IVA or ISD' }),
      note: { es: 'renta, IVA o ISD', en: 'renta, IVA or ISD' },
    },
    withholdingCode: {
      names: ['codigo_retencion', 'withholding_code'],
      field: 'supportingDocuments[].withholdings[].code',
      required: true,
      read: text,
      note: {
        es: 'como 312 en renta; en IVA 1, 2, 3, 7 a 11, no el casillero del formulario 104',
        en: 'such as 312 for renta; for IVA 1, 2, 3, 7 to 11, not the box of form 104',
      },
    },
    withholdingBase: {
      names: ['base_retencion', 'withholding_base'],
      field: 'supportingDocuments[].withholdings[].taxableBase',
      required: true,
      read: decimal,
      note: {
        es: 'de la que se retiene; en IVA, el IVA del documento',
        en: 'what is withheld from; for IVA, the IVA of the document',
      },
    },
    withholdingRate: {
      names: ['porcentaje_retencion', 'porcentaje', 'withholding_rate'],
      field: 'supportingDocuments[].withholdings[].rate',
      required: true,
      read: percent,
      note: { es: 'como 2 o 1,75', en: 'such as 2 or 1,75' },
    },
    withheldAmount: {
      names: ['valor_retenido', 'withheld_amount'],
      field: 'supportingDocuments[].withholdings[].amount',
      read: optional(decimal),
      note: { es: 'si falta, base por porcentaje', en: 'base × percentage where left out' },
    },
    paymentMethod: {
      names: ['forma_pago', 'forma_de_pago', 'payment_method'],
      field: 'supportingDocuments[].payments[0].method',
      read: paymentMethod,
      note: MAY_BE_MISSING,
    },
  },
  lists: {
    'supportingDocuments[]': ['supportNumber', 'supportType'],
    'supportingDocuments[].taxes[]': 'filled',
    'supportingDocuments[].withholdings[]': 'filled',
  },
  withoutColumn: {
    es: 'pagos al exterior, dividendos, banano, reembolsos, ICE, IRBPNR, varias formas de pago y la versión 1.0.0',
    en: 'payments abroad, dividends, bananas, reimbursements, ICE, IRBPNR, several payments and version 1.0.0',
  },
  examples: (today) => [
    {
      ...WITHHOLDING,
      supportDate: dayCell(today),
      ...TAXED,
      tax: 'renta',
      withholdingCode: '312',
      withholdingBase: '100,00',
      withholdingRate: '2',
    },
    {
      ...WITHHOLDING,
      supportDate: dayCell(today),
      tax: 'IVA',
      withholdingCode: '1',
      withholdingBase: '15,00',
      withholdingRate: '30',
    },
  ],
};

// --- internal ---

const INVOICE = '01';

const WITHHOLDING = {
  reference: 'RET-1',
  partyId: '1790011674001',
  partyName: 'Comercial Ñandú & Cía.',
  email: 'compras@example.com',
  supportCode: '01',
  supportType: '01',
  supportNumber: '001-001-000000123',
  supportAuthorization: '1123456789',
  paymentMethod: '20',
};
const TAXED = { vat: '15', vatBase: '100,00' };
