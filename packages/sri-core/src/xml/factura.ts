import { toIssueDate } from '../calendar.js';
import type { PreparedInvoice, PreparedItem, PreparedPayment, TaxTotal } from '../documents/prepared-document.js';
import { type Heading, writeInfoTributaria, yesOrNo } from './info-tributaria.js';
import {
  writeAdditionalDetails,
  writeAdditionalInfo,
  writeLineTaxes,
  writeMoney,
  writeQuantity,
  writeRate,
} from './shared-elements.js';
import { element, escapeText, optionalElement } from './writer.js';

/** The element factura of schema 1.1.0, canonical. Order and names: factura_V1.1.0.xsd; Ficha v2.34, anexo 1. */
export function writeFactura(invoice: PreparedInvoice, heading: Heading): string {
  return `<factura id="comprobante" version="1.1.0">${writeInfoTributaria('01', heading)}${writeInfoFactura(
    invoice,
    heading,
  )}${writeDetalles(invoice.items)}${writeAdditionalInfo(invoice.additionalInfo)}</factura>`;
}

// --- internal ---

function writeInfoFactura(invoice: PreparedInvoice, { issuer }: Heading): string {
  const { buyer } = invoice;
  return `<infoFactura>${
    element('fechaEmision', toIssueDate(invoice.issueDate)) +
    optionalElement('dirEstablecimiento', issuer.branchAddress) +
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
    // Optional in the schema, «obligatorio» in the Ficha: written even when it is nothing.
    element('propina', writeMoney(invoice.tip)) +
    element('importeTotal', invoice.total) +
    element('moneda', 'DOLAR') +
    writePayments(invoice.payments)
  }</infoFactura>`;
}

/** Here tarifa comes after baseImponible; in a line's tax it comes before. */
function writeTaxTotals(totals: readonly TaxTotal[]): string {
  let xml = '<totalConImpuestos>';
  for (const tax of totals) {
    xml +=
      `<totalImpuesto><codigo>${tax.code}</codigo><codigoPorcentaje>${tax.rateCode}</codigoPorcentaje>` +
      `<baseImponible>${writeMoney(tax.taxableBase)}</baseImponible>` +
      optionalElement('tarifa', tax.rate === null ? null : writeRate(tax.rate)) +
      `<valor>${writeMoney(tax.taxAmount)}</valor></totalImpuesto>`;
  }
  return `${xml}</totalConImpuestos>`;
}

function writePayments(payments: readonly PreparedPayment[]): string {
  let xml = '<pagos>';
  for (const payment of payments) {
    xml +=
      `<pago><formaPago>${payment.method}</formaPago><total>${writeMoney(payment.total)}</total>` +
      optionalElement('plazo', payment.term === null ? null : String(payment.term)) +
      `${optionalElement('unidadTiempo', payment.termUnit)}</pago>`;
  }
  return `${xml}</pagos>`;
}

function writeDetalles(items: readonly PreparedItem[]): string {
  let xml = '<detalles>';
  for (const item of items) {
    xml +=
      `<detalle><codigoPrincipal>${escapeText(item.mainCode)}</codigoPrincipal>` +
      optionalElement('codigoAuxiliar', item.auxiliaryCode) +
      `<descripcion>${escapeText(item.description)}</descripcion><cantidad>${writeQuantity(item.quantity)}</cantidad>` +
      `<precioUnitario>${writeQuantity(item.unitPrice)}</precioUnitario>` +
      `<descuento>${writeMoney(item.discount)}</descuento>` +
      `<precioTotalSinImpuesto>${writeMoney(item.subtotal)}</precioTotalSinImpuesto>` +
      `${writeAdditionalDetails(item.additionalDetails)}${writeLineTaxes(item.taxes)}</detalle>`;
  }
  return `${xml}</detalles>`;
}
