import { type Static, type TObject, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';

// The building blocks of the interface's schemas. Each has a description and an example, so that every example in the
// interface's description follows from them.

/** The type of a schema's value, for code that builds it. */
export type Shown<T extends TSchema> = DeepReadonly<Static<T>>;

/** A text. */
export function text(description: string, example: string, rules: { readonly maxLength?: number } = {}) {
  return Type.String({ ...rules, description, examples: [example] });
}

/** A text of a fixed form. */
export function textOfForm(pattern: string, description: string, example: string) {
  return Type.String({ pattern, description, examples: [example] });
}

/** An id. */
export function uuid(description: string) {
  return Type.String({ format: 'uuid', description, examples: ['0197f3a0-c5d2-7b1e-8f00-3c2a9d4e5f60'] });
}

/** A moment in ISO 8601. */
export function timestamp(description: string, example = '2026-11-21T15:00:00.000Z') {
  return Type.String({ format: 'date-time', description, examples: [example] });
}

/** A day as documents carry it, `DD/MM/YYYY`. */
export function issueDate(description: string) {
  return textOfForm('^[0-9]{2}/[0-9]{2}/[0-9]{4}$', description, '21/11/2026');
}

/** An amount as exact decimal text. */
export function money(description: string, example = '11.50') {
  return textOfForm('^[0-9]+(\\.[0-9]+)?$', description, example);
}

/** The 49 digits that name a document. */
export function accessKeyText(description: string) {
  return textOfForm('^[0-9]{49}$', description, '2111202601179001234500110010020000000011234567819');
}

/** A whole number. */
export function whole(
  description: string,
  example: number,
  bounds: { readonly minimum?: number; readonly maximum?: number } = {},
) {
  return Type.Integer({ ...bounds, description, examples: [example] });
}

/** A number with decimals; amounts of documents are texts instead. */
export function decimal(description: string, example: number) {
  return Type.Number({ description, examples: [example] });
}

/** True or false. */
export function flag(description: string, example = true) {
  return Type.Boolean({ description, examples: [example] });
}

/** One of a few words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  description: string,
  example: NoInfer<Word> | undefined = words[0],
): TUnsafe<Word> {
  return Type.Unsafe<Word>({ type: 'string', enum: [...words], description, examples: [example] });
}

/** The schema's value, or null. */
export function orNull<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { description, examples, type, enum: words, $id } = schema as TSchema & Readonly<Record<string, unknown>>;
  if (typeof type !== 'string' || $id !== undefined || type === 'object') {
    return Type.Unsafe<Static<T> | null>({
      anyOf: [schema, { type: 'null' }],
      ...(description ? { description } : {}),
    });
  }
  const choice = Array.isArray(words) ? { enum: [...words, null] } : {};
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type, 'null'], ...choice, description, examples });
}

/** A list. */
export function listOf<T extends TSchema>(items: T, description: string) {
  return Type.Array(items, { description });
}

/** A field that may be absent. */
export function maybe<T extends TSchema>(schema: T) {
  return Type.Optional(schema);
}

/** An object. */
export function part<Properties extends Record<string, TSchema>>(description: string, properties: Properties) {
  return Type.Object(properties, { description });
}

/** An object with a name in the description of the interface. */
export function named<Properties extends Record<string, TSchema>>(
  name: string,
  description: string,
  properties: Properties,
) {
  return Type.Object(properties, { $id: name, title: name, description });
}

/** An object whose members depend on its subject. */
export function anyObject(description: string, example: Readonly<Record<string, unknown>> = {}) {
  return Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    description,
    examples: [example],
  });
}

/** The body of most answers: `ok` next to the requested data. */
export function okBody<Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Object({ ok: Type.Literal(true), ...properties });
}

/** The position in a paged list. */
export const paginationSchema = named('Pagination', 'Which page of a list this is.', {
  total: whole('How many there are in all.', 1, { minimum: 0 }),
  page: whole('The page, from 1.', 1, { minimum: 1 }),
  limit: whole('How many a page has.', 10, { minimum: 1 }),
});

/** A record as its schema shows it: the fields of the schema and no others, moments in ISO 8601. */
export function show<T extends TObject>({ properties }: T, record: Showable<Shown<T>>): Shown<T> {
  const values: Readonly<Record<string, unknown>> = record;
  const named = Object.keys(properties).filter((name) => values[name] !== undefined);
  const shown = named.map((name) => [name, values[name] instanceof Date ? values[name].toISOString() : values[name]]);
  // The record has each field of the schema, with a value of its type or a moment.
  return Object.fromEntries(shown) as Shown<T>;
}

// --- internal ---

/** A record with some fields; a text may be a moment. */
type Showable<Body> = {
  readonly [Name in keyof Body]: Body[Name] | (string extends Extract<Body[Name], string> ? Date : never);
};

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;
