import { type TSchema, Type } from '@sinclair/typebox';

/**
 * A value in requests: its schema in the description, and its parser. One constructor creates both from the same facts,
 * so that they cannot differ.
 */
export interface Field<Source, Value> {
  readonly schema: TSchema;
  /** Whether a request without it is rejected. */
  readonly required: boolean;
  /** Reads it; reports an error to the source, together with all others. */
  read(source: Source, name: string): Value;
}

/** Fields by name, in the order in which they are read. */
export type Fields<Source> = Readonly<Record<string, Field<Source, unknown>>>;

/** The values of fields. */
export type FieldValues<Named> = {
  readonly [Name in keyof Named]: Named[Name] extends Field<never, infer Value> ? Value : never;
};

/** Reads every field. Errors are in the source. */
export function readAll<Source, Named extends Fields<Source>>(fields: Named, source: Source): FieldValues<Named> {
  const values = Object.entries(fields).map(([name, field]) => [name, field.read(source, name)]);
  // Each field returns a value of its type; the entries pair the values with their names.
  return Object.fromEntries(values) as FieldValues<Named>;
}

/** The schema of an object with those fields. */
export function schemaOfFields(fields: Fields<never>): TSchema {
  const properties = Object.entries(fields).map(([name, { schema, required }]) => [
    name,
    required ? schema : Type.Optional(schema),
  ]);
  return Type.Object(Object.fromEntries(properties));
}
