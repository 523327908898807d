import { open, stat } from 'node:fs/promises';
import { decodeStrictly } from '../decode-text.js';
import type { CliText } from './cli-text.js';
import type { Terminal } from './command.js';
import { CommandFailure, codeOf } from './failure.js';

/** The limits of an input file. */
export interface InputLimits {
  /** The read stops at this size, whatever size the file reports. */
  readonly maxBytes: number;
  /** The standard input, when `-` stands for it. */
  readonly terminal?: Terminal;
}

/**
 * Reads a file named on the command line.
 *
 * @throws CommandFailure FILE_NOT_FOUND, FILE_IS_FOLDER, FILE_NOT_READABLE, FILE_TOO_LARGE, FILE_EMPTY
 */
export async function readInputFile(path: string, { maxBytes, terminal }: InputLimits): Promise<Buffer> {
  const bytes = path === '-' && terminal ? Buffer.from(await terminal.readInput()) : await readBounded(path, maxBytes);
  if (bytes.length > maxBytes) throw tooLarge(path, maxBytes);
  if (bytes.length === 0) throw failure('FILE_EMPTY', path, { es: 'está vacío.', en: 'is empty.' });
  return bytes;
}

/**
 * Bytes as text: UTF-8, with or without its mark, and UTF-16 where it has one.
 *
 * @throws CommandFailure FILE_NOT_UTF8, FILE_BINARY
 */
export function toText(bytes: Uint8Array, path: string): string {
  const mark = `${bytes[0]} ${bytes[1]}`;
  const encoding = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8';
  const text = decodeStrictly(bytes, encoding);
  if (text === null) throw bytes.includes(0) ? binary(path) : failure('FILE_NOT_UTF8', path, NOT_UTF8);
  if (text.includes('\0')) throw binary(path);
  return text;
}

/** The largest XML, and the largest P12, that a command reads. */
export const MAX_XML_BYTES = 4 * 1024 * 1024;
export const MAX_P12_BYTES = 256 * 1024;

// --- internal ---

const NOT_UTF8 = {
  es: 'no está en UTF-8. Guárdelo como UTF-8 (en Excel: «CSV UTF-8»).',
  en: 'is not UTF-8. Save it as UTF-8 (in Excel: «CSV UTF-8»).',
};

async function readBounded(path: string, maxBytes: number): Promise<Buffer> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) {
      throw failure('FILE_IS_FOLDER', path, { es: 'es una carpeta, no un archivo.', en: 'is a folder, not a file.' });
    }
    if (found.size > maxBytes) throw tooLarge(path, maxBytes);
    return await readAtMost(path, maxBytes);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw failure('FILE_NOT_FOUND', path, { es: 'no existe.', en: 'does not exist.' });
    }
    throw failure('FILE_NOT_READABLE', path, { es: `no se puede leer (${code}).`, en: `cannot be read (${code}).` });
  }
}

/** Devices and pipes report size 0, so the bytes are counted. */
async function readAtMost(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(path, maxBytes);
    }
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

function tooLarge(path: string, maxBytes: number): CommandFailure {
  const most = maxBytes >= 1024 * 1024 ? `${maxBytes / 1024 / 1024} MiB` : `${maxBytes / 1024} KiB`;
  return failure('FILE_TOO_LARGE', path, { es: `tiene más de ${most}.`, en: `has more than ${most}.` });
}

function binary(path: string): CommandFailure {
  return failure('FILE_BINARY', path, { es: 'no es un archivo de texto.', en: 'is not a text file.' });
}

function failure(code: string, path: string, words: Exclude<CliText, string>): CommandFailure {
  const name = JSON.stringify(path);
  return new CommandFailure(code, { es: `${name} ${words.es}`, en: `${name} ${words.en}` });
}
