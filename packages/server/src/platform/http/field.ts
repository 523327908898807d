import { type TSchema, Type } from '@sinclair/typebox';
import { MAX_FAILURES, type RuleFailure, ruleFailure } from '../errors/refusal.js';
import { orNull } from '../schema-words.js';

/** Reports a broken rule of a field. @param at the place inside the field, such as `[2].sequential`. */
export type Fail = (rule: string, params?: Readonly<Record<string, string | number>>, at?: string) => void;

/** How a form or a JSON body carries a value. In a form, a list is JSON text; in JSON, a file is base64. */
export type FieldKind = 'text' | 'flag' | 'list' | 'file';

/**
 * A value in requests, in whatever place: path, query, header, JSON or form. One constructor creates schema and parser
 * from the same facts, so that they cannot differ.
 */
export interface Field<Value> {
  /** The value as a text of a path, query, header or form, and in JSON unless `jsonSchema` is there. Without null. */
  readonly schema: TSchema;
  /** The value in JSON, null included, where it differs. */
  readonly jsonSchema?: TSchema;
  /** Whether a request without it is rejected. */
  readonly required: boolean;
  /** Whether null in JSON counts as absent; otherwise the parser gets it. Default `absent`. */
  readonly nulls?: 'absent' | 'refused';
  /** Default `text`. */
  readonly kind?: FieldKind;
  /** In forms: a blank text is a value, or each of the repeated texts is one. Default: a single text that is not blank. */
  readonly inForm?: 'blank' | 'repeated';
  /** The value without one, and in the place of an invalid one. */
  readonly absent: Value;
  /** Validates and converts a value that is not absent. */
  parse(sent: unknown, fail: Fail): Value | null;
}

/** Fields by name, in the order in which they are read. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of fields. */
export type FieldValues<Named> = {
  readonly [Name in keyof Named]: Named[Name] extends Field<infer Value> ? Value : never;
};

/** The values of one place of a request, with the errors found so far. */
export class Input {
  readonly failures: RuleFailure[] = [];
  readonly #prefix: string;
  readonly #take: (name: string, field: Field<unknown>, fail: Fail) => unknown;

  /** @param take the value as sent; undefined if it is absent or unreadable, which it reports. */
  constructor(prefix: string, take: (name: string, field: Field<unknown>, fail: Fail) => unknown) {
    this.#prefix = prefix;
    this.#take = take;
  }

  /** Reads a field and reports its errors. */
  read<Value>(name: string, field: Field<Value>): Value {
    const fail: Fail = (rule, params, at = '') => this.fail(`${name}${at}`, rule, params);
    const sent = this.#take(name, field, fail);
    if (sent !== undefined) return field.parse(sent, fail) ?? field.absent;
    if (field.required) fail('required');
    return field.absent;
  }

  /** Reads every field. */
  readAll<Named extends Fields>(fields: Named): FieldValues<Named> {
    const values = Object.entries(fields).map(([name, field]) => [name, this.read(name, field)]);
    // Each field returns a value of its type; the entries pair the values with their names.
    return Object.fromEntries(values) as FieldValues<Named>;
  }

  /** Reports a broken rule. A field with another error is not missing. */
  fail(name: string, rule: string, params?: Readonly<Record<string, string | number>>): void {
    // A large list may break a rule with every entry.
    if (this.failures.length >= MAX_FAILURES) return;
    const field = `${this.#prefix}${name}`;
    if (rule === 'required' && this.failures.some((failure) => failure.field === field)) return;
    this.failures.push(ruleFailure(field, rule, params));
  }
}

/** An optional field: null if it is absent or invalid. */
export function optional<Value>(
  schema: TSchema,
  parse: Field<Value | null>['parse'],
  rest: Partial<Field<Value | null>> = {},
): Field<Value | null> {
  return { schema, required: false, absent: null, parse, ...rest };
}

/** An optional text in another form. @param read the value; null if the text breaks the rule. */
export function textAs<Value>(
  schema: TSchema,
  read: (sent: string) => Value | null,
  [rule, params]: Readonly<Parameters<Fail>>,
  rest: Partial<Field<Value | null>> = {},
): Field<Value | null> {
  const parse = (sent: unknown, fail: Fail) => {
    const value = typeof sent === 'string' ? read(sent) : null;
    if (value === null) fail(rule, params);
    return value;
  };
  return optional(schema, parse, rest);
}

/** The same field, required. */
export function required<Value>(field: Field<Value | null>): Field<Value> {
  // The request is rejected before the value of a missing or invalid field reaches a handler.
  return { ...field, required: true } as Field<Value>;
}

/** The schema of an object with some fields. */
export function schemaOfFields(fields: Fields, place: 'json' | 'form' = 'json'): TSchema {
  const properties = Object.entries(fields).map(([name, field]) => {
    const schema = place === 'json' ? jsonSchemaOf(field) : field.schema;
    return [name, field.required ? schema : Type.Optional(schema)];
  });
  return Type.Object(Object.fromEntries(properties));
}

/** The schema of a field in JSON. */
export function jsonSchemaOf({ schema, jsonSchema, required, nulls }: Field<unknown>): TSchema {
  return jsonSchema ?? (required || nulls === 'refused' ? schema : orNull(schema));
}
