import {
  DOCUMENT_TYPES,
  type DocumentType,
  isDocumentType,
  isWritableText,
  LAST_SEQUENTIAL,
  normalizeText,
  textLength,
} from 'sri-core';
import type { FormReader } from '../http/multipart.js';
import { isJsonObject } from '../http/parse-body.js';

/** A text as documents carry it: 1 to `max` code points, without control characters. Blank counts as absent. */
export function readWords(
  reader: FormReader,
  name: string,
  { max, required = false }: { readonly max: number; readonly required?: boolean },
): string | null {
  const sent = reader.text(name);
  const text = sent === null ? '' : normalizeText(sent);
  if (text === '') {
    if (required) reader.fail(name, 'required');
    return null;
  }
  if (!isWritableText(text)) reader.fail(name, 'text');
  else if (textLength(text) > max) reader.fail(name, 'maxLength', { max });
  return text;
}

/** A text of exactly so many digits. */
export function readDigits(reader: FormReader, name: string, count: number): string {
  const text = reader.text(name)?.trim();
  if (!text) reader.fail(name, 'required');
  else if (text.length !== count || !/^[0-9]+$/.test(text)) {
    reader.fail(name, 'pattern', { form: '0123456789012'.slice(0, count) });
  }
  return text ?? '';
}

/** `true` or `false`, also `1` or `0`. */
export function readFlag(reader: FormReader, name: string): boolean {
  const text = reader.text(name)?.trim();
  if (!text) reader.fail(name, 'required');
  else if (!/^(true|false|1|0)$/.test(text)) reader.fail(name, 'choice', { allowed: 'true, false' });
  return text === 'true' || text === '1';
}

/** The password of a container, taken as it is, blanks included. Left out, the container has none. */
export function readPassword(reader: FormReader): string | null {
  const password = reader.text('certPassword');
  if (password !== null && password.length > MAX_PASSWORD)
    reader.fail('certPassword', 'maxLength', { max: MAX_PASSWORD });
  return password;
}

/** Document types as a JSON list, a comma list, or the field repeated; sorted. Default `01`. */
export function readDocumentTypes(reader: FormReader): readonly DocumentType[] {
  const texts = reader.texts('documentTypes').filter((text) => text.trim() !== '');
  if (texts.length === 0) return ['01'];
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

/** First numbers: a JSON list of `{documentType, sequential}`. */
export function readInitialSequentials(
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

// --- internal ---

const MAX_PASSWORD = 512;
const SUPPORTED_TYPES = DOCUMENT_TYPES.join(', ');

function parseList(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
