import { documentTypeOf, type StoredDocument } from 'sri-core';
import { type Language, type Text, tell } from '../platform/language.js';

/** The words of a document in texts for people. */
export interface DocumentWords {
  /** `Factura` */
  readonly typeName: string;
  /** What its total is called; empty for a type without one. */
  readonly totalLabel: string;
  /** Decimal text; empty for a type without a total. */
  readonly total: string;
}

/** The words of a document in one language. */
export function wordsOf(
  { documentType, total }: Pick<StoredDocument, 'documentType' | 'total'>,
  language: Language,
): DocumentWords {
  const { name, total: label = TOTAL } = documentTypeOf(documentType).texts;
  const typeName = tell(name, language);
  return label === null
    ? { typeName, totalLabel: '', total: '' }
    : { typeName, totalLabel: tell(label, language), total };
}

// --- internal ---

const TOTAL: Text = { es: 'Total', en: 'Total' };
