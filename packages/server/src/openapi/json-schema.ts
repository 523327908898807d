import type { TSchema } from '@sinclair/typebox';

/** Plain JSON, the values of the description. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A JSON object. */
export type JsonMembers = { readonly [name: string]: Json };

/** Where the description keeps named schemas. */
export type NamedSchemas = Map<string, JsonMembers>;

/**
 * A schema as in the description: named schemas are added to `named` and referenced.
 * @throws Error if two different schemas have the same name.
 */
export function toJsonSchema(schema: TSchema, named: NamedSchemas): JsonMembers {
  // TypeBox keeps its own data under symbols, and JSON has no symbols.
  const plain: unknown = JSON.parse(JSON.stringify(schema));
  if (!isMembers(plain)) throw new Error('A schema is an object.');
  return hoist(plain, named);
}

/** Whether the value is a JSON object. */
export function isMembers(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// --- internal ---

function hoist({ $id: name, ...schema }: JsonMembers, named: NamedSchemas): JsonMembers {
  const shown = mapMembers(schema, (value) => hoistIn(value, named));
  if (typeof name !== 'string') return shown;
  const known = named.get(name);
  if (known && JSON.stringify(known) !== JSON.stringify(shown)) throw new Error(`Two schemas are named ${name}.`);
  named.set(name, shown);
  return { $ref: `#/components/schemas/${name}` };
}

function hoistIn(value: Json, named: NamedSchemas): Json {
  if (Array.isArray(value)) return value.map((entry) => hoistIn(entry, named));
  return isMembers(value) ? hoist(value, named) : value;
}

function mapMembers(members: JsonMembers, map: (value: Json) => Json): JsonMembers {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]));
}
