import { toIssueDate } from '../../calendar.js';
import { child, type XmlElement } from '../../xml/reader.js';
import { element, optionalElement } from '../../xml/writer.js';
import { type Heading, writeBranchAddress, writeInfoTributaria, yesOrNo } from '../parts/info-tributaria.js';
import { type ModifiedDocument, readOriginal, writeOriginal } from '../parts/modified-document.js';
import type { TaxTotal } from '../parts/prepared.js';
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
import { writeAdditionalInfo, writeDetalles, writeMoney, writeRefund } from '../parts/writing.js';
import type { PreparedCreditNote } from './prepare.js';

/** A credit note read from its XML. */
export interface CreditNoteComprobante extends ComprobanteHead {
  readonly documentType: '04';
  readonly buyer: ComprobanteParty;
  /** [codDocModificado …] The document that it modifies. */
  readonly originalDocument: ModifiedDocument;
  readonly motivo: string;
  readonly items: readonly ComprobanteItem[];
  /** [totalSinImpuestos] */
  readonly subtotal: string;
  readonly taxes: readonly ComprobanteTax[];
  readonly compensations: readonly Compensation[];
  /** [valorModificacion] */
  readonly total: string;
  readonly currency: string | null;
}

/** The element notaCredito of schema 1.1.0, canonical. Order and names: NotaCredito_V1.1.0.xsd; Ficha v2.34, anexo 8. */
export function writeNotaCredito(creditNote: PreparedCreditNote, heading: Heading): string {
  return `<notaCredito id="comprobante" version="1.1.0">${writeInfoTributaria('04', heading)}${writeInfoNotaCredito(
    creditNote,
    heading,
  )}${writeDetalles(creditNote.items, 'codigoInterno', 'codigoAdicional')}${writeAdditionalInfo(creditNote.additionalInfo)}</notaCredito>`;
}

/** Reads a notaCredito of any schema version. */
export function readNotaCredito(root: XmlElement, head: ComprobanteHead): CreditNoteComprobante {
  const info = child(root, 'infoNotaCredito');
  return {
    ...head,
    documentType: '04',
    buyer: readParty(info, 'Comprador'),
    originalDocument: readOriginal(info),
    motivo: text(info, 'motivo'),
    items: readItems(root),
    subtotal: text(info, 'totalSinImpuestos'),
    taxes: readTaxTotals(info),
    compensations: readCompensations(info),
    total: text(info, 'valorModificacion'),
    currency: optional(info, 'moneda'),
  };
}

// --- internal ---

/** Unlike a factura, the buyer comes before the issuer's details. */
function writeInfoNotaCredito(creditNote: PreparedCreditNote, { issuer }: Heading): string {
  const { buyer, originalDocument } = creditNote;
  return `<infoNotaCredito>${
    element('fechaEmision', toIssueDate(creditNote.issueDate)) +
    writeBranchAddress(issuer) +
    element('tipoIdentificacionComprador', buyer.idType) +
    element('razonSocialComprador', buyer.name) +
    element('identificacionComprador', buyer.id) +
    optionalElement('contribuyenteEspecial', issuer.specialTaxpayer) +
    element('obligadoContabilidad', yesOrNo(issuer.requiredAccounting)) +
    writeOriginal(originalDocument) +
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
      `<valor>${writeMoney(tax.taxAmount)}</valor>${writeRefund(tax)}</totalImpuesto>`;
  }
  return `${xml}</totalConImpuestos>`;
}
