import type { Language } from '../catalogs/catalog.js';
import { createFailure } from '../documents/messages.js';
import { shownName } from '../documents/unknown-fields.js';
import { ValidationError } from '../errors.js';
import { payloadHash } from './payload-hash.js';

/** A body as the storage keeps it: with its ignored fields, and out of reach of later changes by the caller. */
export interface JsonPayload {
  readonly payload: unknown;
  readonly hash: string;
}

/**
 * The JSON of a body that passed its checks, and its hash.
 *
 * @throws ValidationError that names the part without JSON: it contains itself, is too deep, has a BigInt or throws.
 */
export function jsonPayload(body: unknown, language: Language): JsonPayload {
  try {
    return toJson(body);
  } catch {
    throw new ValidationError([createFailure(faultyPart(body) || 'body', 'json', undefined, language)], language);
  }
}

// --- internal ---

/** A part that contains itself is faulty at every level. */
const DEEPEST = 4;

function toJson(value: unknown): JsonPayload {
  const payload = JSON.parse(JSON.stringify(value) ?? 'null');
  return { payload, hash: payloadHash(payload) };
}

/** The path of the innermost part without JSON. */
function faultyPart(value: unknown, path = '', depth = 0): string {
  let part = path;
  let inner: unknown;
  try {
    for (const name of Object.keys(Object(value))) {
      part = Array.isArray(value) ? `${path}[${name}]` : `${path && `${path}.`}${shownName(name)}`;
      inner = undefined;
      inner = Reflect.get(Object(value), name);
      toJson(inner);
    }
    return path;
  } catch {
    return typeof inner === 'object' && depth < DEEPEST ? faultyPart(inner, part, depth + 1) : part;
  }
}
