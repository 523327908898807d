import type { TSchema } from '@sinclair/typebox';
import { invalid } from '../errors/refusal.js';
import type { Exchange } from './exchange.js';
import { type Fields, type FieldValues, readAll, schemaOfFields } from './field.js';
import { type FieldKind, readFields } from './fields.js';
import { BodyReader } from './json-fields.js';
import { FormReader } from './multipart.js';

/** The media types of bodies. */
export type BodyType = 'application/json' | 'multipart/form-data';

/** The body of a request: its description, and its parser. */
export interface BodyInput<Value> {
  readonly content: Readonly<Partial<Record<BodyType, TSchema>>>;
  /** The largest size in bytes, by each of these types. */
  readonly limits: Readonly<Partial<Record<BodyType, number>>>;
  /** Whether the body is optional. */
  readonly optional: boolean;
  /** @throws Refusal VALIDATION_FAILED with all errors; PAYLOAD_TOO_LARGE */
  read(exchange: Exchange): Promise<Value>;
}

/** Bytes of a JSON body of a few short fields. */
export const SMALL_BODY = 16 * 1024;
/** Bytes of a JSON body that holds a document or texts of many pages. */
export const LARGE_BODY = 1024 * 1024;
/** Bytes of a form with files. */
export const FORM_BODY = 10 * 1024 * 1024;

/** A JSON object with those fields; others are ignored. @param limit in bytes; default `SMALL_BODY`. */
export function jsonBody<Named extends Fields<BodyReader>>(
  fields: Named,
  { optional = false, limit = SMALL_BODY } = {},
): BodyInput<FieldValues<Named>> {
  return {
    content: { 'application/json': schemaOfFields(fields) },
    limits: { 'application/json': limit },
    optional,
    async read(exchange) {
      const body = optional ? ((await exchange.optionalJson(limit)) ?? {}) : await exchange.json(limit);
      const reader = new BodyReader(body);
      const values = readAll(fields, reader);
      if (reader.failures.length > 0) throw invalid(reader.failures);
      return values;
    },
  };
}

/**
 * A JSON body with a custom parser, for shapes other than a plain list of fields.
 * @param read gets the limit in bytes; default `SMALL_BODY`.
 */
export function jsonBodyOf<Value>(
  schema: TSchema,
  read: (exchange: Exchange, limit: number) => Promise<Value>,
  { optional = false, limit = SMALL_BODY } = {},
): BodyInput<Value> {
  return {
    content: { 'application/json': schema },
    limits: { 'application/json': limit },
    optional,
    read: (exchange) => read(exchange, limit),
  };
}

/** A field of a form, which may also arrive as JSON. */
export interface FormField<Value> {
  /** The value in a form. */
  readonly schema: TSchema;
  /** The value in JSON. */
  readonly jsonSchema: TSchema;
  readonly required: boolean;
  readonly kind: FieldKind;
  read(form: FormReader, name: string): Value;
}

/** A form with those fields. @param check reports errors between fields. */
export function formBody<Named extends Readonly<Record<string, FormField<unknown>>>>(
  fields: Named,
  check?: (exchange: Exchange, values: FieldValues<Named>, reader: FormReader) => void,
): BodyInput<FieldValues<Named>> {
  return {
    content: { 'multipart/form-data': schemaOfFields(fields) },
    limits: { 'multipart/form-data': FORM_BODY },
    optional: false,
    read: async (exchange) =>
      finish(fields, new FormReader(await exchange.form()), (values, reader) => check?.(exchange, values, reader)),
  };
}

/** A form with those fields, or equivalent JSON. @param jsonLimit bytes of JSON; default `LARGE_BODY`. */
export function formOrJsonBody<Named extends Readonly<Record<string, FormField<unknown>>>>(
  fields: Named,
  jsonLimit = LARGE_BODY,
): BodyInput<FieldValues<Named>> {
  const kinds = Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, kind]));
  const inJson = Object.entries(fields).map(([name, field]) => [name, { ...field, schema: field.jsonSchema }]);
  return {
    content: {
      'multipart/form-data': schemaOfFields(fields),
      'application/json': schemaOfFields(Object.fromEntries(inJson)),
    },
    limits: { 'multipart/form-data': FORM_BODY, 'application/json': jsonLimit },
    optional: false,
    read: async (exchange) => finish(fields, (await readFields(exchange, kinds, jsonLimit)).reader),
  };
}

// --- internal ---

function finish<Named extends Fields<FormReader>>(
  fields: Named,
  reader: FormReader,
  check?: (values: FieldValues<Named>, reader: FormReader) => void,
): FieldValues<Named> {
  const values = readAll(fields, reader);
  check?.(values, reader);
  if (reader.failures.length > 0) throw invalid(reader.failures);
  return values;
}
