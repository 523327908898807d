import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox';

/**
 * Makes a function that copies what a schema knows of a value into plain data, reading every property once. What comes
 * in may be hostile or odd: getters that throw or change their mind, proxies, sparse or endless arrays, properties
 * that only a polluted prototype has. The copy has none of that, so a check made on it stays true.
 *
 * The copy has every known property, `undefined` where it is absent; an optional one that is null, or an optional text
 * that is blank, counts as absent.
 * What is of a wrong type is for the check to refuse.
 */
export function createPlainCopy(schema: TSchema): (value: unknown) => unknown {
  // The only unions in the schemas are «this part or null», and null is dropped before.
  if (KindGuard.IsUnion(schema)) return createPlainCopy(schema.anyOf[0] ?? schema);
  if (KindGuard.IsObject(schema)) return objectCopy(schema);
  if (KindGuard.IsArray(schema)) return arrayCopy(createPlainCopy(schema.items), schema.maxItems ?? MAX_ITEMS);
  return (value) => value;
}

// --- internal ---

const MAX_ITEMS = 1000;
/** Stand for what could not be read, or is of a wrong type; no schema accepts a symbol. */
const UNREADABLE = Symbol('unreadable');
const MISPLACED = Symbol('misplaced');

function objectCopy(schema: TObject): (value: unknown) => unknown {
  const properties = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    isOptional: KindGuard.IsOptional(property),
    isText: [property['type']].flat().includes('string'),
    copy: createPlainCopy(property),
  }));
  return (value) => {
    if (!isObject(value)) return value;
    if (isArray(value)) return MISPLACED;
    const plain: Record<string, unknown> = {};
    for (const { name, isOptional, isText, copy } of properties) {
      const inner = readOwn(value, name);
      const isAbsent = isOptional && (inner === null || (isText && isBlank(inner)));
      plain[name] = inner === undefined || isAbsent ? undefined : copy(inner);
    }
    return plain;
  };
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function arrayCopy(copy: (value: unknown) => unknown, limit: number): (value: unknown) => unknown {
  return (value) => {
    if (!isArray(value)) return value === null || value === undefined ? value : MISPLACED;
    const length = readLength(value);
    // One more than is allowed is enough to be refused, however long it says it is.
    const count = Math.min(length, limit + 1);
    const plain: unknown[] = [];
    for (let index = 0; index < count; index += 1) plain.push(copy(readElement(value, index)));
    return plain;
  };
}

function readOwn(owner: Readonly<Record<string, unknown>>, name: string): unknown {
  try {
    return Object.hasOwn(owner, name) ? owner[name] : undefined;
  } catch {
    return UNREADABLE;
  }
}

function readElement(list: readonly unknown[], index: number): unknown {
  try {
    return Object.hasOwn(list, index) ? list[index] : undefined;
  } catch {
    return UNREADABLE;
  }
}

/** What the list says its length is; 0 where it says nothing of use. */
function readLength(list: readonly unknown[]): number {
  try {
    const { length } = list;
    return typeof length === 'number' && length > 0 ? length : 0;
  } catch {
    return 0;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** `Array.isArray`, which throws on a revoked proxy. */
function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
