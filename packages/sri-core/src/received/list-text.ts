/**
 * The text of a list. The encoding is that of the byte order mark (UTF-8 or UTF-16), else UTF-8 if the bytes are valid.
 * Otherwise it is windows-1252, with the letters of ISO-8859-1 that the SRI's portal writes. Line ends become `\n`.
 */
export function toListText(input: string | Uint8Array): string {
  const text = typeof input === 'string' ? input : decode(input);
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

// --- internal ---

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
