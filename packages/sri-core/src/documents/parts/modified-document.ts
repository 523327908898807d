import type { Static } from '@sinclair/typebox';
import { type IsoDate, toIsoDate, toIssueDate } from '../../calendar.js';
import type { XmlElement } from '../../xml/reader.js';
import { element } from '../../xml/writer.js';
import type { Findings } from '../findings.js';
import type { RideFact, RidePanel } from '../ride-content.js';
import { one } from './element-rule.js';
import type { OriginalDocument } from './prepared.js';
import { text } from './reading.js';
import { titleOf } from './ride-blocks.js';
import type { originalDocumentSchema } from './schemas.js';
import { DATE, DOCUMENT_NUMBER, TWO_DIGITS } from './structure.js';

/** The document that a note modifies, as in the XML. */
export interface ModifiedDocument {
  readonly documentType: string;
  readonly number: string;
  readonly issueDate: string;
}

/** The modified document as written. */
export function prepareOriginal(original: Static<typeof originalDocumentSchema>): OriginalDocument {
  const { documentType, number, issueDate } = original;
  return { documentType, number, issueDate: toIsoDate(issueDate) ?? '' };
}

/** Fails when the note is older than the document it modifies. */
export function checkOriginalDate(original: OriginalDocument, issueDate: IsoDate, findings: Findings): void {
  if (original.issueDate <= issueDate) return;
  findings.fail('originalDocument.issueDate', 'notLater', { date: toIssueDate(issueDate) });
}

/** [codDocModificado, numDocModificado, fechaEmisionDocSustento] */
export function writeOriginal({ documentType, number, issueDate }: OriginalDocument): string {
  return (
    element('codDocModificado', documentType) +
    element('numDocModificado', number) +
    element('fechaEmisionDocSustento', toIssueDate(issueDate))
  );
}

/** [codDocModificado, numDocModificado, fechaEmisionDocSustento] */
export function readOriginal(info: XmlElement | null): ModifiedDocument {
  return {
    documentType: text(info, 'codDocModificado'),
    number: text(info, 'numDocModificado'),
    issueDate: text(info, 'fechaEmisionDocSustento'),
  };
}

/** The structure of the three elements. */
export const DOC_MODIFICADO = [
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
