import { invalid, Refusal, ruleFailure } from '../errors.js';
import { incomingOf, readIncoming } from './read-incoming.js';

/** A JSON object as it came; nothing in it has been checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads a JSON body of at most `limit` bytes.
 *
 * @throws Refusal PAYLOAD_TOO_LARGE; VALIDATION_FAILED when it is not `application/json` in UTF-8, not well-formed,
 * not an object, nested too deep, or names a field that could reach an object's prototype.
 */
export async function readJsonObject(request: Request, limit: number): Promise<JsonObject> {
  requireContentType(request, 'application/json');
  return toHarmlessObject(await readBytes(request, limit));
}

/** As `readJsonObject`, for a body that may be any JSON value. @throws as `readJsonObject` */
export async function readJsonValue(request: Request, limit: number): Promise<unknown> {
  requireContentType(request, 'application/json');
  const value = parseJson(await readBytes(request, limit));
  requireHarmless(value);
  return value;
}

/** As `readJsonObject`, for a body that may be left out; null when there is none. @throws as `readJsonObject` */
export async function readOptionalJsonObject(request: Request, limit: number): Promise<JsonObject | null> {
  const bytes = await readBytes(request, limit);
  if (bytes.byteLength === 0) return null;
  requireContentType(request, 'application/json');
  return toHarmlessObject(bytes);
}

/** Reads a body of at most `limit` bytes. @throws Refusal PAYLOAD_TOO_LARGE */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = () =>
    // The rest of the body is not read, so the connection cannot be used again.
    new Refusal('PAYLOAD_TOO_LARGE', { params: { limit }, headers: { connection: 'close' } });
  const announced = request.headers.get('content-length');
  if (announced && Number(announced) > limit) throw tooLarge();
  const incoming = incomingOf(request);
  if (incoming) {
    const bytes = await readIncoming(incoming, limit).catch((cause: unknown) => {
      throw new Refusal('BAD_REQUEST', { reason: 'MALFORMED_REQUEST', cause });
    });
    if (!bytes) throw tooLarge();
    return bytes;
  }
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      // The client went away, or never sent the end.
      throw new Refusal('BAD_REQUEST', { reason: 'MALFORMED_REQUEST', cause });
    });
    if (done) return Buffer.concat(chunks, size);
    size += value.byteLength;
    if (size > limit) {
      reader.cancel().catch(() => {});
      throw tooLarge();
    }
    chunks.push(value);
  }
}

/** @throws Refusal VALIDATION_FAILED unless the body is of that media type, in UTF-8 and not compressed. */
export function requireContentType(request: Request, expected: 'application/json' | 'multipart/form-data'): void {
  const encoding = request.headers.get('content-encoding');
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw invalid([ruleFailure('header:Content-Encoding', 'contentEncoding')]);
  }
  const [type = '', ...parameters] = (request.headers.get('content-type') ?? '').split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"]*)"?\s*$/i.exec(parameter)?.[1])
    .find(Boolean);
  if (type.trim().toLowerCase() !== expected || (charset && !/^utf-?8$/i.test(charset))) {
    throw invalid([ruleFailure('header:Content-Type', 'contentType', { expected })]);
  }
}

/** Whether the value is a JSON object: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// --- internal ---

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const MAX_DEPTH = 64;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

function toHarmlessObject(bytes: Uint8Array): JsonObject {
  const value = parseJson(bytes);
  if (!isJsonObject(value)) throw invalid([ruleFailure('body', 'object')]);
  requireHarmless(value);
  return value;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF_8.decode(bytes));
  } catch {
    throw invalid([ruleFailure('body', 'json')]);
  }
}

/** Walks without recursion, so that a deep body cannot exhaust the stack here or in whatever reads it later. */
function requireHarmless(root: unknown): void {
  let level: unknown[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw invalid([ruleFailure('body', 'depth', { max: MAX_DEPTH })]);
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
