import { DOCUMENT_TYPES, type DocumentType, isDocumentType } from 'sri-core';
import { textOption, UsageError } from 'sri-core/cli';

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

/** A body of the type of the command line, or the reason for its rejection. */
export type TypedBody =
  | { readonly body: Readonly<Record<string, unknown>> }
  | { readonly wrong: { readonly es: string; readonly en: string } };

/** Adds the type of the command line to a body that states none. @param code null without the option. */
export function withDocumentType(body: object, code: DocumentType | null): TypedBody {
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
