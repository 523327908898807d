import { type TSchema, Type } from '@sinclair/typebox';
import {
  DEFAULT_DOCUMENT_TYPE,
  DOCUMENT_TYPES,
  type DocumentType,
  isDocumentType,
  isWritableText,
  LAST_SEQUENTIAL,
  normalizeText,
} from 'sri-core';
import { flag, listOf, oneOf, orNull, part, text, textOfForm, whole } from '../schema-words.js';
import type { FormField } from './body-input.js';
import type { FormReader } from './multipart.js';
import { isJsonObject } from './parse-body.js';

const MAX_PASSWORD = 512;

/** The texts about a field. */
export interface FieldWords {
  readonly about: string;
  readonly example: string;
}

/** A required line of text that is not part of a document: 1 to `max` code points, without control characters. */
export function line({ max, about, example }: { readonly max: number } & FieldWords): FormField<string> {
  const read = (reader: FormReader, name: string) =>
    readWords(reader, name, { max, required: true, lengthOf: (text) => [...text].length }) ?? '';
  return textField(text(`${about} At most ${max} characters.`, example), { required: true, read });
}

/** A text for documents: 1 to `max` UTF-16 units, without control characters. Blank counts as absent. */
export function words(rules: { readonly max: number; readonly required: true } & FieldWords): FormField<string>;
export function words(rules: { readonly max: number } & FieldWords): FormField<string | null>;
export function words(
  rules: { readonly max: number; readonly required?: boolean } & FieldWords,
): FormField<string | null> {
  const { about, example, max, required = false } = rules;
  const read = (reader: FormReader, name: string) =>
    readWords(reader, name, { max, required, lengthOf: (text) => text.length }) ?? (required ? '' : null);
  return textField(text(`${about} At most ${max} characters.`, example), { required, read });
}

/** A text of exactly that many digits. */
export function digits(count: number, { about, example }: FieldWords): FormField<string> {
  const schema = textOfForm(`^[0-9]{${count}}$`, about, example);
  return textField(schema, { required: true, read: (reader, name) => readDigits(reader, name, count) });
}

/** A text with a custom parser. */
export function textField<Value>(
  schema: TSchema,
  { required = false, read }: { readonly required?: boolean; readonly read: FormField<Value>['read'] },
): FormField<Value> {
  return { schema, jsonSchema: required ? schema : orNull(schema), required, kind: 'text', read };
}

/** `true` or `false`, also `1` or `0`. @param stand the default; without it, the field is required. */
export function formFlag(about: string, stand?: boolean): FormField<boolean> {
  return {
    schema: oneOf(['true', 'false', '1', '0'], about),
    jsonSchema: stand === undefined ? flag(about) : orNull(flag(about)),
    required: stand === undefined,
    kind: 'flag',
    read: (reader, name) => (stand !== undefined && !reader.text(name)?.trim() ? stand : readFlag(reader, name)),
  };
}

/** A file; null if it is absent. */
export function file(about: string, { required = false } = {}): FormField<Uint8Array | null> {
  const inJson = Type.String({ contentEncoding: 'base64', description: `${about} As base64.`, examples: ['AAAA'] });
  return {
    schema: fileSchema(about),
    jsonSchema: orNull(inJson),
    required,
    kind: 'file',
    read: (reader, name) => reader.file(name)?.bytes ?? null,
  };
}

/** A part of a form that holds a file. */
export function fileSchema(about: string): TSchema {
  return Type.String({ contentMediaType: 'application/octet-stream', description: about });
}

/** The password of a container. */
export const certPassword: FormField<string | null> = textField(
  text('Password of the certificate, taken as it is. Left out, it has none.', 'secreta', { maxLength: MAX_PASSWORD }),
  { read: (reader) => readPassword(reader) },
);

/** The document types that an issuer may issue; default `01`. */
export const documentTypesField: FormField<readonly DocumentType[]> = {
  schema: text('Document types: a JSON list, or codes with commas between; default 01.', '01'),
  jsonSchema: orNull(listOf(oneOf(DOCUMENT_TYPES, 'A type.'), 'Document types; default 01.')),
  required: false,
  kind: 'list',
  read: (reader) => readDocumentTypes(reader),
};

/** The start of an issuer's counters. */
export const initialSequentialsField: FormField<
  readonly { readonly documentType: DocumentType; readonly sequential: number }[]
> = {
  schema: text('First numbers: a JSON list of `{documentType, sequential}`.', '[{"documentType":"01","sequential":1}]'),
  jsonSchema: orNull(
    listOf(
      part('Where a counter begins.', {
        documentType: oneOf(DOCUMENT_TYPES, 'The type.'),
        sequential: whole('The first number.', 1, { minimum: 1, maximum: LAST_SEQUENTIAL }),
      }),
      'First numbers; 1 where nothing is said.',
    ),
  ),
  required: false,
  kind: 'list',
  read: (reader) => readInitialSequentials(reader),
};

// --- internal ---

function readWords(
  reader: FormReader,
  name: string,
  {
    max,
    required,
    lengthOf,
  }: { readonly max: number; readonly required: boolean; readonly lengthOf: (text: string) => number },
): string | null {
  const sent = reader.text(name);
  const text = sent === null ? '' : normalizeText(sent);
  if (text === '') {
    if (required) reader.fail(name, 'required');
    return null;
  }
  if (!isWritableText(text)) reader.fail(name, 'text');
  else if (lengthOf(text) > max) reader.fail(name, 'maxLength', { max });
  return text;
}

function readDigits(reader: FormReader, name: string, count: number): string {
  const text = reader.text(name)?.trim();
  if (!text) reader.fail(name, 'required');
  else if (text.length !== count || !/^[0-9]+$/.test(text)) {
    reader.fail(name, 'pattern', { form: '0123456789012'.slice(0, count) });
  }
  return text ?? '';
}

function readFlag(reader: FormReader, name: string): boolean {
  const text = reader.text(name)?.trim();
  if (!text) reader.fail(name, 'required');
  else if (!/^(true|false|1|0)$/.test(text)) reader.fail(name, 'choice', { allowed: 'true, false' });
  return text === 'true' || text === '1';
}

/** Taken unchanged, blanks included. */
function readPassword(reader: FormReader): string | null {
  const password = reader.text('certPassword');
  if (password !== null && password.length > MAX_PASSWORD)
    reader.fail('certPassword', 'maxLength', { max: MAX_PASSWORD });
  return password;
}

/** A JSON list, a comma list, or the repeated field; sorted. */
function readDocumentTypes(reader: FormReader): readonly DocumentType[] {
  const texts = reader.texts('documentTypes').filter((text) => text.trim() !== '');
  if (texts.length === 0) return [DEFAULT_DOCUMENT_TYPE];
  const [first = ''] = texts;
  const asJson = texts.length === 1 && first.trim().startsWith('[');
  const entries = asJson ? parseList(first) : texts.flatMap((text) => text.split(',').map((entry) => entry.trim()));
  if (entries === null) reader.fail('documentTypes', 'jsonArray');
  else if (entries.length === 0) reader.fail('documentTypes', 'minItems', { min: 1 });
  const types = new Set<DocumentType>();
  for (const [index, entry] of (entries ?? []).entries()) {
    if (typeof entry === 'string' && isDocumentType(entry)) types.add(entry);
    else reader.fail(`documentTypes[${index}]`, 'documentType', { allowed: SUPPORTED_TYPES });
  }
  return [...types].toSorted();
}

function readInitialSequentials(
  reader: FormReader,
): readonly { readonly documentType: DocumentType; readonly sequential: number }[] {
  const text = reader.text('initialSequentials');
  if (text === null || text.trim() === '') return [];
  const entries = parseList(text);
  if (entries === null) reader.fail('initialSequentials', 'jsonArray');
  const numbers = new Map<DocumentType, number>();
  for (const [index, entry] of (entries ?? []).entries()) {
    const field = `initialSequentials[${index}]`;
    const { documentType, sequential } = isJsonObject(entry) ? entry : {};
    const known = typeof documentType === 'string' && isDocumentType(documentType) ? documentType : null;
    if (!known) reader.fail(`${field}.documentType`, 'documentType', { allowed: SUPPORTED_TYPES });
    else if (numbers.has(known)) reader.fail(`${field}.documentType`, 'single');
    const inRange = typeof sequential === 'number' && Number.isInteger(sequential) && sequential >= 1;
    if (!inRange || sequential > LAST_SEQUENTIAL) {
      reader.fail(`${field}.sequential`, 'integer', { min: 1, max: LAST_SEQUENTIAL });
    } else if (known) numbers.set(known, sequential);
  }
  return [...numbers].map(([documentType, sequential]) => ({ documentType, sequential }));
}

const SUPPORTED_TYPES = DOCUMENT_TYPES.join(', ');

function parseList(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
