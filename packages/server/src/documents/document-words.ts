import {
  documentTypeOf,
  ecuadorTimestamp,
  type Language,
  type LocalizedText,
  momentOf,
  type StoredDocument,
  translate,
} from 'sri-core';
import { formatAmount } from '../platform/formats.js';

/** The words of a document in texts for people. */
export interface DocumentWords {
  /** `Factura` */
  readonly typeName: string;
  /** What its total is called; empty for a type without one. */
  readonly totalLabel: string;
  /** `$1,234.50`; empty for a type without a total. */
  readonly total: string;
}

/** The words of a document in one language. */
export function wordsOf(
  { documentType, total }: Pick<StoredDocument, 'documentType' | 'total'>,
  language: Language,
): DocumentWords {
  const { name, total: label = TOTAL } = documentTypeOf(documentType).texts;
  const typeName = translate(name, language);
  return label === null
    ? { typeName, totalLabel: '', total: '' }
    : { typeName, totalLabel: translate(label, language), total: formatAmount(total) };
}

/** The number of a document, from its access key: branch, issue point, sequential, as `001-002-000000123`. */
export function writeNumber(accessKey: string): string {
  return `${accessKey.slice(24, 27)}-${accessKey.slice(27, 30)}-${accessKey.slice(30, 39)}`;
}

/** A moment of the SRI as ISO 8601 with an offset: `2026-11-24T10:15:00-05:00`; a text of no known form as it is. */
export function toIsoMoment(text: string): string {
  const moment = WITH_OFFSET.test(text) ? null : momentOf(text);
  return moment ? ecuadorTimestamp(moment) : text;
}

// --- internal ---

const TOTAL: LocalizedText = { es: 'Total', en: 'Total' };

/** `2026-11-24T10:15:00.000-05:00` */
const WITH_OFFSET = /T.*(Z|[+-]\d\d:\d\d)$/;
