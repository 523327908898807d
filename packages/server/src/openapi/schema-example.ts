import { isMembers, type Json, type JsonMembers, type NamedSchemas } from './json-schema.js';

/** An example value of a schema, built from the examples of its parts. */
export function exampleOf(schema: JsonMembers, named: NamedSchemas): Json {
  const { $ref: reference, examples, const: only, default: usual, enum: words, anyOf, oneOf, type } = schema;
  // A file part of a form has no text.
  if (schema['contentMediaType'] === 'application/octet-stream') return '(the bytes of the file)';
  if (typeof reference === 'string') return exampleOf(named.get(reference.split('/').at(-1) ?? '') ?? {}, named);
  if (Array.isArray(examples) && examples.length > 0) return examples[0] ?? null;
  if (only !== undefined) return only;
  if (usual !== undefined) return usual;
  if (Array.isArray(words)) return words[0] ?? null;
  const [choice] = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  if (isMembers(choice)) return exampleOf(choice, named);
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === 'array') return isMembers(schema['items']) ? [exampleOf(schema['items'], named)] : [];
  if (kind === 'object') return exampleOfObject(schema, named);
  return kind === 'string' ? 'AAAA' : null;
}

// --- internal ---

function exampleOfObject({ properties }: JsonMembers, named: NamedSchemas): Json {
  if (!isMembers(properties)) return {};
  const shown = Object.entries(properties).flatMap(([name, schema]) =>
    isMembers(schema) ? [[name, exampleOf(schema, named)] as const] : [],
  );
  return Object.fromEntries(shown);
}
