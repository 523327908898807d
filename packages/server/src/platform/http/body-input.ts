import type { TSchema } from '@sinclair/typebox';
import { invalid } from '../errors/refusal.js';
import type { Exchange } from './exchange.js';
import { type Fields, type FieldValues, type Input, schemaOfFields } from './field.js';
import { formInput, formOrJsonInput, jsonInput } from './inputs.js';

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

/** The further properties of a body of fields. */
interface BodyOptions<Named> {
  /** Fields as the description shows them, where they differ. */
  readonly described?: Fields;
  /** Reports errors between fields, and errors that depend on the server. */
  readonly check?: (values: FieldValues<Named>, input: Input, exchange: Exchange) => void;
}

/** A JSON object with some fields; other fields are ignored. @param limit in bytes; default `SMALL_BODY`. */
export function jsonBody<Named extends Fields>(
  fields: Named,
  {
    optional = false,
    limit = SMALL_BODY,
    described,
    check,
  }: BodyOptions<Named> & { readonly optional?: boolean; readonly limit?: number } = {},
): BodyInput<FieldValues<Named>> {
  return {
    content: { 'application/json': schemaOfFields({ ...fields, ...described }) },
    limits: { 'application/json': limit },
    optional,
    async read(exchange) {
      const body = optional ? ((await exchange.optionalJson(limit)) ?? {}) : await exchange.json(limit);
      return readBody(exchange, fields, jsonInput(body), check);
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

/** A form with some fields. */
export function formBody<Named extends Fields>(
  fields: Named,
  { described, check }: BodyOptions<Named> = {},
): BodyInput<FieldValues<Named>> {
  return {
    content: { 'multipart/form-data': schemaOfFields({ ...fields, ...described }, 'form') },
    limits: { 'multipart/form-data': FORM_BODY },
    optional: false,
    read: async (exchange) => readBody(exchange, fields, formInput(await exchange.form()), check),
  };
}

/** A form with some fields, or equivalent JSON of at most `LARGE_BODY`. */
export function formOrJsonBody<Named extends Fields>(
  fields: Named,
  { described, check }: BodyOptions<Named> = {},
): BodyInput<FieldValues<Named>> {
  const shown = { ...fields, ...described };
  return {
    content: { 'multipart/form-data': schemaOfFields(shown, 'form'), 'application/json': schemaOfFields(shown) },
    limits: { 'multipart/form-data': FORM_BODY, 'application/json': LARGE_BODY },
    optional: false,
    read: async (exchange) => readBody(exchange, fields, await formOrJsonInput(exchange, fields, LARGE_BODY), check),
  };
}

// --- internal ---

function readBody<Named extends Fields>(
  exchange: Exchange,
  fields: Named,
  input: Input,
  check: BodyOptions<Named>['check'],
): FieldValues<Named> {
  const values = input.readAll(fields);
  check?.(values, input, exchange);
  if (input.failures.length > 0) throw invalid(input.failures);
  return values;
}
