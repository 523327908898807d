import { toIssueDate } from '../../calendar.js';
import { formatMoney } from '../../money.js';
import { formatDocumentNumber } from '../../sequential.js';
import { child, children, type XmlElement } from '../../xml/reader.js';
import { element, optionalElement } from '../../xml/writer.js';
import { type Heading, writeInfoTributaria, writeIssueHead, yesOrNo } from '../parts/info-tributaria.js';
import { type ComprobantePayment, readPayments, writePayments } from '../parts/payments.js';
import type { PreparedTax } from '../parts/prepared.js';
import { type ComprobanteHead, type ComprobanteParty, optional, readParty, text } from '../parts/reading.js';
import {
  type ComprobanteFlatTax,
  type ComprobanteReimbursement,
  type ReimbursementSums,
  readReimbursementSums,
  readReimbursements,
  writeReimbursementSums,
  writeReimbursements,
} from '../parts/reimbursements.js';
import { writeAdditionalInfo, writeRate } from '../parts/writing.js';
import type { PreparedWithholding } from './prepare.js';
import type { SupportPayment } from './support-payment.js';
import type { PreparedSupport } from './supporting-document.js';
import type { PreparedWithheld } from './withheld.js';

/** A withholding receipt read from its XML. */
export interface WithholdingComprobante extends ComprobanteHead {
  readonly documentType: '07';
  readonly subject: ComprobanteSubject;
  /** [periodoFiscal] `11/2026` */
  readonly fiscalPeriod: string;
  /** In schema 1.0.0, which has no documents, withholdings on the same one are put together. */
  readonly supportingDocuments: readonly ComprobanteSupport[];
}

/** The subject, as in the XML. */
export interface ComprobanteSubject extends ComprobanteParty {
  /** [tipoSujetoRetenido] */
  readonly kind: string | null;
  /** [parteRel] Null when the XML does not state it. */
  readonly relatedParty: boolean | null;
}

/** A supporting document, as in the XML. */
export interface ComprobanteSupport {
  readonly supportCode: string | null;
  readonly documentType: string;
  /** `001-001-000000123` */
  readonly number: string;
  readonly issueDate: string;
  readonly registrationDate: string | null;
  readonly authorizationNumber: string | null;
  /** Null in schema 1.0.0. */
  readonly payment: ComprobanteSupportPayment | null;
  /** Null without reimbursed documents. */
  readonly reimbursementTotals: ReimbursementSums | null;
  readonly subtotal: string | null;
  readonly total: string | null;
  readonly taxes: readonly ComprobanteFlatTax[];
  readonly withholdings: readonly ComprobanteWithheld[];
  readonly reimbursements: readonly ComprobanteReimbursement[];
  readonly payments: readonly ComprobantePayment[];
}

/** Where a supporting document is paid, as in the XML. */
export interface ComprobanteSupportPayment extends Omit<SupportPayment, 'location'> {
  readonly location: string;
}

/** A withholding, as in the XML. */
export interface ComprobanteWithheld {
  readonly tax: string;
  readonly code: string;
  readonly taxableBase: string;
  readonly rate: string;
  readonly amount: string;
  readonly dividend: { readonly paymentDate: string; readonly incomeTax: string; readonly fiscalYear: string } | null;
  readonly bananas: { readonly boxes: string; readonly boxPrice: string } | null;
}

/**
 * The element comprobanteRetencion of schema 2.0.0 or 1.0.0, canonical. Order and names: ComprobanteRetencion_V2.0.0.xsd,
 * ComprobanteRetencion_V1.0.0.xsd; Ficha v2.34, anexos 1 and 10.
 */
export function writeComprobanteRetencion(withholding: PreparedWithholding, heading: Heading): string {
  const { version, supportingDocuments, additionalInfo } = withholding;
  const { issuer } = heading;
  const ownNumber = formatDocumentNumber(issuer.branchCode, issuer.issuePointCode, heading.sequential);
  const isOld = version === '1.0.0';
  let list = isOld ? '<impuestos>' : '<docsSustento>';
  for (const document of supportingDocuments) {
    const number = (document.number ?? ownNumber).replaceAll('-', '');
    list += isOld ? writeImpuestos(document, number) : writeDocSustento(document, number);
  }
  list += isOld ? '</impuestos>' : '</docsSustento>';
  return `<comprobanteRetencion id="comprobante" version="${version}">${writeInfoTributaria('07', heading)}${writeInfo(
    withholding,
    heading,
  )}${list}${writeAdditionalInfo(additionalInfo)}</comprobanteRetencion>`;
}

/** Reads a comprobanteRetencion of any schema version. */
export function readComprobanteRetencion(root: XmlElement, head: ComprobanteHead): WithholdingComprobante {
  const info = child(root, 'infoCompRetencion');
  return {
    ...head,
    documentType: '07',
    subject: {
      ...readParty(info, 'SujetoRetenido'),
      kind: optional(info, 'tipoSujetoRetenido'),
      relatedParty: readYesNo(info, 'parteRel'),
    },
    fiscalPeriod: text(info, 'periodoFiscal'),
    supportingDocuments: [
      ...children(child(root, 'docsSustento'), 'docSustento').map(readDocSustento),
      ...readImpuestos(root),
    ],
  };
}

// --- internal ---

function writeInfo(withholding: PreparedWithholding, { issuer }: Heading): string {
  const { subject, version } = withholding;
  const isOld = version === '1.0.0';
  return `<infoCompRetencion>${
    writeIssueHead(withholding.issueDate, issuer) +
    element('tipoIdentificacionSujetoRetenido', subject.idType) +
    (isOld ? '' : optionalElement('tipoSujetoRetenido', subject.kind)) +
    (isOld ? '' : element('parteRel', yesOrNo(subject.relatedParty))) +
    element('razonSocialSujetoRetenido', subject.name) +
    element('identificacionSujetoRetenido', subject.id) +
    element('periodoFiscal', withholding.fiscalPeriod)
  }</infoCompRetencion>`;
}

function writeDocSustento(document: PreparedSupport, number: string): string {
  const { registrationDate, reimbursementTotals } = document;
  return `<docSustento>${
    element('codSustento', document.supportCode) +
    element('codDocSustento', document.documentType) +
    element('numDocSustento', number) +
    element('fechaEmisionDocSustento', toIssueDate(document.issueDate)) +
    optionalElement('fechaRegistroContable', registrationDate && toIssueDate(registrationDate)) +
    optionalElement('numAutDocSustento', document.authorizationNumber) +
    writePayment(document.payment) +
    (reimbursementTotals ? writeReimbursementSums(reimbursementTotals) : '') +
    element('totalSinImpuestos', formatMoney(document.subtotal)) +
    element('importeTotal', formatMoney(document.total)) +
    writeTaxes(document.taxes) +
    writeRetenciones(document.withholdings) +
    writeReimbursements(document.reimbursements, true) +
    writePayments(document.payments)
  }</docSustento>`;
}

function writePayment(payment: SupportPayment): string {
  return (
    element('pagoLocExt', payment.location) +
    optionalElement('tipoRegi', payment.regime) +
    optionalElement('paisEfecPago', payment.country) +
    optionalElement('aplicConvDobTrib', optionalYesNo(payment.treaty)) +
    optionalElement('pagExtSujRetNorLeg', optionalYesNo(payment.subjectToWithholding)) +
    optionalElement('pagoRegFis', optionalYesNo(payment.taxHaven))
  );
}

function optionalYesNo(value: boolean | null): string | null {
  return value === null ? null : yesOrNo(value);
}

function writeTaxes(taxes: readonly PreparedTax[]): string {
  let xml = '<impuestosDocSustento>';
  for (const tax of taxes) {
    xml +=
      `<impuestoDocSustento><codImpuestoDocSustento>${tax.code}</codImpuestoDocSustento>` +
      `<codigoPorcentaje>${tax.rateCode}</codigoPorcentaje><baseImponible>${formatMoney(tax.taxableBase)}</baseImponible>` +
      `<tarifa>${writeRate(tax.rate)}</tarifa>` +
      `<valorImpuesto>${formatMoney(tax.taxAmount)}</valorImpuesto></impuestoDocSustento>`;
  }
  return `${xml}</impuestosDocSustento>`;
}

function writeRetenciones(withholdings: readonly PreparedWithheld[]): string {
  let xml = '<retenciones>';
  for (const withheld of withholdings) {
    const { dividend, bananas } = withheld;
    xml += `<retencion>${writeAmounts(withheld)}`;
    if (dividend) {
      xml += `<dividendos>${
        element('fechaPagoDiv', toIssueDate(dividend.paymentDate)) +
        element('imRentaSoc', formatMoney(dividend.incomeTax)) +
        element('ejerFisUtDiv', dividend.fiscalYear)
      }</dividendos>`;
    }
    if (bananas) {
      xml += `<compraCajBanano>${
        element('numCajBan', bananas.boxes) + element('precCajBan', formatMoney(bananas.boxPrice))
      }</compraCajBanano>`;
    }
    xml += '</retencion>';
  }
  return `${xml}</retenciones>`;
}

/** [codigo … valorRetenido] The same in both versions. */
function writeAmounts({ tax, code, taxableBase, rate, amount }: PreparedWithheld): string {
  return (
    element('codigo', tax) +
    element('codigoRetencion', code) +
    element('baseImponible', formatMoney(taxableBase)) +
    element('porcentajeRetener', writeRate(rate)) +
    element('valorRetenido', formatMoney(amount))
  );
}

/** [impuesto] of schema 1.0.0: each withholding names its document. */
function writeImpuestos({ withholdings, documentType, issueDate }: PreparedSupport, number: string): string {
  const document =
    element('codDocSustento', documentType) +
    element('numDocSustento', number) +
    element('fechaEmisionDocSustento', toIssueDate(issueDate));
  return withholdings.map((withheld) => `<impuesto>${writeAmounts(withheld)}${document}</impuesto>`).join('');
}

function readDocSustento(document: XmlElement): ComprobanteSupport {
  return {
    ...readReference(document),
    supportCode: text(document, 'codSustento'),
    registrationDate: optional(document, 'fechaRegistroContable'),
    authorizationNumber: optional(document, 'numAutDocSustento'),
    payment: {
      location: text(document, 'pagoLocExt'),
      regime: optional(document, 'tipoRegi'),
      country: optional(document, 'paisEfecPago'),
      treaty: readYesNo(document, 'aplicConvDobTrib'),
      subjectToWithholding: readYesNo(document, 'pagExtSujRetNorLeg'),
      taxHaven: readYesNo(document, 'pagoRegFis'),
    },
    reimbursementTotals: readReimbursementTotals(document),
    subtotal: text(document, 'totalSinImpuestos'),
    total: text(document, 'importeTotal'),
    taxes: children(child(document, 'impuestosDocSustento'), 'impuestoDocSustento').map((tax) => ({
      code: text(tax, 'codImpuestoDocSustento'),
      rateCode: text(tax, 'codigoPorcentaje'),
      rate: text(tax, 'tarifa'),
      taxableBase: text(tax, 'baseImponible'),
      taxAmount: text(tax, 'valorImpuesto'),
    })),
    withholdings: children(child(document, 'retenciones'), 'retencion').map(readWithheld),
    reimbursements: readReimbursements(document),
    payments: readPayments(document),
  };
}

function readReimbursementTotals(document: XmlElement): ReimbursementSums | null {
  const sums = readReimbursementSums(document);
  return Object.values(sums).some((amount) => amount !== null) ? sums : null;
}

function readWithheld(element: XmlElement): ComprobanteWithheld {
  const dividend = child(element, 'dividendos');
  const bananas = child(element, 'compraCajBanano');
  return {
    tax: text(element, 'codigo'),
    code: text(element, 'codigoRetencion'),
    taxableBase: text(element, 'baseImponible'),
    rate: text(element, 'porcentajeRetener'),
    amount: text(element, 'valorRetenido'),
    dividend: dividend && {
      paymentDate: text(dividend, 'fechaPagoDiv'),
      incomeTax: text(dividend, 'imRentaSoc'),
      fiscalYear: text(dividend, 'ejerFisUtDiv'),
    },
    bananas: bananas && { boxes: text(bananas, 'numCajBan'), boxPrice: text(bananas, 'precCajBan') },
  };
}

/** The withholdings of schema 1.0.0, by the document they name, in order of appearance. */
function readImpuestos(root: XmlElement): readonly ComprobanteSupport[] {
  const documents = new Map<string, ComprobanteSupport & { readonly withholdings: ComprobanteWithheld[] }>();
  for (const impuesto of children(child(root, 'impuestos'), 'impuesto')) {
    const reference = readReference(impuesto);
    const key = Object.values(reference).join(' ');
    const document = documents.get(key) ?? { ...reference, ...NOT_STATED, withholdings: [] };
    documents.set(key, document);
    document.withholdings.push(readWithheld(impuesto));
  }
  return [...documents.values()];
}

/** What schema 1.0.0 does not have. */
const NOT_STATED = {
  supportCode: null,
  registrationDate: null,
  authorizationNumber: null,
  payment: null,
  reimbursementTotals: null,
  subtotal: null,
  total: null,
  taxes: [],
  reimbursements: [],
  payments: [],
} as const;

function readReference(element: XmlElement): Pick<ComprobanteSupport, 'documentType' | 'number' | 'issueDate'> {
  return {
    documentType: text(element, 'codDocSustento'),
    number: text(element, 'numDocSustento').replace(/^(\d{3})(\d{3})(\d{9})$/, '$1-$2-$3'),
    issueDate: text(element, 'fechaEmisionDocSustento'),
  };
}

function readYesNo(element: XmlElement | null, name: string): boolean | null {
  const written = optional(element, name);
  return written === null ? null : written === 'SI';
}
