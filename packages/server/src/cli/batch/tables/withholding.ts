import { code, decimal, oneOf, optional, percent } from '../cells/cell-readers.js';
import {
  readDate,
  readDigits,
  readDocumentNumber,
  readMonth,
  readPaymentMethod,
  readYesNo,
} from '../cells/cell-values.js';
import { type CsvTable, column, requiredColumn } from '../cells/csv-table.js';
import { dayCell, ISSUE_DATE, MAY_BE_MISSING, NAMED_ID, partyColumns, typeOrInvoice, vatColumn } from './parts.js';

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

/** `07`: each row has a tax, a withholding, or both. Rows with the same supporting document join. */
export const WITHHOLDING_TABLE: CsvTable = {
  documentType: '07',
  columns: {
    issueDate: ISSUE_DATE,
    ...partyColumns(
      'subject',
      { es: 'el proveedor a quien se retiene', en: 'the supplier whose tax is withheld' },
      { id: NAMED_ID, mustHaveEmail: true },
    ),
    kind: column(
      'subject.kind',
      'tipo_sujeto kind',
      optional(oneOf(KINDS, { es: 'persona ni sociedad', en: 'persona or sociedad' })),
      { es: 'persona o sociedad, solo del exterior', en: 'persona or sociedad, of foreign ones only' },
    ),
    relatedParty: column('subject.relatedParty', 'parte_relacionada related_party', optional(readYesNo), {
      es: 'sí o no; si falta, no',
      en: 'yes or no; no where left out',
    }),
    fiscalPeriod: column('fiscalPeriod', 'periodo_fiscal fiscal_period', optional(readMonth), {
      es: 'como 11/2026; si falta, el mes de emisión',
      en: 'such as 11/2026; the month of issue where left out',
    }),
    supportCode: requiredColumn(
      'supportingDocuments[].supportCode',
      'codigo_sustento sustento_tributario support_code',
      code(2),
      { es: 'tabla 5 del ATS, como 01', en: 'table 5 of the ATS, such as 01' },
    ),
    supportType: column('supportingDocuments[].documentType', 'tipo_documento_sustento support_type', typeOrInvoice, {
      es: 'tabla 4 del ATS; si falta, 01, factura',
      en: 'table 4 of the ATS; 01, an invoice, where left out',
    }),
    supportNumber: requiredColumn(
      'supportingDocuments[].number',
      'documento_sustento factura support_number',
      optional(readDocumentNumber),
      {
        es: '001-001-000000123; las filas con el mismo son un solo documento de sustento',
        en: '001-001-000000123; rows with the same one are one supporting document',
      },
    ),
    supportDate: requiredColumn(
      'supportingDocuments[].issueDate',
      'fecha_documento_sustento fecha_factura support_date',
      readDate,
      { es: 'el día en que se emitió', en: 'the day of its issue' },
    ),
    registrationDate: column(
      'supportingDocuments[].registrationDate',
      'fecha_registro registration_date',
      optional(readDate),
      { es: 'del registro contable; puede faltar', en: 'of its entry in the books; may be left out' },
    ),
    supportAuthorization: column(
      'supportingDocuments[].authorizationNumber',
      'autorizacion_sustento autorizacion support_authorization',
      optional(readDigits),
      { es: 'su autorización o clave de acceso', en: 'its authorization or access key' },
    ),
    vat: vatColumn('supportingDocuments[].taxes[]', 'supportDate'),
    vatBase: requiredColumn('supportingDocuments[].taxes[].taxableBase', 'base_iva base_imponible vat_base', decimal, {
      es: 'la base de esa tarifa en el documento',
      en: 'the base of that rate in the document',
    }),
    vatAmount: column('supportingDocuments[].taxes[].taxAmount', 'valor_iva vat_amount', optional(decimal), {
      es: 'si falta, base por tarifa',
      en: 'base × rate where left out',
    }),
    tax: requiredColumn(
      'supportingDocuments[].withholdings[].tax',
      'impuesto_retenido impuesto tax',
      oneOf(TAXES, { es: 'renta, IVA ni ISD', en: 'renta, IVA or ISD' }),
      { es: 'renta, IVA o ISD', en: 'renta, IVA or ISD' },
    ),
    withholdingCode: requiredColumn(
      'supportingDocuments[].withholdings[].code',
      'codigo_retencion withholding_code',
      // The codes of table 3.10 have capitals, as 303A.
      (cell) => ({ value: cell.toUpperCase() }),
      {
        es: 'como 312 en renta; en IVA 1, 2, 3, 7 a 11, no el casillero del formulario 104',
        en: 'such as 312 for renta; for IVA 1, 2, 3, 7 to 11, not the box of form 104',
      },
    ),
    withholdingBase: requiredColumn(
      'supportingDocuments[].withholdings[].taxableBase',
      'base_retencion withholding_base',
      decimal,
      {
        es: 'de la que se retiene; en IVA, el IVA del documento',
        en: 'what is withheld from; for IVA, the IVA of the document',
      },
    ),
    withholdingRate: requiredColumn(
      'supportingDocuments[].withholdings[].rate',
      'porcentaje_retencion porcentaje withholding_rate',
      percent,
      { es: 'como 2 o 1,75', en: 'such as 2 or 1,75' },
    ),
    withheldAmount: column(
      'supportingDocuments[].withholdings[].amount',
      'valor_retenido withheld_amount',
      optional(decimal),
      { es: 'si falta, base por porcentaje', en: 'base × percentage where left out' },
    ),
    paymentMethod: column(
      'supportingDocuments[].payments[0].method',
      'forma_pago forma_de_pago payment_method',
      readPaymentMethod,
      MAY_BE_MISSING,
    ),
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
