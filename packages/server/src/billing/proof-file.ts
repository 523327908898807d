import { Refusal } from '../platform/errors/refusal.js';

/** A file as sent; name and declared type come from the sender. */
export interface SentFile {
  readonly bytes: Uint8Array;
  readonly filename?: string;
  readonly type?: string;
}

/** A file that can be stored and shown. */
export interface ProofFile {
  readonly bytes: Uint8Array;
  /** The last part of the file name, in one line of at most 200 characters. */
  readonly filename: string;
  readonly mimeType: string;
}

interface Kind {
  readonly mimeType: string;
  /** Another name of the type, which telephones send. */
  readonly alias?: string;
  readonly endings: readonly string[];
  /** The first bytes of the type's files, one character per byte. */
  readonly magic: readonly string[];
}

const KINDS: readonly Kind[] = [
  { mimeType: 'image/png', endings: ['png'], magic: ['\x89PNG\r\n\x1a\n'] },
  { mimeType: 'image/jpeg', alias: 'image/jpg', endings: ['jpg', 'jpeg'], magic: ['\xff\xd8\xff'] },
  { mimeType: 'image/gif', endings: ['gif'], magic: ['GIF87a', 'GIF89a'] },
  { mimeType: 'application/pdf', endings: ['pdf'], magic: ['%PDF-'] },
];
/** The media types a proof can have. */
export const PROOF_TYPES: readonly string[] = KINDS.map(({ mimeType }) => mimeType);

/**
 * Checks a proof file. Its type is read from its bytes.
 *
 * @throws Refusal INVALID_FILE_UPLOAD: too large, no PNG, JPEG, GIF or PDF, or not of the type that its name or
 *   declaration says.
 */
export function readProofFile({ bytes, filename = '', type }: SentFile): ProofFile {
  if (bytes.byteLength > PROOF_MAX_BYTES) {
    throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'FILE_TOO_LARGE', params: { limit: PROOF_MAX_BYTES } });
  }
  const kind = KINDS.find(({ magic }) => magic.some((start) => startsWith(bytes, start)));
  const name = toFilename(filename);
  const ending = /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1]?.toLowerCase();
  const named = KINDS.find(({ endings }) => endings.some((known) => known === ending));
  const isDeclared = type === undefined || UNTYPED.has(type) || type === kind?.mimeType || type === kind?.alias;
  if (!kind || !isDeclared || (named && named !== kind)) {
    throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'UNSUPPORTED_PROOF' });
  }
  return { bytes, filename: name || `comprobante.${kind.endings[0]}`, mimeType: kind.mimeType };
}

// --- internal ---

/** The most bytes of one file: 2 MiB. */
const PROOF_MAX_BYTES = 2 * 1024 * 1024;

/** The types that programs send for unknown files. */
const UNTYPED = new Set(['application/octet-stream', 'binary/octet-stream']);

function startsWith(bytes: Uint8Array, start: string): boolean {
  return bytes.length > start.length && [...start].every((character, at) => bytes[at] === character.charCodeAt(0));
}

function toFilename(sent: string): string {
  const name = sent.split(/[\\/]/).at(-1) ?? '';
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  // A long name loses its beginning, so that the extension stays.
  return [...line].slice(-200).join('');
}
