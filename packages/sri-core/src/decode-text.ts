/** The text of bytes in that encoding, without a byte order mark; null for bytes that are invalid in it. */
export function decodeStrictly(bytes: Uint8Array, encoding = 'utf-8'): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
