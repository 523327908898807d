import { decodeStrictly } from '../decode-text.js';

/**
 * A longer answer is cut off. An answer about a key may have its refusals beside its authorization, each with the comprobante:
 * up to 320 KB, and up to twice that when it is escaped.
 */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** The comprobante inside an answer is one text, and each message has four elements. */
export const MAX_ANSWER_NODES = 10_000;

/** The answer exceeds the limit and was cut off. */
export class AnswerTooLargeError extends Error {
  override get name(): string {
    return 'AnswerTooLargeError';
  }
}

/**
 * Reads a body in pieces to its end.
 *
 * @throws AnswerTooLargeError once it exceeds `maxBytes`; the signal's reason when it aborts. The source is closed in both
 * cases.
 */
export async function collectBody(
  pieces: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const taken: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces ?? []) {
    signal?.throwIfAborted();
    size += piece.byteLength;
    if (size > maxBytes) throw new AnswerTooLargeError(`The answer is larger than ${maxBytes} bytes.`);
    taken.push(piece);
  }
  return Buffer.concat(taken);
}

/**
 * Decodes an answer by its byte order mark, else the charset of the HTTP header, else the XML declaration, else as UTF-8.
 *
 * @returns null for an encoding other than UTF-8, UTF-16, ISO-8859-1, ISO-8859-15 or windows-1252, or for bytes that are
 * invalid in it.
 */
export function decodeAnswer(bytes: Uint8Array, contentType: string | null): string | null {
  const label = byOrderMark(bytes) ?? byHeader(contentType) ?? byDeclaration(bytes) ?? 'utf-8';
  const encoding = ENCODINGS.get(label);
  return encoding === undefined ? null : decodeStrictly(bytes, encoding);
}

// --- internal ---

const ENCODINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'utf-8': 'utf-8',
    utf8: 'utf-8',
    'us-ascii': 'utf-8',
    'iso-8859-1': 'windows-1252',
    'latin-1': 'windows-1252',
    latin1: 'windows-1252',
    'windows-1252': 'windows-1252',
    cp1252: 'windows-1252',
    'iso-8859-15': 'iso-8859-15',
    'utf-16le': 'utf-16le',
    'utf-16be': 'utf-16be',
  }),
);

function byOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

function byHeader(contentType: string | null): string | null {
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? null;
}

function byDeclaration(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1]?.toLowerCase() ?? null;
}
