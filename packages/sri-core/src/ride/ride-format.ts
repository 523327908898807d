import type { Language } from '../catalogs/catalog.js';
import { requireChoice } from '../choice.js';
import { createFailure } from '../documents/messages.js';
import { type DocumentTypeCode, documentTypeOf } from '../documents/registry.js';
import { ValidationError } from '../errors.js';

/** The papers of a RIDE: pages of A4, or a roll of 80 mm. */
export const RIDE_FORMATS = ['a4', 'ticket'] as const;

/** The paper of a RIDE. */
export type RideFormat = (typeof RIDE_FORMATS)[number];

/** @throws ValidationError with the field `format` when that type has no such RIDE; TypeError for another format. */
export function requireFormat(documentType: DocumentTypeCode, format: RideFormat, language: Language): void {
  requireChoice(RIDE_FORMATS, format, 'format');
  if (format === 'a4' || documentTypeOf(documentType).ticket !== false) return;
  throw new ValidationError([createFailure('format', 'noTicket', { documentType }, language)], language);
}
