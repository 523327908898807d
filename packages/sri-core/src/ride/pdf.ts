import { requireFlag, requireOptions } from '../choice.js';
import { readComprobante } from '../documents/read-comprobante.js';
import { printableLogo } from './logo-memory.js';
import { type RideFormat, requireFormat } from './ride-format.js';

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
  /** Default `a4`. */
  readonly format?: RideFormat;
}

/**
 * Prints the RIDE of a comprobante as PDF, on pages of A4 or as a ticket of 80 mm, as long as it needs. The same input gives
 * the same bytes.
 *
 * @throws XmlError when the XML is not such a comprobante; ValidationError when a type without tickets is to be one;
 * TypeError for a misspelt option, another format, or a `voided` that is no flag.
 */
export async function renderRide(input: RideInput): Promise<Uint8Array<ArrayBuffer>> {
  // Ignored, a misspelt `authorization` would print «SIN AUTORIZACIÓN».
  requireOptions(OPTIONS, input, 'renderRide');
  requireFlag(input.voided, 'voided');
  const document = readComprobante(input.xml);
  const format = input.format ?? 'a4';
  requireFormat(document.documentType, format, 'es');
  const logo = input.logo ? await printableLogo(input.logo) : null;
  // Fonts and pdfkit load with the first RIDE, so that a program that only signs does not wait for them.
  const { drawRide } = await import('./draw.js');
  const ride = { document, authorization: input.authorization ?? null, voided: input.voided ?? false, logo };
  return drawRide(ride, logo, format);
}

// --- internal ---

const OPTIONS = ['xml', 'authorization', 'voided', 'logo', 'format'] satisfies (keyof RideInput)[];
