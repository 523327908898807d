import type { DocumentType } from 'sri-core';
import { CommandFailure, parseJson } from 'sri-core/cli';
import { withDocumentType } from '../client/typed-body.js';
import { type BatchFile, identify } from './batch-entry.js';

/**
 * Reads a file with a creation body of any type on each line, as `POST /v1/documents` takes it. A member `reference` names the
 * entry and is not sent. Empty lines are skipped.
 * @param documentType of the lines without a type; null without the option.
 * @throws CommandFailure JSON_INVALID if the file has no line at all.
 */
export function readJsonlFile(text: string, documentType: DocumentType | null = null): BatchFile {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const filled = lines.flatMap((line, index) => (line.trim() === '' ? [] : [{ line: index + 1, text: line }]));
  if (filled.length === 0) {
    throw new CommandFailure('JSON_INVALID', { es: 'El archivo no tiene líneas.', en: 'The file has no lines.' });
  }
  const firstLines = new Map<string, number>();
  const texts = new Map(filled.map(({ line, text: json }) => [line, json]));
  return {
    entries: identify(filled.map(({ line, text: json }) => toEntry(line, json, documentType, firstLines))),
    writeErrors: (failed) =>
      `${failed.flatMap(({ entry }) => entry.lines.map((line) => texts.get(line) ?? '')).join('\n')}\n`,
  };
}

// --- internal ---

/** @param firstLines the line of each reference that is read already. */
function toEntry(line: number, text: string, documentType: DocumentType | null, firstLines: Map<string, number>) {
  const wrong = (es: string, en: string) => ({
    reference: null,
    lines: [line],
    body: { text },
    errors: [{ field: `${line}`, message: { es, en } }],
    originLines: [],
    columnOf: () => null,
  });
  const read = parseJson(text);
  if ('wrong' in read) return wrong(read.wrong.es, read.wrong.en);
  const parsed = read.value;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return wrong('no es un objeto de JSON.', 'is no JSON object.');
  }
  const typed = withDocumentType(parsed, documentType);
  if ('wrong' in typed) return wrong(typed.wrong.es, typed.wrong.en);
  const { reference, ...body } = typed.body;
  if (reference !== undefined && (typeof reference !== 'string' || reference === '' || reference.length > 200)) {
    return wrong('reference es un texto de 1 a 200 letras.', 'reference is a text of 1 to 200 letters.');
  }
  if (reference !== undefined) {
    const first = firstLines.get(reference);
    // The server would take both lines for one document, and return the first for the second.
    if (first !== undefined) {
      return wrong(
        `«${reference}» ya es la reference de la línea ${first}: cada comprobante lleva la suya.`,
        `«${reference}» is already the reference of line ${first}: each document has its own.`,
      );
    }
    firstLines.set(reference, line);
  }
  return { reference: reference ?? null, lines: [line], body, errors: [], originLines: [], columnOf: () => null };
}
