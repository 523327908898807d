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
import type { PreparedPurchaseSettlement } from './prepare.js';

/** A purchase settlement read from its XML. */
export interface PurchaseSettlementComprobante extends ComprobanteHead, ComprobanteSums {
  readonly documentType: '03';
  readonly supplier: ComprobanteParty;
  readonly items: readonly ComprobanteItem[];
  /** [totalDescuento] */
  readonly discount: string | null;
  readonly currency: string | null;
  readonly payments: readonly ComprobantePayment[];
  readonly reimbursement: Reimbursement | null;
  /** [tipoNegociable] */
  readonly negotiable: { readonly email: string } | null;
}

/** The element liquidacionCompra of schema 1.1.0, canonical. LiquidacionCompra_V1.1.0.xsd; Ficha v2.34, anexo 17. */
export function writeLiquidacionCompra(settlement: PreparedPurchaseSettlement, heading: Heading): string {
  return `<liquidacionCompra id="comprobante" version="1.1.0">${
    writeInfoTributaria('03', heading) +
    writeInfoLiquidacionCompra(settlement, heading) +
    writeDetalles(settlement.items, 'codigoPrincipal', 'codigoAuxiliar') +
    writeReimbursements(settlement.reimbursements) +
    writeAdditionalInfo(settlement.additionalInfo)
  }</liquidacionCompra>`;
}

/** Reads a liquidacionCompra of any schema version. */
export function readLiquidacionCompra(root: XmlElement, head: ComprobanteHead): PurchaseSettlementComprobante {
  const info = child(root, 'infoLiquidacionCompra');
  const { subtotal, taxes, compensations, total } = readSums(info, 'importeTotal');
  return {
    ...head,
    documentType: '03',
    supplier: readParty(info, 'Proveedor'),
    items: readItems(root),
    subtotal,
    discount: optional(info, 'totalDescuento'),
    taxes,
    compensations,
    total,
    currency: optional(info, 'moneda'),
    payments: readPayments(info),
    reimbursement: readReimbursement(root, info),
    negotiable: readNegotiable(root),
  };
}

// --- internal ---

function writeInfoLiquidacionCompra(settlement: PreparedPurchaseSettlement, { issuer }: Heading): string {
  const { supplier } = settlement;
  return `<infoLiquidacionCompra>${
    writeIssueHead(settlement.issueDate, issuer) +
    element('tipoIdentificacionProveedor', supplier.idType) +
    element('razonSocialProveedor', supplier.name) +
    element('identificacionProveedor', supplier.id) +
    optionalElement('direccionProveedor', supplier.address) +
    element('totalSinImpuestos', formatMoney(settlement.subtotal)) +
    element('totalDescuento', formatMoney(settlement.discount)) +
    writeReimbursementTotals(settlement.reimbursements, settlement.reimbursementTotals) +
    writeTaxTotals(settlement.taxTotals) +
    element('importeTotal', settlement.total) +
    element('moneda', 'DOLAR') +
    writePayments(settlement.payments)
  }</infoLiquidacionCompra>`;
}
