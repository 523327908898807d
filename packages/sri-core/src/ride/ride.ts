import type { Comprobante } from '../documents/registry.js';
import { formatSequential, PREVIEW_SEQUENTIAL } from '../sequential.js';

/** The input of the drawing. */
export interface Ride {
  readonly document: Comprobante;
  /** The SRI's authorization; `date` as the SRI wrote it. Null before authorization. */
  readonly authorization: { readonly number: string; readonly date: string } | null;
  /** Whether the document was annulled at the SRI. */
  readonly voided: boolean;
  /** Pixels of the logo; null without one. */
  readonly logo: { readonly width: number; readonly height: number } | null;
}

/** `001-001-000000123` */
export function numberOf(document: Comprobante): string {
  return `${document.branchCode}-${document.issuePointCode}-${document.sequential}`;
}

/** Whether the document has no number yet. Its access key is no key then. */
export function isPreview({ document, authorization }: Ride): boolean {
  return authorization === null && document.sequential === formatSequential(PREVIEW_SEQUENTIAL);
}

/** The mark on every page of a document without tax validity. */
export function stateMarks(ride: Ride): readonly string[] {
  const marks: string[] = [];
  if (ride.voided) marks.push('ANULADO');
  else if (isPreview(ride)) marks.push('VISTA PREVIA – SIN VALIDEZ');
  else if (!ride.authorization) marks.push('SIN AUTORIZACIÓN');
  if (ride.document.environment !== 'production') marks.push('PRUEBAS – SIN VALIDEZ TRIBUTARIA');
  return marks;
}
