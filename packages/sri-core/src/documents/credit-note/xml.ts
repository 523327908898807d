import { child, type XmlElement } from '../../xml/reader.js';
import { element } from '../../xml/writer.js';
import { type Heading, writeInfoTributaria } from '../parts/info-tributaria.js';
import { type ComprobanteNote, readNoteHead, writeNoteHead } from '../parts/modified-document.js';
import { type ComprobanteHead, type ComprobanteItem, optional, readItems, readSums, text } from '../parts/reading.js';
import { writeAdditionalInfo, writeDetalles, writeTaxTotals } from '../parts/writing.js';
import type { PreparedCreditNote } from './prepare.js';

/** A credit note read from its XML. */
export interface CreditNoteComprobante extends ComprobanteHead, ComprobanteNote {
  readonly documentType: '04';
  readonly motivo: string;
  readonly items: readonly ComprobanteItem[];
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
    ...readNoteHead(info),
    motivo: text(info, 'motivo'),
    items: readItems(root),
    ...readSums(info, 'valorModificacion'),
    currency: optional(info, 'moneda'),
  };
}

// --- internal ---

function writeInfoNotaCredito(creditNote: PreparedCreditNote, { issuer }: Heading): string {
  return `<infoNotaCredito>${
    writeNoteHead(creditNote, issuer) +
    element('valorModificacion', creditNote.total) +
    element('moneda', 'DOLAR') +
    // Without tarifa, unlike a factura's.
    writeTaxTotals(creditNote.taxTotals.map((tax) => ({ ...tax, rate: null }))) +
    element('motivo', creditNote.motivo)
  }</infoNotaCredito>`;
}
