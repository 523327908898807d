import { toIssueDate } from '../../calendar.js';
import { child, children, type XmlElement } from '../../xml/reader.js';
import { element, optionalElement } from '../../xml/writer.js';
import { type Heading, writeBranchAddress, writeInfoTributaria, yesOrNo } from '../parts/info-tributaria.js';
import { type ComprobantePayment, readPayments, writePayments } from '../parts/payments.js';
import {
  type Compensation,
  type ComprobanteHead,
  type ComprobanteItem,
  type ComprobanteParty,
  type ComprobanteTax,
  optional,
  readCompensations,
  readItems,
  readParty,
  readTaxTotals,
  text,
} from '../parts/reading.js';
import { type ComprobanteReimbursementTotals, readReimbursementTotals } from '../parts/reimbursements.js';
import { writeAdditionalInfo, writeDetalles, writeMoney, writeTaxTotals } from '../parts/writing.js';
import type { PreparedInvoice } from './prepare.js';

/** An invoice read from its XML. */
export interface InvoiceComprobante extends ComprobanteHead {
  readonly documentType: '01';
  readonly buyer: ComprobanteParty;
  readonly guiaRemision: string | null;
  /** [placa] */
  readonly licensePlate: string | null;
  readonly export: ExportTerms | null;
  readonly reimbursement: ComprobanteReimbursementTotals | null;
  readonly items: readonly ComprobanteItem[];
  /** [totalSinImpuestos] */
  readonly subtotal: string;
  /** [totalSubsidio] */
  readonly subsidy: string | null;
  /** [totalDescuento] */
  readonly discount: string | null;
  readonly taxes: readonly ComprobanteTax[];
  readonly compensations: readonly Compensation[];
  /** [propina] */
  readonly tip: string | null;
  /** [otrosRubrosTerceros] */
  readonly thirdPartyCharges: readonly { readonly concept: string; readonly amount: string }[];
  /** [retenciones] Amounts that an invoice of fuel or newspapers collects in advance; the total includes them. */
  readonly withholdings: readonly AdvanceWithholding[];
  /** [importeTotal] */
  readonly total: string;
  readonly currency: string | null;
  readonly payments: readonly ComprobantePayment[];
  /** [valorRetIva, valorRetRenta] */
  readonly withheld: { readonly iva: string | null; readonly incomeTax: string | null };
}

/** Terms and costs of an export invoice. */
export interface ExportTerms {
  readonly kind: string | null;
  readonly incoterm: string | null;
  readonly incotermPlace: string | null;
  readonly subtotalIncoterm: string | null;
  readonly originCountry: string | null;
  readonly shippingPort: string | null;
  readonly destinationPort: string | null;
  readonly destinationCountry: string | null;
  readonly purchaseCountry: string | null;
  readonly freight: string | null;
  readonly insurance: string | null;
  readonly customs: string | null;
  readonly otherTransport: string | null;
}

/** [retencion] */
export interface AdvanceWithholding {
  readonly code: string;
  readonly rateCode: string;
  readonly rate: string;
  readonly amount: string;
}

/** The element factura of schema 1.1.0, canonical. Order and names: factura_V1.1.0.xsd; Ficha v2.34, anexo 1. */
export function writeFactura(invoice: PreparedInvoice, heading: Heading): string {
  return `<factura id="comprobante" version="1.1.0">${writeInfoTributaria('01', heading)}${writeInfoFactura(
    invoice,
    heading,
  )}${writeDetalles(invoice.items, 'codigoPrincipal', 'codigoAuxiliar')}${writeAdditionalInfo(invoice.additionalInfo)}</factura>`;
}

/** Reads a factura of any schema version. */
export function readFactura(root: XmlElement, head: ComprobanteHead): InvoiceComprobante {
  const info = child(root, 'infoFactura');
  return {
    ...head,
    documentType: '01',
    buyer: readParty(info, 'Comprador'),
    guiaRemision: optional(info, 'guiaRemision'),
    licensePlate: optional(info, 'placa'),
    export: readExport(info),
    reimbursement: readReimbursementTotals(info),
    items: readItems(root),
    subtotal: text(info, 'totalSinImpuestos'),
    subsidy: optional(info, 'totalSubsidio'),
    discount: optional(info, 'totalDescuento'),
    taxes: readTaxTotals(info),
    compensations: readCompensations(info),
    tip: optional(info, 'propina'),
    thirdPartyCharges: children(child(root, 'otrosRubrosTerceros'), 'rubro').map((charge) => ({
      concept: text(charge, 'concepto'),
      amount: text(charge, 'total'),
    })),
    withholdings: children(child(root, 'retenciones'), 'retencion').map((withholding) => ({
      code: text(withholding, 'codigo'),
      rateCode: text(withholding, 'codigoPorcentaje'),
      rate: text(withholding, 'tarifa'),
      amount: text(withholding, 'valor'),
    })),
    total: text(info, 'importeTotal'),
    currency: optional(info, 'moneda'),
    payments: readPayments(info),
    withheld: { iva: optional(info, 'valorRetIva'), incomeTax: optional(info, 'valorRetRenta') },
  };
}

// --- internal ---

function readExport(info: XmlElement | null): ExportTerms | null {
  const terms: ExportTerms = {
    kind: optional(info, 'comercioExterior'),
    incoterm: optional(info, 'incoTermFactura'),
    incotermPlace: optional(info, 'lugarIncoTerm'),
    subtotalIncoterm: optional(info, 'incoTermTotalSinImpuestos'),
    originCountry: optional(info, 'paisOrigen'),
    shippingPort: optional(info, 'puertoEmbarque'),
    destinationPort: optional(info, 'puertoDestino'),
    destinationCountry: optional(info, 'paisDestino'),
    purchaseCountry: optional(info, 'paisAdquisicion'),
    freight: optional(info, 'fleteInternacional'),
    insurance: optional(info, 'seguroInternacional'),
    customs: optional(info, 'gastosAduaneros'),
    otherTransport: optional(info, 'gastosTransporteOtros'),
  };
  return Object.values(terms).some((value) => value !== null) ? terms : null;
}

function writeInfoFactura(invoice: PreparedInvoice, { issuer }: Heading): string {
  const { buyer } = invoice;
  return `<infoFactura>${
    element('fechaEmision', toIssueDate(invoice.issueDate)) +
    writeBranchAddress(issuer) +
    optionalElement('contribuyenteEspecial', issuer.specialTaxpayer) +
    element('obligadoContabilidad', yesOrNo(issuer.requiredAccounting)) +
    element('tipoIdentificacionComprador', buyer.idType) +
    optionalElement('guiaRemision', invoice.guiaRemision) +
    element('razonSocialComprador', buyer.name) +
    element('identificacionComprador', buyer.id) +
    optionalElement('direccionComprador', buyer.address) +
    element('totalSinImpuestos', writeMoney(invoice.subtotal)) +
    element('totalDescuento', writeMoney(invoice.discount)) +
    writeTaxTotals(invoice.taxTotals) +
    // Optional in the schema, «obligatorio» in the Ficha: written even when it is zero.
    element('propina', writeMoney(invoice.tip)) +
    element('importeTotal', invoice.total) +
    element('moneda', 'DOLAR') +
    writePayments(invoice.payments)
  }</infoFactura>`;
}
