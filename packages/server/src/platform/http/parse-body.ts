import { invalid, ruleFailure } from '../errors/refusal.js';
import type { BodyShare } from './body-budget.js';
import { findExcess } from './json-excess.js';
import { readBytes } from './read-body.js';

/** A JSON object as received, not validated yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The bytes of a JSON body of at most `limit` bytes.
 * @throws Refusal as `readBytes`; VALIDATION_FAILED if it is not `application/json` in UTF-8.
 */
export async function readJsonBytes(request: Request, limit: number, share: BodyShare): Promise<Uint8Array> {
  requireContentType(request, 'application/json');
  return readBytes(request, limit, share);
}

/** As `readJsonBytes`, for an optional body; null without one. @throws as `readJsonBytes` */
export async function readOptionalJsonBytes(
  request: Request,
  limit: number,
  share: BodyShare,
): Promise<Uint8Array | null> {
  const bytes = await readBytes(request, limit, share);
  if (bytes.byteLength === 0) return null;
  requireContentType(request, 'application/json');
  return bytes;
}

/**
 * The JSON value in a body. Its cost is limited by the body's content, which is counted before it is parsed.
 * @throws Refusal VALIDATION_FAILED if it is malformed, has too many values or field names, is nested too deep, or
 * names a field that could reach an object's prototype.
 */
export function parseJsonValue(bytes: Uint8Array): unknown {
  requireModest(bytes);
  const value = parseJson(bytes);
  requireHarmless(value);
  return value;
}

/** As `parseJsonValue`, for a body that is an object. @throws as `parseJsonValue`, and for any other value */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  requireModest(bytes);
  const value = parseJson(bytes);
  if (!isJsonObject(value)) throw invalid([ruleFailure('body', 'object')]);
  requireHarmless(value);
  return value;
}

/** @throws Refusal VALIDATION_FAILED unless the body is of that media type, in UTF-8 and uncompressed. */
export function requireContentType(request: Request, expected: 'application/json' | 'multipart/form-data'): void {
  const encoding = request.headers.get('content-encoding');
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw invalid([ruleFailure('header:Content-Encoding', 'contentEncoding')]);
  }
  const [type, ...parameters] = (request.headers.get('content-type') ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charsets = parameters
    .filter((parameter) => /^charset\s*=/.test(parameter))
    .map((parameter) =>
      parameter
        .slice(parameter.indexOf('=') + 1)
        .replaceAll('"', '')
        .trim(),
    );
  if (type !== expected || charsets.some((charset) => !/^(utf-?8)?$/.test(charset))) {
    throw invalid([ruleFailure('header:Content-Type', 'contentType', { expected })]);
  }
}

/** Whether the value is a JSON object: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// --- internal ---

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** @throws Refusal VALIDATION_FAILED */
function requireModest(bytes: Uint8Array): void {
  const excess = findExcess(bytes);
  if (excess) throw invalid([ruleFailure('body', excess.rule, { max: excess.max })]);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF_8.decode(bytes));
  } catch {
    throw invalid([ruleFailure('body', 'json')]);
  }
}

/** Walks the levels, which are few. */
function requireHarmless(root: unknown): void {
  let level: unknown[] = [root];
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const value of level) {
      if (Array.isArray(value)) {
        for (const entry of value) if (typeof entry === 'object' && entry !== null) next.push(entry);
      } else if (isJsonObject(value)) {
        for (const key of Object.keys(value)) {
          if (FORBIDDEN_KEYS.has(key)) throw invalid([ruleFailure(key, 'forbiddenKey')]);
          const entry = value[key];
          if (typeof entry === 'object' && entry !== null) next.push(entry);
        }
      }
    }
    level = next;
  }
}
