import { type RuleFailure, ruleFailure } from '../errors/refusal.js';
import type { Exchange } from './exchange.js';
import { type Form, FormReader, type UploadedFile } from './multipart.js';
import type { JsonObject } from './parse-body.js';

/** What a field of a body holds. A list travels in a form as JSON text, a file in JSON as base64. */
export type FieldKind = 'text' | 'flag' | 'list' | 'file';

/** The fields of a body that came as a form or as JSON, read in one way. */
export interface BodyFields {
  readonly reader: FormReader;
  /** Fields that JSON sent as null: a form has no way to say that. */
  readonly nulls: ReadonlySet<string>;
}

/**
 * Reads a body that may come as `multipart/form-data` or as JSON. Fields that are not named in `kinds` are ignored.
 *
 * @param jsonLimit bytes that JSON may have.
 * @throws Refusal PAYLOAD_TOO_LARGE; VALIDATION_FAILED when the body is neither, or malformed. A JSON field of the wrong
 * type is noted in the reader with whatever else is found.
 */
export async function readFields(
  exchange: Exchange,
  kinds: Readonly<Record<string, FieldKind>>,
  jsonLimit: number,
): Promise<BodyFields> {
  const isForm = /^\s*multipart\//i.test(exchange.header('content-type') ?? '');
  if (isForm) return { reader: new FormReader(await exchange.form()), nulls: new Set() };
  return toFields(await exchange.json(jsonLimit), kinds);
}

// --- internal ---

/** A JSON body as the form that says the same. */
function toFields(body: JsonObject, kinds: Readonly<Record<string, FieldKind>>): BodyFields {
  const texts = new Map<string, readonly string[]>();
  const files = new Map<string, readonly UploadedFile[]>();
  const nulls = new Set<string>();
  const failures: RuleFailure[] = [];
  for (const [name, kind] of Object.entries(kinds)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (value === undefined) continue;
    if (value === null) nulls.add(name);
    // An empty text means that no file was sent, as an empty file field of a form does.
    else if (kind === 'file' && value === '') continue;
    else if (kind === 'list' && Array.isArray(value)) texts.set(name, [JSON.stringify(value)]);
    else if (kind === 'flag' && typeof value === 'boolean') texts.set(name, [String(value)]);
    else if (kind === 'text' && typeof value === 'string') texts.set(name, [value]);
    else if (kind === 'file' && typeof value === 'string') {
      const bytes = fromBase64(value);
      if (bytes) files.set(name, [{ bytes }]);
      else failures.push(ruleFailure(name, 'base64'));
    } else failures.push(ruleFailure(name, 'type', { expected: JSON_TYPES[kind] }));
  }
  const form: Form = { texts, files, unreadable: new Set() };
  const reader = new FormReader(form);
  reader.failures.push(...failures);
  return { reader, nulls };
}

const JSON_TYPES = { text: 'string', flag: 'boolean', list: 'array', file: 'string' } as const;

function fromBase64(text: string): Uint8Array | null {
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
    ? Buffer.from(text, 'base64')
    : null;
}
