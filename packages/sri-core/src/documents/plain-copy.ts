import { KindGuard, type TObject, type TSchema } from '@sinclair/typebox';

/**
 * Creates a function that copies the known properties of a value into plain data and reads each property once. The input may
 * be hostile: getters that throw or change, proxies, sparse or endless arrays, a polluted prototype. The copy has none of
 * these, so that a check of it stays valid.
 *
 * The copy has every known property, `undefined` when it is absent. A null optional property, or a blank optional text,
 * counts as absent.
 * The check rejects wrong types.
 */
export function createPlainCopy(schema: TSchema): (value: unknown) => unknown {
  // The only unions in the schemas are «this part or null», and null is already dropped.
  if (KindGuard.IsUnion(schema)) return createPlainCopy(schema.anyOf[0] ?? schema);
  if (KindGuard.IsObject(schema)) return objectCopy(schema);
  if (KindGuard.IsArray(schema)) return arrayCopy(createPlainCopy(schema.items), schema.maxItems ?? MAX_ITEMS);
  return (value) => value;
}

// --- internal ---

const MAX_ITEMS = 1000;
/** Placeholders for an unreadable value and for a wrong type. No schema accepts a symbol. */
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
    // One entry above the limit is enough for rejection, whatever length the list reports.
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

/** The reported length of the list; 0 when it is unusable. */
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

/** `Array.isArray`, except that it does not throw on a revoked proxy. */
function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
