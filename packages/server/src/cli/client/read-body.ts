import { CommandFailure, parseJson, readInputFile, type Terminal, toText, UsageError } from 'sri-core/cli';
import { readDocumentType, withDocumentType } from './document-type.js';

/**
 * The creation body in a file, with the type of the command line.
 *
 * @param options.type the value of `--type`. @returns parsed, not validated. @throws UsageError; CommandFailure JSON_INVALID
 */
export async function readBodyFile(
  path: string,
  { type, terminal }: { readonly type: string | null; readonly terminal: Terminal },
): Promise<unknown> {
  const text = toText(await readInputFile(path, { maxBytes: MAX_BODY_BYTES, terminal }), path);
  const code = type === null ? null : readDocumentType(type);
  const name = JSON.stringify(path);
  const read = parseJson(text);
  if ('value' in read) {
    if (typeof read.value !== 'object' || read.value === null || Array.isArray(read.value)) return read.value;
    const typed = withDocumentType(read.value, code);
    if ('body' in typed) return typed.body;
    throw new UsageError({ es: `${name} ${typed.wrong.es}`, en: `${name} ${typed.wrong.en}` });
  }
  throw new CommandFailure('JSON_INVALID', { es: `${name} ${read.wrong.es}`, en: `${name} ${read.wrong.en}` });
}

// --- internal ---

const MAX_BODY_BYTES = 4 * 1024 * 1024;
