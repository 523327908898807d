import { type RuleFailure, ruleFailure } from '../errors/refusal.js';
import type { Exchange } from './exchange.js';
import { type Form, FormReader, type UploadedFile } from './multipart.js';
import type { JsonObject } from './parse-body.js';

/** The value of a body's field. In a form, a list is JSON text; in JSON, a file is base64. */
export type FieldKind = 'text' | 'flag' | 'list' | 'file';

/** The fields of a form or JSON body, read in one way. */
export interface BodyFields {
  readonly reader: FormReader;
  /** Fields that are null in JSON: a form cannot express that. */
  readonly nulls: ReadonlySet<string>;
}

/**
 * Reads a body that is `multipart/form-data` or JSON. Ignores fields that are not in `kinds`.
 * @param jsonLimit bytes of JSON.
 * @throws Refusal PAYLOAD_TOO_LARGE; VALIDATION_FAILED if the body is neither, or malformed. The reader reports a JSON
 * field of the wrong type with the other errors.
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

/** A JSON body as the equivalent form. */
function toFields(body: JsonObject, kinds: Readonly<Record<string, FieldKind>>): BodyFields {
  const texts = new Map<string, readonly string[]>();
  const files = new Map<string, readonly UploadedFile[]>();
  const nulls = new Set<string>();
  const failures: RuleFailure[] = [];
  for (const [name, kind] of Object.entries(kinds)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (value === undefined) continue;
    if (value === null) nulls.add(name);
    // An empty text means no file, like an empty file field of a form.
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
