import { type RuleFailure, ruleFailure } from '../errors/refusal.js';
import type { Exchange } from './exchange.js';
import { type Fail, type Field, type Fields, Input } from './field.js';
import type { Form, UploadedFile } from './multipart.js';
import type { JsonObject } from './parse-body.js';

/** The parameters of a path, as texts. */
export function pathInput(params: Readonly<Record<string, string>>): Input {
  return new Input('path:', (name) => params[name] ?? '');
}

/** The headers of a request, as texts. */
export function headerInput(exchange: Exchange): Input {
  return new Input('header:', (name) => exchange.header(name) ?? undefined);
}

/**
 * The parameters of a query, as texts. A parameter that is sent twice, or is not decodable, is an error.
 * @param search the query of the address, with or without its question mark.
 */
export function queryInput(search: string): Input {
  const parameters = new URLSearchParams(search);
  return new Input('query:', (name, _field, fail) => {
    const [value, ...others] = parameters.getAll(name);
    if (others.length > 0) fail('single');
    else if (value !== undefined && (CONTROL.test(value) || value.includes('�'))) fail('text');
    else return value;
    return undefined;
  });
}

/** The members of a JSON object. In an optional text, blanks count as absent. */
export function jsonInput(body: JsonObject): Input {
  return new Input('', (name, { schema, required, nulls }) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (value === null) return nulls === 'refused' ? null : undefined;
    return !required && schema['type'] === 'string' && isBlank(value) ? undefined : value;
  });
}

/** The parts of a form: texts, and lists of files. Blank texts count as absent. @param nulls names sent as null in JSON. */
export function formInput(form: Form, nulls: ReadonlySet<string> = new Set()): Input {
  return new Input('', (name, field, fail) => {
    if (nulls.has(name)) return null;
    return field.kind === 'file' ? takeFiles(form, name, fail) : takeText(form, name, field, fail);
  });
}

/**
 * A body that is a form, or the equivalent JSON. Ignores other fields.
 * @param jsonLimit bytes of JSON.
 * @throws Refusal PAYLOAD_TOO_LARGE; VALIDATION_FAILED if the body is neither, or malformed.
 */
export async function formOrJsonInput(exchange: Exchange, fields: Fields, jsonLimit: number): Promise<Input> {
  if (isForm(exchange)) return formInput(await exchange.form());
  const body = await exchange.json(jsonLimit);
  const texts = new Map<string, readonly string[]>();
  const files = new Map<string, readonly UploadedFile[]>();
  const nulls = new Set<string>();
  const failures: RuleFailure[] = [];
  for (const [name, { kind = 'text', nulls: nulling }] of Object.entries(fields)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    // An empty text means no file, like an empty file field of a form.
    if (value === null && nulling === 'refused') nulls.add(name);
    if (value === undefined || value === null || (kind === 'file' && value === '')) continue;
    if (kind === 'list' && Array.isArray(value)) texts.set(name, [JSON.stringify(value)]);
    else if (kind === 'flag' && typeof value === 'boolean') texts.set(name, [String(value)]);
    else if (kind === 'text' && typeof value === 'string') texts.set(name, [value]);
    else if (kind === 'file' && typeof value === 'string') {
      if (BASE64.test(value)) files.set(name, [{ bytes: Buffer.from(value, 'base64') }]);
      else failures.push(ruleFailure(name, 'base64'));
    } else failures.push(ruleFailure(name, 'type', { expected: JSON_TYPES[kind] }));
  }
  const form = { texts, files, unreadable: new Set<string>() };
  const input = formInput(form, nulls);
  input.failures.push(...failures);
  return input;
}

// --- internal ---

/** Whether the body of a request is a form. */
function isForm(exchange: Exchange): boolean {
  return /^\s*multipart\//i.test(exchange.header('content-type') ?? '');
}

const CONTROL = /[\0-\x1f\x7f-\x9f]/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const JSON_TYPES = { text: 'string', flag: 'boolean', list: 'array', file: 'string' } as const;

/** The longest text of a form. A list is parsed from its text, and a form may have megabytes. */
const LONGEST_TEXT = 16 * 1024;

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function takeText(form: Form, name: string, { inForm }: Field<unknown>, fail: Fail): unknown {
  const sent = form.texts.get(name) ?? [];
  const isFile = form.files.has(name);
  if (isFile) fail('textPart');
  if (inForm !== 'repeated' && isFile) return undefined;
  if (inForm !== 'repeated' && sent.length > 1) fail('single');
  if (form.unreadable.has(name)) {
    fail('text');
    return undefined;
  }
  if (sent.some((text) => text.length > LONGEST_TEXT)) {
    fail('maxLength', { max: LONGEST_TEXT });
    return undefined;
  }
  if (inForm === 'blank') return sent[0];
  const texts = (inForm === 'repeated' ? sent : sent.slice(0, 1)).filter((text) => !isBlank(text));
  return inForm === 'repeated' && texts.length > 0 ? texts : texts[0];
}

function takeFiles(form: Form, name: string, fail: Fail): readonly UploadedFile[] | undefined {
  if (form.texts.get(name)?.some((text) => text !== '')) fail('file');
  return form.files.get(name);
}
