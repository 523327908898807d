import { toIssueDate } from '../calendar.js';
import type { PreparedCreditNote, TaxTotal } from '../documents/prepared-document.js';
import { type Heading, writeBranchAddress, writeInfoTributaria, yesOrNo } from './info-tributaria.js';
import { writeAdditionalInfo, writeDetalles, writeMoney } from './shared-elements.js';
import { element, optionalElement } from './writer.js';

/** The element notaCredito of schema 1.1.0, canonical. Order and names: NotaCredito_V1.1.0.xsd; Ficha v2.34, anexo 8. */
export function writeNotaCredito(creditNote: PreparedCreditNote, heading: Heading): string {
  return `<notaCredito id="comprobante" version="1.1.0">${writeInfoTributaria('04', heading)}${writeInfoNotaCredito(
    creditNote,
    heading,
  )}${writeDetalles(creditNote.items, 'codigoInterno', 'codigoAdicional')}${writeAdditionalInfo(creditNote.additionalInfo)}</notaCredito>`;
}

// --- internal ---

/** Not the order of a factura: the buyer comes before what is said of the issuer. */
function writeInfoNotaCredito(creditNote: PreparedCreditNote, { issuer }: Heading): string {
  const { buyer, original } = creditNote;
  return `<infoNotaCredito>${
    element('fechaEmision', toIssueDate(creditNote.issueDate)) +
    writeBranchAddress(issuer) +
    element('tipoIdentificacionComprador', buyer.idType) +
    element('razonSocialComprador', buyer.name) +
    element('identificacionComprador', buyer.id) +
    optionalElement('contribuyenteEspecial', issuer.specialTaxpayer) +
    element('obligadoContabilidad', yesOrNo(issuer.requiredAccounting)) +
    element('codDocModificado', original.documentType) +
    element('numDocModificado', original.number) +
    element('fechaEmisionDocSustento', toIssueDate(original.issueDate)) +
    element('totalSinImpuestos', writeMoney(creditNote.subtotal)) +
    element('valorModificacion', creditNote.total) +
    element('moneda', 'DOLAR') +
    writeTaxTotals(creditNote.taxTotals) +
    element('motivo', creditNote.motivo)
  }</infoNotaCredito>`;
}

/** Without tarifa, unlike a factura's. */
function writeTaxTotals(totals: readonly TaxTotal[]): string {
  let xml = '<totalConImpuestos>';
  for (const tax of totals) {
    xml +=
      `<totalImpuesto><codigo>${tax.code}</codigo><codigoPorcentaje>${tax.rateCode}</codigoPorcentaje>` +
      `<baseImponible>${writeMoney(tax.taxableBase)}</baseImponible>` +
      `<valor>${writeMoney(tax.taxAmount)}</valor></totalImpuesto>`;
  }
  return `${xml}</totalConImpuestos>`;
}
