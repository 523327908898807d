import type { DocumentTypeCode } from '../documents/registry.js';

/** The type that the portal's name of a comprobante means, in any case and without its accents; null for another name. */
export function typeOfLabel(label: string): DocumentTypeCode | null {
  return LABELS.find(([pattern]) => pattern.test(label))?.[1] ?? null;
}

// --- internal ---

/** A name in the wrong encoding has other characters in the place of its accents. */
const LABELS: readonly (readonly [RegExp, DocumentTypeCode])[] = [
  [/^facturas?$/i, '01'],
  [/^liquidaci/i, '03'],
  [/^notas? de cr/i, '04'],
  [/^notas? de d/i, '05'],
  [/^gu.{1,2}as? de rem/i, '06'],
  [/^(comprobantes? de )?retenci/i, '07'],
];
