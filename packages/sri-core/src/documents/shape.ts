import type { Static, TSchema } from '@sinclair/typebox';
import { TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { Check } from '@sinclair/typebox/value';
import { type Fault, judgeField, registerFields } from './field.js';
import { MAX_FINDINGS } from './findings.js';
import { createPlainCopy } from './plain-copy.js';
import { createUnknownFields, type UnknownField } from './unknown-fields.js';

/** A compiled schema: copies a value into plain data and validates the copy. */
export interface Shape<T extends TSchema> {
  /** The known properties of the value, as plain data. */
  copy(value: unknown): unknown;
  /** Whether a copy matches the schema. */
  fits(copy: unknown): copy is Static<T>;
  /** The fields of any value that the schema does not have. */
  unknown(value: unknown): Generator<UnknownField>;
  /** The failures of a copy, in the schema's order: one per field, up to the report's limit. */
  faults(copy: unknown): Generator<{ readonly field: string; readonly fault: Fault }>;
}

/** The shape of a schema. It compiles on first use, so that importing this library stays cheap. */
export function createShape<T extends TSchema>(schema: T): Shape<T> {
  let compiled: Compiled<T> | undefined;
  const ready = () => {
    if (!compiled) {
      registerFields();
      compiled = { check: compile(schema), copy: createPlainCopy(schema), unknown: createUnknownFields(schema) };
    }
    return compiled;
  };
  return {
    copy: (value) => ready().copy(value),
    unknown: (value) => ready().unknown(value),
    fits: (copy): copy is Static<T> => ready().check.Check(copy),
    *faults(copy) {
      const seen = new Set<string>();
      for (const error of flatten(ready().check.Errors(copy))) {
        const field = toFieldPath(error.path);
        if (seen.has(field)) continue;
        seen.add(field);
        if (seen.size > MAX_FINDINGS) return;
        yield { field, fault: toFault(error) };
      }
    },
  };
}

/** The entries of a list in a copy of any shape; empty without such a list. */
export function entriesOf(copy: unknown, name: string): readonly unknown[] {
  const list: unknown = typeof copy === 'object' && copy ? Reflect.get(copy, name) : null;
  return Array.isArray(list) ? list : [];
}

// --- internal ---

interface Compiled<T extends TSchema> {
  readonly check: TypeCheck<T>;
  readonly copy: (value: unknown) => unknown;
  readonly unknown: (value: unknown) => Generator<UnknownField>;
}

/** Compiles a schema. A process that forbids code from texts (`--disallow-code-generation-from-strings`) interprets it. */
function compile<T extends TSchema>(schema: T): TypeCheck<T> {
  try {
    return TypeCompiler.Compile(schema);
  } catch {
    return new TypeCheck(schema, [], (value) => Check(schema, value), '');
  }
}

/** Looks into «this part or null»: the failures of the part count. */
function* flatten(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    const part = error.type === ValueErrorType.Union ? error.errors[0] : undefined;
    if (part) yield* flatten(part);
    else yield error;
  }
}

/** `/items/0/taxes/1/rate` → `items[0].taxes[1].rate`; the whole body is `body`. */
function toFieldPath(pointer: string): string {
  if (pointer === '') return 'body';
  return pointer
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
}

function toFault(error: ValueError): Fault {
  const fault = judgeField(error.schema, error.value);
  if (fault) return fault;
  if (error.value === undefined || error.value === null) return { rule: 'required' };
  switch (error.type) {
    case ValueErrorType.ArrayMinItems:
      return { rule: 'minItems', params: { min: Number(error.schema['minItems']) } };
    case ValueErrorType.ArrayMaxItems:
      return { rule: 'maxItems', params: { max: Number(error.schema['maxItems']) } };
    case ValueErrorType.Array:
      return { rule: 'type', params: { expected: 'array' } };
    default:
      return { rule: 'type', params: { expected: 'object' } };
  }
}
