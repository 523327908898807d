import { DEFAULT_DOCUMENT_TYPE, DOCUMENT_TYPES, type DocumentType, isDocumentType, LAST_SEQUENTIAL } from 'sri-core';
import { type Fail, type Field, optional } from '../platform/http/field.js';
import { wrongType } from '../platform/http/fields.js';
import { isJsonObject } from '../platform/http/parse-body.js';
import { toUuid } from '../platform/http/uuid.js';
import { listOf, oneOf, orNull, part, text, uuid, whole } from '../platform/schema-words.js';

/** The first number of an issuer's counter. */
export interface FirstNumber {
  readonly issuerId: string;
  readonly documentType: DocumentType;
  readonly sequential: number;
}

/** More than the counters of an account. */
const MAX_NUMBERS = 10_000;

const counter = {
  documentType: oneOf(DOCUMENT_TYPES, 'The type.'),
  sequential: whole('The first number.', 1, { minimum: 1, maximum: LAST_SEQUENTIAL }),
};

/** The document types that an issuer may issue; default `01`. */
export const documentTypesField: Field<readonly DocumentType[]> = {
  schema: text('Document types: a JSON list, or codes with commas between; default 01.', '01'),
  jsonSchema: orNull(listOf(oneOf(DOCUMENT_TYPES, 'A type.'), 'Document types; default 01.')),
  required: false,
  kind: 'list',
  inForm: 'repeated',
  absent: [DEFAULT_DOCUMENT_TYPE],
  parse: (sent, fail) => readDocumentTypes(sent as readonly string[], fail),
};

/** The start of an issuer's counters. */
export const initialSequentialsField: Field<readonly Omit<FirstNumber, 'issuerId'>[]> = {
  schema: text('First numbers: a JSON list of `{documentType, sequential}`.', '[{"documentType":"01","sequential":1}]'),
  jsonSchema: orNull(listOf(part('Where a counter begins.', counter), 'First numbers; 1 where nothing is said.')),
  required: false,
  kind: 'list',
  absent: [],
  parse: (sent, fail) => readInitialSequentials(String(sent), fail),
};

/** The first numbers of the counters in production. */
export const firstNumbersField: Field<readonly FirstNumber[] | null> = optional(
  {
    ...listOf(
      part('Where a counter begins.', { issuerId: uuid('The issuer.'), ...counter }),
      'First numbers in production. A counter without one keeps its number, or starts at the one of its registration.',
    ),
    maxItems: MAX_NUMBERS,
  },
  readFirstNumbers,
);

// --- internal ---

const SUPPORTED_TYPES = DOCUMENT_TYPES.join(', ');

/** A JSON list, a comma list, or the repeated field. */
function readDocumentTypes(texts: readonly string[], fail: Fail): readonly DocumentType[] {
  const [first = ''] = texts;
  const asJson = texts.length === 1 && first.trim().startsWith('[');
  const entries = asJson ? parseList(first) : texts.flatMap((text) => text.split(',').map((entry) => entry.trim()));
  if (entries === null) fail('jsonArray');
  else if (entries.length === 0) fail('minItems', { min: 1 });
  const types = new Set<DocumentType>();
  for (const [index, entry] of (entries ?? []).entries()) {
    if (typeof entry === 'string' && isDocumentType(entry)) types.add(entry);
    else fail('documentType', { allowed: SUPPORTED_TYPES }, `[${index}]`);
  }
  return [...types];
}

function readInitialSequentials(text: string, fail: Fail): readonly Omit<FirstNumber, 'issuerId'>[] {
  const entries = parseList(text);
  if (entries === null) fail('jsonArray');
  const numbers = new Map<DocumentType, number>();
  for (const [index, entry] of (entries ?? []).entries()) {
    const at = `[${index}]`;
    const { documentType, sequential } = isJsonObject(entry) ? entry : {};
    const type = readType(documentType, fail, at);
    if (type && numbers.has(type)) fail('single', undefined, `${at}.documentType`);
    const number = readNumber(sequential, fail, at);
    if (type && number !== null) numbers.set(type, number);
  }
  return [...numbers].map(([documentType, sequential]) => ({ documentType, sequential }));
}

/** Reports errors of the list and of its entries. */
function readFirstNumbers(sent: unknown, fail: Fail): readonly FirstNumber[] | null {
  if (!Array.isArray(sent)) return wrongType(fail, 'array');
  if (sent.length > MAX_NUMBERS) {
    fail('maxItems', { max: MAX_NUMBERS });
    return null;
  }
  const numbers = new Map<string, FirstNumber>();
  for (const [index, entry] of sent.entries()) {
    const at = `[${index}]`;
    const { issuerId, documentType, sequential } = isJsonObject(entry) ? entry : {};
    const issuer = typeof issuerId === 'string' ? toUuid(issuerId) : null;
    if (!issuer) fail(issuerId === undefined ? 'required' : 'uuid', undefined, `${at}.issuerId`);
    const type = readType(documentType, fail, at);
    const number = readNumber(sequential, fail, at);
    if (number === null || !issuer || !type) continue;
    if (numbers.has(`${issuer} ${type}`)) fail('single', undefined, at);
    numbers.set(`${issuer} ${type}`, { issuerId: issuer, documentType: type, sequential: number });
  }
  return [...numbers.values()];
}

function readType(sent: unknown, fail: Fail, at: string): DocumentType | null {
  if (typeof sent === 'string' && isDocumentType(sent)) return sent;
  fail('documentType', { allowed: SUPPORTED_TYPES }, `${at}.documentType`);
  return null;
}

function readNumber(sent: unknown, fail: Fail, at: string): number | null {
  if (typeof sent === 'number' && Number.isInteger(sent) && sent >= 1 && sent <= LAST_SEQUENTIAL) return sent;
  fail('integer', { min: 1, max: LAST_SEQUENTIAL }, `${at}.sequential`);
  return null;
}

function parseList(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
