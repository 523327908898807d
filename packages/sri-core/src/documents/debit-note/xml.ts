import { formatMoney } from '../../money.js';
import { child, children, type XmlElement } from '../../xml/reader.js';
import { element } from '../../xml/writer.js';
import { type Heading, writeInfoTributaria } from '../parts/info-tributaria.js';
import { type ComprobanteNote, readNoteHead, writeNoteHead } from '../parts/modified-document.js';
import { type ComprobantePayment, readPayments, writePayments } from '../parts/payments.js';
import { type ComprobanteHead, readSums, text } from '../parts/reading.js';
import { writeAdditionalInfo, writeTaxes } from '../parts/writing.js';
import type { PreparedDebitNote, PreparedReason } from './prepare.js';

/** A debit note read from its XML. */
export interface DebitNoteComprobante extends ComprobanteHead, ComprobanteNote {
  readonly documentType: '05';
  /** [motivos] */
  readonly reasons: readonly ComprobanteReason[];
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
    ...readNoteHead(info),
    reasons: children(child(root, 'motivos'), 'motivo').map((reason) => ({
      reason: text(reason, 'razon'),
      amount: text(reason, 'valor'),
    })),
    ...readSums(info, 'valorTotal'),
    payments: readPayments(info),
  };
}

// --- internal ---

function writeInfoNotaDebito(debitNote: PreparedDebitNote, { issuer }: Heading): string {
  return `<infoNotaDebito>${
    writeNoteHead(debitNote, issuer) +
    writeTaxes(debitNote.taxTotals) +
    element('valorTotal', debitNote.total) +
    writePayments(debitNote.payments)
  }</infoNotaDebito>`;
}

/** [motivos] */
function writeMotivos(reasons: readonly PreparedReason[]): string {
  let xml = '<motivos>';
  for (const { reason, amount } of reasons) {
    xml += `<motivo>${element('razon', reason)}${element('valor', formatMoney(amount))}</motivo>`;
  }
  return `${xml}</motivos>`;
}
