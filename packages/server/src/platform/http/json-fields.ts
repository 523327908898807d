import type { TSchema } from '@sinclair/typebox';
import { isWritableText, normalizeText } from 'sri-core';
import { type RuleFailure, ruleFailure } from '../errors/refusal.js';
import * as schemas from '../schema-words.js';
import type { Field } from './field.js';
import type { JsonObject } from './parse-body.js';
import { toUuid } from './uuid.js';

/** Takes fields out of a JSON body and collects their errors. */
export class BodyReader {
  readonly failures: RuleFailure[] = [];
  readonly #body: JsonObject;

  constructor(body: JsonObject) {
    this.#body = body;
  }

  /** The raw value of the field; undefined if it is absent. */
  value(name: string): unknown {
    return Object.hasOwn(this.#body, name) ? this.#body[name] : undefined;
  }

  /** Reports a broken rule of a field. */
  fail(name: string, rule: string, params?: Readonly<Record<string, string | number>>): void {
    this.failures.push(ruleFailure(name, rule, params));
  }
}

/** A field of a JSON body. */
export interface JsonField<Value> extends Field<BodyReader, Value> {
  /** Whether null means absent. */
  readonly nulls: 'absent' | 'refused';
  /** Validates any value. */
  judge(body: BodyReader, name: string, value: unknown): Value;
}

/** How a validator reports errors. */
export type Fail = (rule: string, params?: Readonly<Record<string, string | number>>) => void;

/** An optional field: null if absent or invalid. A blank text counts as absent. */
export function jsonField<Value>(
  schema: TSchema,
  judge: (value: unknown, fail: Fail, body: BodyReader) => Value | null,
  nulls: 'absent' | 'refused' = 'absent',
): JsonField<Value | null> {
  return optionalField(schema, nulls, (body, name, value) =>
    judge(value, (rule, params) => body.fail(name, rule, params), body),
  );
}

/** The same field, required. @param stand replaces an invalid value. */
export function required<Value>(field: JsonField<Value | null>, stand: Value): JsonField<Value> {
  const { anyOf, type, enum: words } = field.schema;
  const plain = {
    ...(Array.isArray(anyOf) && field.nulls === 'absent' ? anyOf[0] : field.schema),
    ...(Array.isArray(type) ? { type: type[0] } : {}),
    ...(Array.isArray(words) ? { enum: words.filter((word) => word !== null) } : {}),
  };
  return {
    ...field,
    schema: plain,
    required: true,
    read(body, name) {
      const value = body.value(name);
      if (value === undefined || (value === null && field.nulls === 'absent')) {
        body.fail(name, 'required');
        return stand;
      }
      return field.judge(body, name, value) ?? stand;
    },
    judge: (body, name, value) => field.judge(body, name, value) ?? stand,
  };
}

/** True or false. */
export function jsonFlag(about: string, nulls: 'absent' | 'refused' = 'refused'): JsonField<boolean | null> {
  return jsonField(
    schemas.flag(about),
    (value, fail) => {
      if (typeof value === 'boolean') return value;
      fail('type', { expected: 'boolean' });
      return null;
    },
    nulls,
  );
}

/** One of a few words. @param rule the rule that another word breaks, with the list `allowed`. */
export function jsonChoice<const Word extends string>(
  words: readonly Word[],
  about: string,
  {
    nulls = 'absent',
    rule = 'choice',
  }: { readonly nulls?: 'absent' | 'refused'; readonly rule?: 'choice' | 'documentType' } = {},
): JsonField<Word | null> {
  return jsonField(
    schemas.oneOf(words, about),
    (value, fail) => {
      const word = words.find((each) => each === value);
      if (word === undefined) fail(rule, { allowed: words.join(', ') });
      return word ?? null;
    },
    nulls,
  );
}

/** Some of a few words. */
export function jsonChoices<const Word extends string>(
  words: readonly Word[],
  about: string,
  { nulls = 'absent', min = 0 }: { readonly nulls?: 'absent' | 'refused'; readonly min?: 0 | 1 } = {},
): JsonField<readonly Word[] | null> {
  const schema = {
    ...schemas.listOf(schemas.oneOf(words, 'One of them.'), about),
    ...(min > 0 ? { minItems: min } : {}),
  };
  return optionalField(schema, nulls, (body, name, value) => {
    if (!Array.isArray(value)) {
      body.fail(name, 'type', { expected: 'array' });
      return null;
    }
    if (value.length < min) body.fail(name, 'minItems', { min });
    return value.flatMap((entry, index): readonly Word[] => {
      const word = words.find((each) => each === entry);
      if (word === undefined) body.fail(`${name}[${index}]`, 'choice', { allowed: words.join(', ') });
      return word === undefined ? [] : [word];
    });
  });
}

/** A whole number within bounds. */
export function jsonInteger(
  bounds: { readonly min: number; readonly max: number },
  about: string,
  { example = bounds.min, nulls = 'absent' }: { readonly example?: number; readonly nulls?: 'absent' | 'refused' } = {},
): JsonField<number | null> {
  const { min, max } = bounds;
  return jsonField(
    schemas.whole(about, example, { minimum: min, maximum: max }),
    (value, fail) => {
      if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
      fail('integer', { min, max });
      return null;
    },
    nulls,
  );
}

/** A line of printable text, of 1 to `max` code points. */
export function jsonLine(max: number, about: string, example: string): JsonField<string | null> {
  return lineOf(max, about, example, (line) => [...line].length);
}

/** A line of text for documents, of 1 to `max` UTF-16 units. */
export function jsonDocumentLine(max: number, about: string, example: string): JsonField<string | null> {
  return lineOf(max, about, example, (line) => line.length);
}

/** Text taken unchanged, of 1 to `max` code points. */
export function jsonText(max: number, about: string, example: string): JsonField<string | null> {
  return jsonField(schemas.text(`${about} At most ${max} characters.`, example), (value, fail) => {
    if (typeof value !== 'string') fail('type', { expected: 'string' });
    else if (value.trim() === '') fail('required');
    else if ([...value].length > max) fail('maxLength', { max });
    else return value;
    return null;
  });
}

/** An id. */
export function jsonId(about: string, nulls: 'absent' | 'refused' = 'absent'): JsonField<string | null> {
  return jsonField(
    schemas.uuid(about),
    (value, fail) => {
      const id = typeof value === 'string' ? toUuid(value) : null;
      if (!id) fail('uuid');
      return id;
    },
    nulls,
  );
}

// --- internal ---

function lineOf(
  max: number,
  about: string,
  example: string,
  measure: (line: string) => number,
): JsonField<string | null> {
  return jsonField(schemas.text(`${about} At most ${max} characters.`, example), (value, fail) => {
    if (typeof value !== 'string') {
      fail('type', { expected: 'string' });
      return null;
    }
    const line = normalizeText(value);
    if (line === '') fail('minLength', { min: 1 });
    else if (!isWritableText(line)) fail('text');
    else if (measure(line) > max) fail('maxLength', { max });
    return line;
  });
}

function optionalField<Value>(
  schema: TSchema,
  nulls: 'absent' | 'refused',
  judge: JsonField<Value | null>['judge'],
): JsonField<Value | null> {
  const isText = schema['type'] === 'string';
  return {
    schema: nulls === 'absent' ? schemas.orNull(schema) : schema,
    required: false,
    nulls,
    judge,
    read(body, name) {
      const value = body.value(name);
      const isBlank = isText && typeof value === 'string' && value.trim() === '';
      const isAbsent = value === undefined || isBlank || (value === null && nulls === 'absent');
      return isAbsent ? null : judge(body, name, value);
    },
  };
}
