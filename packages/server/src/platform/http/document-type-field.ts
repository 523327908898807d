import { DOCUMENT_TYPES, DOCUMENTS } from 'sri-core';
import { oneOf } from '../schema-words.js';

/** The type of a document, among those issued here. */
export const documentTypeField = oneOf(
  DOCUMENT_TYPES,
  `${DOCUMENT_TYPES.map((code) => `${code} ${DOCUMENTS[code].texts.name.en.toLowerCase()}`).join(', ')}.`,
);
