/** Decodes base64 with white space anywhere, as XML writes it; null for invalid base64. */
export function readBase64(text: string | null): Buffer | null {
  if (text === null) return null;
  const packed = text.replace(/[ \t\r\n]+/g, '');
  return packed.length > 0 && packed.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(packed)
    ? Buffer.from(packed, 'base64')
    : null;
}
