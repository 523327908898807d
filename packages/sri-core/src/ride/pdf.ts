import { readComprobante } from '../documents/read-comprobante.js';
import { printableLogo } from './logo-memory.js';

/** The input of a RIDE. */
export interface RideInput {
  /** The comprobante, signed or not, of a supported type. */
  readonly xml: string;
  /** The SRI's answer, `date` as the SRI wrote it. Without it every page says «SIN AUTORIZACIÓN». */
  readonly authorization?: { readonly number: string; readonly date: string } | null;
  /** True when the document was annulled at the SRI: every page says «ANULADO». */
  readonly voided?: boolean;
  /** PNG, JPEG or GIF. An unreadable logo is left out: the RIDE matters more. */
  readonly logo?: Uint8Array | null;
}

/**
 * Prints the RIDE of a comprobante as an A4 PDF. The same input gives the same bytes.
 *
 * @throws XmlError when the XML is not such a comprobante.
 */
export async function renderRide(input: RideInput): Promise<Uint8Array> {
  const document = readComprobante(input.xml);
  const logo = input.logo ? await printableLogo(input.logo) : null;
  // Fonts and pdfkit load with the first RIDE, so that a program that only signs does not wait for them.
  const { drawRide } = await import('./draw.js');
  return drawRide({ document, authorization: input.authorization ?? null, voided: input.voided ?? false, logo }, logo);
}
