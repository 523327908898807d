import { toIssueDate } from '../calendar.js';
import type { PreparedInvoice, PreparedPayment, TaxTotal } from '../documents/prepared-document.js';
import { type Heading, writeBranchAddress, writeInfoTributaria, yesOrNo } from './info-tributaria.js';
import { writeAdditionalInfo, writeDetalles, writeMoney, writeRate } from './shared-elements.js';
import { element, optionalElement } from './writer.js';

/** The element factura of schema 1.1.0, canonical. Order and names: factura_V1.1.0.xsd; Ficha v2.34, anexo 1. */
export function writeFactura(invoice: PreparedInvoice, heading: Heading): string {
  return `<factura id="comprobante" version="1.1.0">${writeInfoTributaria('01', heading)}${writeInfoFactura(
    invoice,
    heading,
  )}${writeDetalles(invoice.items, 'codigoPrincipal', 'codigoAuxiliar')}${writeAdditionalInfo(invoice.additionalInfo)}</factura>`;
}

// --- internal ---

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
