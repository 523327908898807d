import { toIssueDate } from '../../calendar.js';
import { child, children, type XmlElement } from '../../xml/reader.js';
import { element, optionalElement } from '../../xml/writer.js';
import { type Heading, writeBranchAddress, writeInfoTributaria, yesOrNo } from '../parts/info-tributaria.js';
import { type ModifiedDocument, readOriginal, writeOriginal } from '../parts/modified-document.js';
import { type ComprobantePayment, readPayments, writePayments } from '../parts/payments.js';
import {
  type Compensation,
  type ComprobanteHead,
  type ComprobanteParty,
  type ComprobanteTax,
  readCompensations,
  readParty,
  readTaxTotals,
  text,
} from '../parts/reading.js';
import { writeAdditionalInfo, writeMoney, writeRate } from '../parts/writing.js';
import type { PreparedDebitNote, PreparedReason, ReasonTaxTotal } from './prepare.js';

/** A debit note read from its XML. */
export interface DebitNoteComprobante extends ComprobanteHead {
  readonly documentType: '05';
  readonly buyer: ComprobanteParty;
  /** [codDocModificado …] The document that it modifies. */
  readonly originalDocument: ModifiedDocument;
  /** [motivos] */
  readonly reasons: readonly ComprobanteReason[];
  /** [totalSinImpuestos] */
  readonly subtotal: string;
  /** [impuestos] Of the whole note: the reasons have none. */
  readonly taxes: readonly ComprobanteTax[];
  readonly compensations: readonly Compensation[];
  /** [valorTotal] */
  readonly total: string;
  readonly payments: readonly ComprobantePayment[];
}

/** A reason [motivo], as in the XML. */
export interface ComprobanteReason {
  /** [razon] */
  readonly reason: string;
  /** [valor] */
  readonly amount: string;
}

/** The element notaDebito of schema 1.0.0, canonical. Order and names: NotaDebito_V1.0.0.xsd; Ficha v2.34, anexo 1. */
export function writeNotaDebito(debitNote: PreparedDebitNote, heading: Heading): string {
  return `<notaDebito id="comprobante" version="1.0.0">${writeInfoTributaria('05', heading)}${writeInfoNotaDebito(
    debitNote,
    heading,
  )}${writeMotivos(debitNote.reasons)}${writeAdditionalInfo(debitNote.additionalInfo)}</notaDebito>`;
}

/** Reads a notaDebito. */
export function readNotaDebito(root: XmlElement, head: ComprobanteHead): DebitNoteComprobante {
  const info = child(root, 'infoNotaDebito');
  return {
    ...head,
    documentType: '05',
    buyer: readParty(info, 'Comprador'),
    originalDocument: readOriginal(info),
    reasons: children(child(root, 'motivos'), 'motivo').map((reason) => ({
      reason: text(reason, 'razon'),
      amount: text(reason, 'valor'),
    })),
    subtotal: text(info, 'totalSinImpuestos'),
    taxes: readTaxTotals(info),
    compensations: readCompensations(info),
    total: text(info, 'valorTotal'),
    payments: readPayments(info),
  };
}

// --- internal ---

/** As in a notaCredito, the buyer comes before the issuer's details. */
function writeInfoNotaDebito(debitNote: PreparedDebitNote, { issuer }: Heading): string {
  const { buyer, originalDocument } = debitNote;
  return `<infoNotaDebito>${
    element('fechaEmision', toIssueDate(debitNote.issueDate)) +
    writeBranchAddress(issuer) +
    element('tipoIdentificacionComprador', buyer.idType) +
    element('razonSocialComprador', buyer.name) +
    element('identificacionComprador', buyer.id) +
    optionalElement('contribuyenteEspecial', issuer.specialTaxpayer) +
    element('obligadoContabilidad', yesOrNo(issuer.requiredAccounting)) +
    writeOriginal(originalDocument) +
    element('totalSinImpuestos', writeMoney(debitNote.subtotal)) +
    writeImpuestos(debitNote.taxTotals) +
    element('valorTotal', debitNote.total) +
    writePayments(debitNote.payments)
  }</infoNotaDebito>`;
}

/** [impuestos] Directly in the heading, with tarifa before baseImponible. */
function writeImpuestos(totals: readonly ReasonTaxTotal[]): string {
  let xml = '<impuestos>';
  for (const tax of totals) {
    xml +=
      `<impuesto><codigo>${tax.code}</codigo><codigoPorcentaje>${tax.rateCode}</codigoPorcentaje>` +
      `<tarifa>${writeRate(tax.rate)}</tarifa><baseImponible>${writeMoney(tax.taxableBase)}</baseImponible>` +
      `<valor>${writeMoney(tax.taxAmount)}</valor></impuesto>`;
  }
  return `${xml}</impuestos>`;
}

/** [motivos] */
function writeMotivos(reasons: readonly PreparedReason[]): string {
  let xml = '<motivos>';
  for (const { reason, amount } of reasons) {
    xml += `<motivo>${element('razon', reason)}${element('valor', writeMoney(amount))}</motivo>`;
  }
  return `${xml}</motivos>`;
}
