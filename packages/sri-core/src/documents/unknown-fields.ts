import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox';
import { nearestWord } from '../nearest-word.js';
import { isWritableText } from './text.js';

/** An unknown field. */
export interface UnknownField {
  /** `items[0].descripton` */
  readonly field: string;
  /** The closest known name; null when none is close. */
  readonly nearest: string | null;
}

/**
 * Creates a function that finds fields that a schema does not have, at every depth, in the order of the schema. The value
 * may be hostile: the function never throws, and reads each name once.
 *
 * A field of value `undefined` does not count: spread objects have such fields.
 */
export function createUnknownFields(schema: TSchema): (value: unknown, path?: string) => Generator<UnknownField> {
  if (KindGuard.IsUnion(schema)) return createUnknownFields(schema.anyOf[0] ?? schema);
  if (KindGuard.IsObject(schema)) return inObject(schema);
  if (KindGuard.IsArray(schema)) return inArray(createUnknownFields(schema.items), schema.maxItems ?? 0);
  return nothing;
}

/** A name as a path shows it: cut, and without control characters for terminals or logs. */
export function shownName(name: string): string {
  const cut = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  return isWritableText(cut) ? cut : cut.replaceAll(/[^\x20-\x7e]/g, '?');
}

// --- internal ---

const LONGEST_NAME = 60;

function* nothing(): Generator<UnknownField> {}

function inObject(schema: TObject): (value: unknown, path?: string) => Generator<UnknownField> {
  const names = Object.keys(schema.properties);
  const known = new Set(names);
  const parts = Object.entries(schema.properties)
    .map(([name, property]) => ({ name, find: createUnknownFields(property) }))
    .filter(({ find }) => find !== nothing);
  return function* find(value, path = '') {
    const prefix = path === '' ? '' : `${path}.`;
    for (const name of namesIn(value)) {
      if (known.has(name) || read(value, name) === undefined) continue;
      yield { field: `${prefix}${shownName(name)}`, nearest: nearestWord(name, names) };
    }
    for (const { name, find: findIn } of parts) {
      const inner = read(value, name);
      if (typeof inner === 'object') yield* findIn(inner, `${prefix}${name}`);
    }
  };
}

function inArray(findIn: ReturnType<typeof createUnknownFields>, most: number): ReturnType<typeof createUnknownFields> {
  return function* find(value, path = '') {
    for (let index = 0; index < most; index += 1) {
      const item = read(value, String(index));
      if (item === undefined) return;
      yield* findIn(item, `${path}[${index}]`);
    }
  };
}

/** The own names of an object; empty when it does not list them. */
function namesIn(value: unknown): readonly string[] {
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}

function read(value: unknown, name: string): unknown {
  try {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}
