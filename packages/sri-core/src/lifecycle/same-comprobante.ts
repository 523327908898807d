/**
 * Whether two signed comprobantes are one and the same. The SRI hands documents back with another declaration, line ends
 * or spacing, so the signature value is what is compared: no two contents share one.
 *
 * @returns null when one of them carries no signature to compare.
 */
export function sameComprobante(one: string, other: string): boolean | null {
  const first = signatureValue(one);
  const second = signatureValue(other);
  return first && second ? first === second : null;
}

// --- internal ---

function signatureValue(xml: string): string | null {
  const match = /<(?:[\w-]+:)?SignatureValue\b[^>]*>([^<]*)</.exec(xml);
  return match?.[1]?.replace(/\s+/g, '') || null;
}
