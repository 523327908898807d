import { DOCUMENT_TYPES, type DocumentType, isDocumentType, type LocalizedText } from 'sri-core';
import { CommandFailure, parseJson, readInputFile, type Terminal, textOption, toText, UsageError } from 'sri-core/cli';

/** The option `--type` of commands that issue. */
export const TYPE_OPTION = textOption('code', {
  es: 'El tipo, como 07, donde el archivo no lo dice',
  en: 'The type, such as 07, where the file does not say it',
});

/** The code of a document type on the command line. @throws UsageError */
export function readDocumentType(text: string): DocumentType {
  if (isDocumentType(text)) return text;
  const list = DOCUMENT_TYPES.join(', ');
  throw new UsageError({
    es: `No hay un tipo de comprobante «${text}»: ${list}.`,
    en: `There is no document type «${text}»: ${list}.`,
  });
}

/** Adds the type of the command line to a body that states none. @param code null without the option. */
export function withDocumentType(
  body: object,
  code: DocumentType | null,
): { readonly body: Readonly<Record<string, unknown>> } | { readonly wrong: LocalizedText } {
  const { documentType = null, ...fields } = body as { readonly documentType?: unknown };
  if (code === null || documentType === code) return { body: { ...body } };
  if (documentType === null || documentType === '') return { body: { documentType: code, ...fields } };
  return {
    wrong: {
      es: `dice que es de tipo ${JSON.stringify(documentType)}, y --type ${code}.`,
      en: `says that its type is ${JSON.stringify(documentType)}, and --type says ${code}.`,
    },
  };
}

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
