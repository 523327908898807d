import { type TSchema, Type } from '@sinclair/typebox';

/**
 * A value that requests carry: what the description of the interface says of it, and how it is read. Both come from one
 * constructor and the same facts, so that they cannot part.
 */
export interface Field<Source, Value> {
  readonly schema: TSchema;
  /** Whether a request without it is refused. */
  readonly required: boolean;
  /** Reads it; what is wrong is noted in the source with everything else that is. */
  read(source: Source, name: string): Value;
}

/** Fields by their names, in the order in which they are read. */
export type Fields<Source> = Readonly<Record<string, Field<Source, unknown>>>;

/** What fields hold once they are read. */
export type FieldValues<Named> = {
  readonly [Name in keyof Named]: Named[Name] extends Field<never, infer Value> ? Value : never;
};

/** Reads every field. What is wrong is in the source. */
export function readAll<Source, Named extends Fields<Source>>(fields: Named, source: Source): FieldValues<Named> {
  const values = Object.entries(fields).map(([name, field]) => [name, field.read(source, name)]);
  // Each field gives what its type says; the entries pair them with their names.
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
