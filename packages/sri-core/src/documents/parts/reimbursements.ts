import { type Static, Type } from '@sinclair/typebox';
import { type IsoDate, toIsoDate, toIssueDate } from '../../calendar.js';
import { type SupportDocumentCode, supportDocumentTypes } from '../../catalogs/support-document-types.js';
import { TAX } from '../../catalogs/tax-types.js';
import { formatMoney, type Scaled, sum } from '../../money.js';
import { child, children, type XmlElement } from '../../xml/reader.js';
import { element, optionalElement } from '../../xml/writer.js';
import { codeField, dateField, optional, patternField, textField } from '../field.js';
import type { Findings } from '../findings.js';
import type { RidePanel, RideTable } from '../ride-content.js';
import { createShape, entriesOf } from '../shape.js';
import { addAmounts, writeAmount } from './amounts.js';
import type { TaxBody } from './bodies.js';
import { line, one, optional as optionalRule, pattern, several, type ValueRule } from './element-rule.js';
import { type NAMED_ID_TYPES, namedIdType, prepareId } from './party.js';
import type { PreparedItem, PreparedTax } from './prepared.js';
import { type Compensation, optional as optionalText, readCompensations, text } from './reading.js';
import {
  authorizationField,
  countryField,
  DOCUMENT_NUMBER,
  flatTaxSchema,
  supportTypeCode,
  TAX_RATE,
} from './schemas.js';
import {
  AMOUNT,
  COMPENSACION,
  DATE,
  ID_TYPE,
  NINE_DIGITS,
  RATE,
  RATE_CODE,
  TAX_CODE,
  THREE_DIGITS,
} from './structure.js';
import { prepareFlatTaxes } from './taxes.js';
import { checkAmount, differ } from './totals.js';
import { writeRate } from './writing.js';

/** A document whose expense is reimbursed. */
export interface ReimbursementBody {
  /** The supplier of the reimbursed document. */
  readonly supplier: {
    /** [tipoIdentificacionProveedorReembolso] 04 RUC, 05 cédula, 06 passport, 08 foreign. */
    readonly idType: (typeof NAMED_ID_TYPES)[number];
    /** [identificacionProveedorReembolso] Identification number, up to 20 characters. */
    readonly id: string;
    /** [tipoProveedorReembolso] `01` person, `02` company. */
    readonly kind: '01' | '02';
    /** [codPaisPagoProveedorReembolso] Country of the payment, as in `countries`. */
    readonly country?: string | null;
  };
  /** [codDocReembolso] Type of the document, as in `supportDocumentTypes`. */
  readonly documentType: SupportDocumentCode;
  /** Its number, `001-001-000000123`. */
  readonly number: string;
  /** [fechaEmisionDocReembolso] The day it was issued, DD/MM/YYYY. */
  readonly issueDate: string;
  /** [numeroautorizacionDocReemb] Its authorization, 10 to 49 digits. */
  readonly authorizationNumber: string;
  /** [detalleImpuestos] Its taxes, one entry per rate. */
  readonly taxes: readonly ReimbursedTaxBody[];
}

/** A tax of a reimbursed document. */
export interface ReimbursedTaxBody extends Omit<TaxBody, 'taxableBase'> {
  /** [baseImponibleReembolso] Amount the tax applies to. */
  readonly taxableBase: string;
}

/** The fields of a reimbursed document. */
export const reimbursementSchema = Type.Object(
  {
    supplier: Type.Object(
      {
        idType: namedIdType,
        id: textField({ max: 20, description: 'Identification number.', example: '1790011674001' }),
        kind: codeField({
          codes: [{ code: '01' }, { code: '02' }],
          description: '01 person, 02 company.',
          example: '02',
        }),
        country: optional(countryField('Country of the payment', '593')),
      },
      { description: 'The supplier of the reimbursed document.' },
    ),
    documentType: supportTypeCode,
    number: patternField({ ...DOCUMENT_NUMBER, description: 'Its number.' }),
    issueDate: dateField({ description: 'The day it was issued, DD/MM/YYYY.', example: '02/11/2026' }),
    authorizationNumber: authorizationField(
      'Its authorization number.',
      '0211202601179001167400120010010000001231234567813',
    ),
    taxes: Type.Array(flatTaxSchema(TAX_RATE, 'A tax of the document.'), {
      minItems: 1,
      maxItems: 10,
      description: 'Its taxes, one entry per rate.',
    }),
  },
  { description: 'A document whose expense is reimbursed.' },
);

/** The most reimbursed documents of one comprobante. The schema has no limit; the file has one of 320 KiB. */
export const MAX_REIMBURSEMENTS = 300;

/** A reimbursed document, as written. */
export interface PreparedReimbursement {
  readonly supplier: {
    readonly idType: string;
    readonly id: string;
    readonly kind: string;
    readonly country: string | null;
  };
  readonly documentType: string;
  /** `001-001-000000123` */
  readonly number: string;
  readonly issueDate: IsoDate;
  readonly authorizationNumber: string;
  readonly taxes: readonly PreparedTax[];
}

/** The sums of all reimbursed documents. */
export interface ReimbursementTotals {
  readonly total: Scaled;
  readonly taxableBase: Scaled;
  readonly taxAmount: Scaled;
}

/** The reimbursed documents as written. @param field their path in the body. @param today no document may be later. */
export function prepareReimbursements(
  list: readonly Static<typeof reimbursementSchema>[] | null | undefined,
  field: string,
  today: IsoDate,
  findings: Findings,
): readonly PreparedReimbursement[] {
  return (list ?? []).map(createReimbursementPreparer(field, today, findings));
}

/** Validates the well-formed entries of a body whose shape is wrong. Parameters as of `prepareReimbursements`. */
export function inspectReimbursements(copy: unknown, field: string, today: IsoDate, findings: Findings): void {
  const prepare = createReimbursementPreparer(field, today, findings);
  entriesOf(copy, field).forEach((entry, index) => {
    if (REIMBURSEMENT_SHAPE.fits(entry)) prepare(entry, index);
  });
}

/** Adds up the reimbursed documents. Fails at `field` when a sum does not fit the schema. */
export function sumReimbursements(
  list: readonly PreparedReimbursement[],
  field: string,
  findings: Findings,
): ReimbursementTotals {
  const taxes = list.flatMap((entry) => entry.taxes);
  const taxableBase = sum(taxes.map((tax) => tax.taxableBase));
  const taxAmount = sum(taxes.map((tax) => tax.taxAmount));
  const total = taxableBase + taxAmount;
  checkAmount(total, field, findings);
  return { total, taxableBase, taxAmount };
}

/**
 * Warns about lines of a reimbursement with an IVA of their own, since the IVA of the reimbursed documents is part of the line.
 * Warns when the other lines do not add up to those documents. A fee of the intermediary may stand in the same invoice, so
 * strict checking does not refuse either.
 */
export function checkReimbursingLines(
  items: readonly Pick<PreparedItem, 'taxes' | 'subtotal'>[],
  { total }: ReimbursementTotals,
  findings: Findings,
): void {
  items.forEach(({ taxes }, line) => {
    taxes.forEach(({ code, rateCode }, index) => {
      if (code !== TAX.IVA || rateCode === NOT_SUBJECT) return;
      findings.warn(`items[${line}].taxes[${index}].rateCode`, 'REIMBURSEMENT_TAX', undefined, 'uncertain');
    });
  });
  const lines = items.filter(({ taxes }) => taxes.some((tax) => tax.code === TAX.IVA && tax.rateCode === NOT_SUBJECT));
  if (lines.length === 0 || !differ(sum(lines.map(({ subtotal }) => subtotal)), total)) return;
  findings.warn('items', 'SUM_MISMATCH', { expected: formatMoney(total) }, 'uncertain');
}

/** [codDocReembolso … totalImpuestoReembolso] in the heading; empty without reimbursed documents. */
export function writeReimbursementTotals(list: readonly PreparedReimbursement[], totals: ReimbursementTotals): string {
  if (list.length === 0) return '';
  return `<codDocReembolso>${REIMBURSEMENT}</codDocReembolso>${writeReimbursementSums(totals)}`;
}

/** [totalComprobantesReembolso, totalBaseImponibleReembolso, totalImpuestoReembolso] */
export function writeReimbursementSums({ total, taxableBase, taxAmount }: ReimbursementTotals): string {
  return (
    element('totalComprobantesReembolso', formatMoney(total)) +
    element('totalBaseImponibleReembolso', formatMoney(taxableBase)) +
    element('totalImpuestoReembolso', formatMoney(taxAmount))
  );
}

/**
 * [reembolsos] The reimbursed documents; empty without any.
 *
 * @param withholding the form of a comprobante de retención: another name for the authorization, whole percentages.
 */
export function writeReimbursements(list: readonly PreparedReimbursement[], withholding = false): string {
  if (list.length === 0) return '';
  const authorization = withholding ? 'numeroAutorizacionDocReemb' : 'numeroautorizacionDocReemb';
  let xml = '<reembolsos>';
  for (const { supplier, documentType, number, issueDate, authorizationNumber, taxes } of list) {
    const [branchCode = '', issuePointCode = '', sequential = ''] = number.split('-');
    xml +=
      `<reembolsoDetalle>${element('tipoIdentificacionProveedorReembolso', supplier.idType)}` +
      element('identificacionProveedorReembolso', supplier.id) +
      optionalElement('codPaisPagoProveedorReembolso', supplier.country) +
      element('tipoProveedorReembolso', supplier.kind) +
      element('codDocReembolso', documentType) +
      element('estabDocReembolso', branchCode) +
      element('ptoEmiDocReembolso', issuePointCode) +
      element('secuencialDocReembolso', sequential) +
      element('fechaEmisionDocReembolso', toIssueDate(issueDate)) +
      `${element(authorization, authorizationNumber)}<detalleImpuestos>`;
    for (const tax of taxes) {
      xml +=
        `<detalleImpuesto><codigo>${tax.code}</codigo><codigoPorcentaje>${tax.rateCode}</codigoPorcentaje>` +
        `<tarifa>${withholding ? String(tax.rate / WHOLE) : writeRate(tax.rate)}</tarifa>` +
        `<baseImponibleReembolso>${formatMoney(tax.taxableBase)}</baseImponibleReembolso>` +
        `<impuestoReembolso>${formatMoney(tax.taxAmount)}</impuestoReembolso></detalleImpuesto>`;
    }
    xml += '</detalleImpuestos></reembolsoDetalle>';
  }
  return `${xml}</reembolsos>`;
}

/** A tax apart from any line, as in the XML. */
export type ComprobanteFlatTax = { readonly [Name in keyof PreparedTax]: string };

/** A reimbursed document, as in the XML. */
export interface ComprobanteReimbursement extends Omit<PreparedReimbursement, 'issueDate' | 'taxes'> {
  readonly issueDate: string;
  readonly taxes: readonly ComprobanteFlatTax[];
  /** [compensacionesReembolso] */
  readonly compensations: readonly Compensation[];
}

/** [reembolsos] @param parent the element that holds the list. */
export function readReimbursements(parent: XmlElement | null): readonly ComprobanteReimbursement[] {
  return children(child(parent, 'reembolsos'), 'reembolsoDetalle').map((entry) => ({
    supplier: {
      idType: text(entry, 'tipoIdentificacionProveedorReembolso'),
      id: text(entry, 'identificacionProveedorReembolso'),
      kind: text(entry, 'tipoProveedorReembolso'),
      country: optionalText(entry, 'codPaisPagoProveedorReembolso'),
    },
    documentType: text(entry, 'codDocReembolso'),
    number: ['estabDocReembolso', 'ptoEmiDocReembolso', 'secuencialDocReembolso']
      .map((name) => text(entry, name))
      .join('-'),
    issueDate: text(entry, 'fechaEmisionDocReembolso'),
    authorizationNumber: text(entry, 'numeroautorizacionDocReemb') || text(entry, 'numeroAutorizacionDocReemb'),
    taxes: children(child(entry, 'detalleImpuestos'), 'detalleImpuesto').map((tax) => ({
      code: text(tax, 'codigo'),
      rateCode: text(tax, 'codigoPorcentaje'),
      rate: text(tax, 'tarifa'),
      taxableBase: text(tax, 'baseImponibleReembolso'),
      taxAmount: text(tax, 'impuestoReembolso'),
    })),
    compensations: readCompensations(entry, 'Reembolso'),
  }));
}

/** The sums of all reimbursed documents, as in the XML. */
export type ReimbursementSums = { readonly [Name in keyof ReimbursementTotals]: string | null };

/** [totalComprobantesReembolso, totalBaseImponibleReembolso, totalImpuestoReembolso] */
export function readReimbursementSums(info: XmlElement | null): ReimbursementSums {
  return {
    total: optionalText(info, 'totalComprobantesReembolso'),
    taxableBase: optionalText(info, 'totalBaseImponibleReembolso'),
    taxAmount: optionalText(info, 'totalImpuestoReembolso'),
  };
}

/** The reimbursed documents of a comprobante and their sums, as in the XML. */
export interface Reimbursement extends ReimbursementSums {
  /** [codDocReembolso] Empty where the XML leaves it out; the schemas allow that. */
  readonly documentType: string;
  readonly documents: readonly ComprobanteReimbursement[];
}

/** [codDocReembolso … totalImpuestoReembolso, reembolsos] Null for a document that reimburses nothing. */
export function readReimbursement(root: XmlElement, info: XmlElement | null): Reimbursement | null {
  const documentType = text(info, 'codDocReembolso');
  const documents = readReimbursements(root);
  if (documentType === '' && documents.length === 0) return null;
  return { documentType, ...readReimbursementSums(info), documents };
}

/** The panel of the sums of the reimbursed documents. */
export function reimbursementPanel({ total, taxableBase, taxAmount }: Reimbursement): RidePanel {
  return {
    left: [['Reembolso, total de comprobantes:', total && writeAmount(total)]],
    right: [
      ['Base imponible:', taxableBase && writeAmount(taxableBase)],
      ['Impuesto:', taxAmount && writeAmount(taxAmount)],
    ],
  };
}

/** The table of the reimbursed documents. */
export function reimbursementTable(list: readonly ComprobanteReimbursement[]): RideTable {
  return {
    columns: [
      { title: 'Comprobante reembolsado', align: 'left' },
      { title: 'Número', align: 'left', limits: [84, 96] },
      { title: 'Fecha', align: 'left', limits: [48, 56] },
      { title: 'Proveedor', align: 'left', limits: [66, 110] },
      { title: 'Base imponible', align: 'right', limits: [50, 70] },
      { title: 'Impuesto', align: 'right', limits: [46, 66] },
    ],
    rows: list.map(({ documentType, number, issueDate, supplier, authorizationNumber, taxes }) => ({
      cells: [
        supportDocumentTypes.find(({ code }) => code === documentType)?.description.es ?? documentType,
        number,
        issueDate,
        supplier.id,
        addAmounts(taxes.map((tax) => tax.taxableBase)) ?? '',
        addAmounts(taxes.map((tax) => tax.taxAmount)) ?? '',
      ],
      details: [{ name: 'Autorización', value: authorizationNumber }],
    })),
  };
}

/** The structure of the sums, in the heading. */
export const REEMBOLSO_SUMS = [
  optionalRule('codDocReembolso', pattern('[0-9]{2,3}')),
  optionalRule('totalComprobantesReembolso', AMOUNT),
  optionalRule('totalBaseImponibleReembolso', AMOUNT),
  optionalRule('totalImpuestoReembolso', AMOUNT),
];

/**
 * The structure of the list.
 *
 * @param own the elements that a comprobante de retención has otherwise: the name of the authorization, the rule of tarifa and
 * of codDocReembolso. Only a factura has compensations.
 */
export function reembolsosRule({
  authorization = 'numeroautorizacionDocReemb',
  rate = RATE,
  documentType = pattern('[0-9]{2,3}'),
  compensations = authorization === 'numeroautorizacionDocReemb',
}: {
  readonly authorization?: string;
  readonly rate?: ValueRule;
  readonly documentType?: ValueRule;
  readonly compensations?: boolean;
} = {}) {
  return optionalRule('reembolsos', [
    several('reembolsoDetalle', [
      one('tipoIdentificacionProveedorReembolso', ID_TYPE),
      one('identificacionProveedorReembolso', line(20)),
      optionalRule('codPaisPagoProveedorReembolso', THREE_DIGITS),
      one('tipoProveedorReembolso', pattern('0[12]')),
      one('codDocReembolso', documentType),
      one('estabDocReembolso', THREE_DIGITS),
      one('ptoEmiDocReembolso', THREE_DIGITS),
      one('secuencialDocReembolso', NINE_DIGITS),
      one('fechaEmisionDocReembolso', DATE),
      one(authorization, pattern('[0-9]{10,49}')),
      one('detalleImpuestos', [
        several('detalleImpuesto', [
          one('codigo', TAX_CODE),
          one('codigoPorcentaje', RATE_CODE),
          one('tarifa', rate),
          one('baseImponibleReembolso', AMOUNT),
          one('impuestoReembolso', AMOUNT),
        ]),
      ]),
      ...(compensations
        ? [optionalRule('compensacionesReembolso', [several('compensacionReembolso', COMPENSACION)])]
        : []),
    ]),
  ]);
}

// --- internal ---

const REIMBURSEMENT_SHAPE = createShape(reimbursementSchema);

function createReimbursementPreparer(field: string, today: IsoDate, findings: Findings) {
  return (entry: Static<typeof reimbursementSchema>, index: number): PreparedReimbursement => {
    const path = `${field}[${index}]`;
    const issueDate = toIsoDate(entry.issueDate) ?? '';
    if (issueDate > today) findings.fail(`${path}.issueDate`, 'notLater', { date: toIssueDate(today) });
    const { supplier } = entry;
    return {
      supplier: {
        idType: supplier.idType,
        id: prepareId(supplier.idType, supplier.id, `${path}.supplier.id`, findings),
        kind: supplier.kind,
        country: supplier.country || null,
      },
      documentType: entry.documentType,
      number: entry.number,
      issueDate,
      authorizationNumber: entry.authorizationNumber,
      taxes: prepareFlatTaxes(entry.taxes, `${path}.taxes`, { documentType: entry.documentType, issueDate }, findings),
    };
  };
}

/** [codDocReembolso] of the heading: «comprobante de venta emitido por reembolso». */
const REIMBURSEMENT = '41';
/** [codigoPorcentaje] IVA: not subject. */
const NOT_SUBJECT = '6';
/** A rate has two decimals. */
const WHOLE = 100n;
