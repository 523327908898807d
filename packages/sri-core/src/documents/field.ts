import { Kind, type TSchema, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox';
import { toIsoDate } from '../calendar.js';
import { isWritableText, normalizeText } from './text.js';

/** The broken rule of a value, with its parameters. */
export interface Fault {
  readonly rule: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** The first rule that the value breaks; null for a valid value. Never reads into an object, so it cannot throw. */
type Judge = (value: unknown) => Fault | null;

interface FieldTexts {
  readonly description: string;
  readonly example: string | number | boolean;
}

/**
 * A text of 1 to `max` characters after normalising. Length counts UTF-16 units, as the SRI's Java validator does: an emoji
 * is two.
 */
export function textField(options: FieldTexts & { readonly max: number }): TUnsafe<string> {
  const { max } = options;
  return field<string>({ type: 'string', minLength: 1, maxLength: max, ...words(options) }, (value) => {
    if (typeof value !== 'string') return wrongType('string');
    if (!isWritableText(value)) return { rule: 'text' };
    const { length } = normalizeText(value);
    if (length < 1) return { rule: 'minLength', params: { min: 1 } };
    return length > max ? { rule: 'maxLength', params: { max } } : null;
  });
}

/** A decimal number as text, never a JSON number: at most 12 digits before the point. */
export function decimalField(options: FieldTexts & { readonly decimals: 2 | 6 }): TUnsafe<string> {
  const pattern = `^[0-9]{1,12}(\\.[0-9]{1,${options.decimals}})?$`;
  const form = new RegExp(pattern);
  const fault: Fault = { rule: 'decimal', params: { decimals: options.decimals } };
  return field<string>({ type: 'string', pattern, ...words(options) }, (value) =>
    typeof value === 'string' && form.test(value) ? null : fault,
  );
}

/** A percentage, or dollars per unit. The schemas give it four digits in all, or three; two of them are decimals. */
export function rateField(options: FieldTexts & { readonly digits?: 3 | 4 }): TUnsafe<string> {
  const { digits = 4 } = options;
  const pattern = RATES[digits];
  const form = new RegExp(pattern);
  const fault: Fault =
    digits === 4 ? { rule: 'decimal', params: { decimals: 2 } } : { rule: 'digits', params: { digits } };
  return field<string>({ type: 'string', pattern, ...words(options) }, (value) =>
    typeof value === 'string' && form.test(value) ? null : fault,
  );
}

/** One of a few codes; `catalog` names their public table, when there is one. */
export function codeField<const Code extends string>(
  options: FieldTexts & { readonly catalog?: string; readonly codes: readonly { readonly code: Code }[] },
): TUnsafe<Code> {
  const codes = options.codes.map((entry) => entry.code);
  const known: ReadonlySet<unknown> = new Set(codes);
  const fault: Fault = options.catalog
    ? { rule: 'catalog', params: { catalog: options.catalog } }
    : { rule: 'oneOf', params: { values: codes.join(', ') } };
  return field<Code>({ type: 'string', enum: codes, ...words(options) }, (value) => {
    if (typeof value !== 'string') return wrongType('string');
    return known.has(value) ? null : fault;
  });
}

/** A text of a fixed form; `form` shows the form to people. */
export function patternField(
  options: FieldTexts & { readonly pattern: string; readonly form: string },
): TUnsafe<string> {
  const form = new RegExp(options.pattern);
  return field<string>({ type: 'string', pattern: options.pattern, ...words(options) }, (value) => {
    if (typeof value !== 'string') return wrongType('string');
    return form.test(value) ? null : { rule: 'pattern', params: { form: options.form } };
  });
}

/** A day of this century as the SRI writes it, `DD/MM/YYYY`. */
export function dateField(options: FieldTexts): TUnsafe<string> {
  const pattern = '^[0-9]{2}/[0-9]{2}/20[0-9]{2}$';
  const form = new RegExp(pattern);
  return field<string>({ type: 'string', pattern, ...words(options) }, (value) => {
    if (typeof value !== 'string') return wrongType('string');
    return form.test(value) && toIsoDate(value) ? null : { rule: 'date' };
  });
}

/**
 * One plain address, `local@domain`: no display name, quotes, comments or line breaks. At most `max` characters, 254 by
 * default.
 */
export function emailField(options: FieldTexts & { readonly max?: number }): TUnsafe<string> {
  const { max = 254 } = options;
  return field<string>({ type: 'string', format: 'email', maxLength: max, ...words(options) }, (value) => {
    if (typeof value !== 'string') return wrongType('string');
    return value.length <= max && LOCAL_PART.test(value) && DOMAIN.test(value) ? null : { rule: 'email' };
  });
}

/** A JSON number of 0 or more with at most two decimals. */
export function numberField(options: FieldTexts & { readonly max: number }): TUnsafe<number> {
  const { max } = options;
  return field<number>({ type: 'number', minimum: 0, maximum: max, ...words(options) }, (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType('number');
    return value >= 0 && value <= max && /^[0-9]+(\.[0-9]{1,2})?$/.test(String(value))
      ? null
      : { rule: 'range', params: { min: 0, max, decimals: 2 } };
  });
}

/** True or false. */
export function booleanField(options: FieldTexts): TUnsafe<boolean> {
  return field<boolean>({ type: 'boolean', ...words(options) }, (value) =>
    typeof value === 'boolean' ? null : wrongType('boolean'),
  );
}

/** An optional text field. Null and blank text count as absent. */
export function optional<T>({ minLength: _, ...schema }: TUnsafe<T>) {
  const type = typeof schema['type'] === 'string' ? { type: [schema['type'], 'null'] } : {};
  const choice = Array.isArray(schema['enum']) ? { enum: [...schema['enum'], null] } : {};
  return Type.Optional(Type.Unsafe<T | null>({ ...schema, ...type, ...choice }));
}

/** An optional list or object. Null counts as absent. */
export function optionalPart<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

/** The broken rule of a field made here; null for a valid value, undefined when the schema is another kind. */
export function judgeField(schema: TSchema, value: unknown): Fault | null | undefined {
  const judge: unknown = Reflect.get(schema, JUDGE);
  if (typeof judge !== 'function') return undefined;
  return value === undefined || value === null ? { rule: 'required' } : judge(value);
}

/** Registers the fields with TypeBox. Runs before a schema with them is compiled. */
export function registerFields(): void {
  TypeRegistry.Set<TSchema>(FIELD, (schema, value) => judgeField(schema, value) === null);
}

// --- internal ---

// Fields are a custom kind because JSON Schema cannot express their rules: lengths after normalising, codes of dated tables,
// real days. Their names are global, so that two copies of this package agree.
const FIELD = 'sri-core:field';
const JUDGE = Symbol.for('sri-core:judge');

/** Rates by their most digits, zeros at the end apart. */
const RATES = {
  3: '^([0-9](\\.[0-9]{1,2})?|[0-9]{2}(\\.[0-9]0?)?|[0-9]{3}(\\.00?)?)$',
  4: '^([0-9]{1,2}(\\.[0-9]{1,2})?|[0-9]{3}(\\.[0-9]0?)?|[0-9]{3,4}(\\.00?)?)$',
} as const;

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@/;
const DOMAIN =
  /^[^@]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

function field<T>(json: Readonly<Record<string, unknown>>, judge: Judge): TUnsafe<T> {
  return Type.Unsafe<T>({ ...json, [Kind]: FIELD, [JUDGE]: judge });
}

function words(options: FieldTexts) {
  return { description: options.description, examples: [options.example] };
}

function wrongType(expected: 'string' | 'number' | 'boolean'): Fault {
  return { rule: 'type', params: { expected } };
}
