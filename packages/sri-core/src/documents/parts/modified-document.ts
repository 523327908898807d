import { type Static, Type } from '@sinclair/typebox';
import { type IsoDate, toIsoDate, toIssueDate } from '../../calendar.js';
import { formatMoney, type Scaled } from '../../money.js';
import type { XmlElement } from '../../xml/reader.js';
import { element, optionalElement } from '../../xml/writer.js';
import type { PrepareContext } from '../context.js';
import type { Findings } from '../findings.js';
import type { Issuer } from '../issuer.js';
import type { RideFact, RidePanel } from '../ride-content.js';
import { createShape } from '../shape.js';
import { type ElementRule, line, one, optional, pattern, text as valueText } from './element-rule.js';
import { writeBranchAddress, yesOrNo } from './info-tributaria.js';
import type { OriginalDocument, PreparedParty } from './prepared.js';
import { type ComprobanteParty, type ComprobanteSums, readParty, text } from './reading.js';
import { titleOf } from './ride-blocks.js';
import { originalDocumentSchema } from './schemas.js';
import { DATE, DOCUMENT_NUMBER, ID_TYPE, TWO_DIGITS, YES_OR_NO } from './structure.js';

/** The document that a note modifies, as in the XML. */
export interface ModifiedDocument {
  readonly documentType: string;
  readonly number: string;
  readonly issueDate: string;
}

/** What notes have in common, as in the XML. */
export interface ComprobanteNote extends ComprobanteSums {
  readonly buyer: ComprobanteParty;
  /** [codDocModificado …] The document that it modifies. */
  readonly originalDocument: ModifiedDocument;
}

/** The modified document as written. */
export function prepareOriginal(original: Static<typeof originalDocumentSchema>): OriginalDocument {
  const { documentType, number, issueDate } = original;
  return { documentType, number, issueDate: toIsoDate(issueDate) ?? '' };
}

/**
 * Fails when the buyer is an unnamed consumer, as the SRI rejects a note to one with code 69, and when the note is older than
 * the document it modifies.
 *
 * @param copy of a body of any shape.
 */
export function checkNote(copy: unknown, { keepIssueDate, today }: PrepareContext, findings: Findings): void {
  if (TO_FINAL_CONSUMER.fits(copy)) findings.fail('buyer.idType', 'finalConsumer');
  const issueDate = keepIssueDate ?? today;
  if (!DATED.fits(copy) || (toIsoDate(copy.originalDocument.issueDate) ?? '') <= issueDate) return;
  findings.fail('originalDocument.issueDate', 'notLater', { date: toIssueDate(issueDate) });
}

/** [fechaEmision … totalSinImpuestos] of a note. Unlike in a factura, the buyer comes before the issuer's details. */
export function writeNoteHead({ issueDate, buyer, originalDocument, subtotal }: PreparedNote, issuer: Issuer): string {
  return (
    element('fechaEmision', toIssueDate(issueDate)) +
    writeBranchAddress(issuer) +
    element('tipoIdentificacionComprador', buyer.idType) +
    element('razonSocialComprador', buyer.name) +
    element('identificacionComprador', buyer.id) +
    optionalElement('contribuyenteEspecial', issuer.specialTaxpayer) +
    element('obligadoContabilidad', yesOrNo(issuer.requiredAccounting)) +
    element('codDocModificado', originalDocument.documentType) +
    element('numDocModificado', originalDocument.number) +
    element('fechaEmisionDocSustento', toIssueDate(originalDocument.issueDate)) +
    element('totalSinImpuestos', formatMoney(subtotal))
  );
}

/** Reads the buyer of a note, and the document that it modifies. */
export function readNoteHead(info: XmlElement | null): Pick<ComprobanteNote, 'buyer' | 'originalDocument'> {
  return {
    buyer: readParty(info, 'Comprador'),
    originalDocument: {
      documentType: text(info, 'codDocModificado'),
      number: text(info, 'numDocModificado'),
      issueDate: text(info, 'fechaEmisionDocSustento'),
    },
  };
}

/** The structure of the heading of a note, up to the modified document. */
export const NOTE_HEAD: readonly ElementRule[] = [
  one('fechaEmision', DATE),
  optional('dirEstablecimiento', line(300)),
  one('tipoIdentificacionComprador', ID_TYPE),
  one('razonSocialComprador', line(300)),
  one('identificacionComprador', line(20)),
  optional('contribuyenteEspecial', pattern('[A-Za-z0-9]{3,13}')),
  optional('obligadoContabilidad', YES_OR_NO),
  optional('rise', valueText(40)),
  one('codDocModificado', TWO_DIGITS),
  one('numDocModificado', DOCUMENT_NUMBER),
  one('fechaEmisionDocSustento', DATE),
];

/** The panel of the modified document. */
export function modifiedPanel(original: ModifiedDocument, more: readonly RideFact[] = []): RidePanel {
  return {
    left: [['Comprobante que se modifica:', `${titleOf(original.documentType)} ${original.number}`]],
    right: [],
    below: [['Fecha de emisión del comprobante que se modifica:', original.issueDate], ...more],
  };
}

// --- internal ---

const TO_FINAL_CONSUMER = createShape(Type.Object({ buyer: Type.Object({ idType: Type.Literal('07') }) }));
const DATED = createShape(Type.Object({ originalDocument: Type.Pick(originalDocumentSchema, ['issueDate']) }));

interface PreparedNote {
  readonly issueDate: IsoDate;
  readonly buyer: PreparedParty;
  readonly originalDocument: OriginalDocument;
  readonly subtotal: Scaled;
}
