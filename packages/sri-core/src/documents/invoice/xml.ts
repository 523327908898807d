import { formatMoney } from '../../money.js';
import { child, type XmlElement } from '../../xml/reader.js';
import { element, optionalElement } from '../../xml/writer.js';
import { type Heading, writeInfoTributaria, writeIssueHead } from '../parts/info-tributaria.js';
import { type ComprobantePayment, readPayments, writePayments } from '../parts/payments.js';
import {
  type ComprobanteHead,
  type ComprobanteItem,
  type ComprobanteParty,
  type ComprobanteSums,
  optional,
  readItems,
  readNegotiable,
  readParty,
  readSums,
} from '../parts/reading.js';
import {
  type Reimbursement,
  readReimbursement,
  writeReimbursements,
  writeReimbursementTotals,
} from '../parts/reimbursements.js';
import { writeAdditionalInfo, writeDetalles, writeTaxTotals } from '../parts/writing.js';
import {
  type AdvanceWithholding,
  readAdvances,
  readCharges,
  type ThirdPartyCharge,
  writeAdvances,
  writeCharges,
} from './collected.js';
import { type ExportTerms, readExport, writeExportCosts, writeExportTerms } from './export.js';
import { writeNegotiable } from './negotiable.js';
import type { PreparedInvoice } from './prepare.js';
import { type ComprobanteTransport, readTransport, writeTransport } from './transport.js';

/** An invoice read from its XML. */
export interface InvoiceComprobante extends ComprobanteHead, ComprobanteSums {
  readonly documentType: '01';
  readonly buyer: ComprobanteParty;
  readonly guiaRemision: string | null;
  /** [placa] */
  readonly licensePlate: string | null;
  readonly export: ExportTerms | null;
  readonly reimbursement: Reimbursement | null;
  readonly items: readonly ComprobanteItem[];
  /** [totalSubsidio] */
  readonly subsidy: string | null;
  /** [totalDescuento] */
  readonly discount: string | null;
  /** [propina] */
  readonly tip: string | null;
  /** [otrosRubrosTerceros] */
  readonly thirdPartyCharges: readonly ThirdPartyCharge[];
  /** [retenciones] Amounts that an invoice of fuel or newspapers collects in advance; the total includes them. */
  readonly withholdings: readonly AdvanceWithholding[];
  /** [infoSustitutivaGuiaRemision] */
  readonly deliveryGuide: ComprobanteTransport | null;
  /** [tipoNegociable] */
  readonly negotiable: { readonly email: string } | null;
  readonly currency: string | null;
  readonly payments: readonly ComprobantePayment[];
  /** [valorRetIva, valorRetRenta] */
  readonly withheld: { readonly iva: string | null; readonly incomeTax: string | null };
}

/**
 * The element factura, canonical. Order and names: factura_V1.1.0.xsd, factura_V2.1.0.xsd; Ficha v2.34, anexos 1, 3 and 11.
 */
export function writeFactura(invoice: PreparedInvoice, heading: Heading): string {
  return `<factura id="comprobante" version="${versionOf(invoice)}">${
    writeInfoTributaria('01', heading) +
    writeInfoFactura(invoice, heading) +
    writeDetalles(invoice.items, 'codigoPrincipal', 'codigoAuxiliar') +
    writeReimbursements(invoice.reimbursements) +
    writeAdvances(invoice.withholdings) +
    writeTransport(invoice.deliveryGuide) +
    writeCharges(invoice.thirdPartyCharges) +
    writeNegotiable(invoice.negotiableEmail) +
    writeAdditionalInfo(invoice.additionalInfo)
  }</factura>`;
}

/** The oldest schema version that has every element of the invoice. */
export function versionOf({ deliveryGuide, thirdPartyCharges }: PreparedInvoice): '1.1.0' | '2.1.0' {
  return deliveryGuide || thirdPartyCharges.length > 0 ? '2.1.0' : '1.1.0';
}

/** Reads a factura of any schema version. */
export function readFactura(root: XmlElement, head: ComprobanteHead): InvoiceComprobante {
  const info = child(root, 'infoFactura');
  const { subtotal, taxes, compensations, total } = readSums(info, 'importeTotal');
  return {
    ...head,
    documentType: '01',
    buyer: readParty(info, 'Comprador'),
    guiaRemision: optional(info, 'guiaRemision'),
    licensePlate: optional(info, 'placa'),
    export: readExport(info),
    reimbursement: readReimbursement(root, info),
    items: readItems(root),
    subtotal,
    subsidy: optional(info, 'totalSubsidio'),
    discount: optional(info, 'totalDescuento'),
    taxes,
    compensations,
    tip: optional(info, 'propina'),
    thirdPartyCharges: readCharges(root),
    withholdings: readAdvances(root),
    deliveryGuide: readTransport(root),
    negotiable: readNegotiable(root),
    total,
    currency: optional(info, 'moneda'),
    payments: readPayments(info),
    withheld: { iva: optional(info, 'valorRetIva'), incomeTax: optional(info, 'valorRetRenta') },
  };
}

// --- internal ---

function writeInfoFactura(invoice: PreparedInvoice, { issuer }: Heading): string {
  const { buyer, export: terms } = invoice;
  return `<infoFactura>${
    writeIssueHead(invoice.issueDate, issuer) +
    writeExportTerms(terms) +
    element('tipoIdentificacionComprador', buyer.idType) +
    optionalElement('guiaRemision', invoice.guiaRemision) +
    element('razonSocialComprador', buyer.name) +
    element('identificacionComprador', buyer.id) +
    optionalElement('direccionComprador', buyer.address) +
    element('totalSinImpuestos', formatMoney(invoice.subtotal)) +
    optionalElement('totalSubsidio', invoice.subsidy === null ? null : formatMoney(invoice.subsidy)) +
    optionalElement('incoTermTotalSinImpuestos', terms?.subtotalIncoterm) +
    element('totalDescuento', formatMoney(invoice.discount)) +
    writeReimbursementTotals(invoice.reimbursements, invoice.reimbursementTotals) +
    writeTaxTotals(invoice.taxTotals) +
    // Optional in the schema, «obligatorio» in the Ficha: written even when it is zero.
    element('propina', formatMoney(invoice.tip)) +
    writeExportCosts(terms) +
    element('importeTotal', invoice.total) +
    element('moneda', 'DOLAR') +
    optionalElement('placa', invoice.licensePlate) +
    writePayments(invoice.payments)
  }</infoFactura>`;
}
