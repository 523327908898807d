import { DOCUMENT_TYPES, type DocumentType, isDocumentType, LAST_SEQUENTIAL } from 'sri-core';
import { type BodyReader, type JsonField, jsonField } from '../platform/http/json-fields.js';
import { isJsonObject } from '../platform/http/parse-body.js';
import { toUuid } from '../platform/http/uuid.js';
import { listOf, oneOf, part, uuid, whole } from '../platform/schema-words.js';

/** The first number of an issuer's counter. */
export interface FirstNumber {
  readonly issuerId: string;
  readonly documentType: DocumentType;
  readonly sequential: number;
}

/** More than the counters of an account. */
const MAX_NUMBERS = 10_000;

/** The first numbers of the counters in production. */
export const firstNumbersField: JsonField<readonly FirstNumber[] | null> = jsonField(
  {
    ...listOf(
      part('Where a counter begins.', {
        issuerId: uuid('The issuer.'),
        documentType: oneOf(DOCUMENT_TYPES, 'The type.'),
        sequential: whole('The first number.', 1, { minimum: 1, maximum: LAST_SEQUENTIAL }),
      }),
      'First numbers in production; 1 where nothing is said.',
    ),
    maxItems: MAX_NUMBERS,
  },
  (value, _fail, body) => readFirstNumbers(value, body),
);

// --- internal ---

/** Reports errors of the list and of its entries. */
function readFirstNumbers(value: unknown, body: BodyReader): readonly FirstNumber[] {
  const fail = (field: string, rule: string, params?: Readonly<Record<string, string | number>>) =>
    body.fail(field, rule, params);
  if (!Array.isArray(value)) {
    fail('initialSequentials', 'type', { expected: 'array' });
    return [];
  }
  if (value.length > MAX_NUMBERS) {
    fail('initialSequentials', 'maxItems', { max: MAX_NUMBERS });
    return [];
  }
  const numbers = new Map<string, FirstNumber>();
  for (const [index, entry] of value.entries()) {
    const field = `initialSequentials[${index}]`;
    const { issuerId, documentType, sequential } = isJsonObject(entry) ? entry : {};
    const issuer = typeof issuerId === 'string' ? toUuid(issuerId) : null;
    if (!issuer) fail(`${field}.issuerId`, issuerId === undefined ? 'required' : 'uuid');
    const type = typeof documentType === 'string' && isDocumentType(documentType) ? documentType : null;
    if (!type) fail(`${field}.documentType`, 'documentType', { allowed: DOCUMENT_TYPES.join(', ') });
    const inRange = typeof sequential === 'number' && Number.isInteger(sequential) && sequential >= 1;
    if (!inRange || sequential > LAST_SEQUENTIAL) {
      fail(`${field}.sequential`, 'integer', { min: 1, max: LAST_SEQUENTIAL });
    } else if (issuer && type) {
      if (numbers.has(`${issuer} ${type}`)) fail(field, 'single');
      numbers.set(`${issuer} ${type}`, { issuerId: issuer, documentType: type, sequential });
    }
  }
  return [...numbers.values()];
}
