import type { Comprobante } from '../documents/registry.js';

/** Everything a RIDE is drawn from. */
export interface Ride {
  readonly document: Comprobante;
  /** What the SRI answered; `date` as the SRI wrote it. Null before authorization. */
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

/** What has to be seen on every page of a document that has no, or no longer, tax validity. */
export function stateMarks(ride: Ride): readonly string[] {
  const marks: string[] = [];
  if (ride.voided) marks.push('ANULADO');
  else if (!ride.authorization) marks.push('SIN AUTORIZACIÓN');
  if (ride.document.environment !== 'production') marks.push('PRUEBAS – SIN VALIDEZ TRIBUTARIA');
  return marks;
}
