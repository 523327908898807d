import type { PoolClient } from 'pg';
import type { LocalizedText } from 'sri-core';
import { SchemaUnusableError } from '../errors.js';

/** The form of a schema's name: no name that PostgreSQL would have to quote or keeps for itself. */
export const SCHEMA_NAME = /^(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,62}$/;

/** The rule of `SCHEMA_NAME` in words. */
export const SCHEMA_NAME_RULE: LocalizedText = {
  es: 'escriba de 1 a 63 letras minúsculas, dígitos o _, sin un dígito al inicio; pg_… e information_schema son de PostgreSQL.',
  en: 'give 1 to 63 lower-case letters, digits or _, without a digit in front; pg_… and information_schema belong to PostgreSQL.',
};

/**
 * The settings of a pg pool whose connections work in one schema. Each connection asks for it as it starts, so that no
 * statement runs outside it. Give the same schema to `createPostgresStorage`, which checks that the server agreed.
 *
 * @param url `postgres://…`; further options in it are kept.
 * @throws SchemaUnusableError for a name that breaks the rule.
 */
export function poolInSchema(
  url: string,
  schema: string,
): { readonly connectionString: string; readonly options: string } {
  requireSchemaName(schema);
  const place = new URL(url);
  const others = place.searchParams.get('options');
  // Options of the address would replace these.
  place.searchParams.delete('options');
  const options = [...(others === null ? [] : [others]), `-c search_path=${schema}`].join(' ');
  return { connectionString: place.href, options };
}

/** @throws SchemaUnusableError for a name that breaks the rule. */
export function requireSchemaName(schema: string): void {
  if (!SCHEMA_NAME.test(schema)) throw new SchemaUnusableError(`The option "schema": ${SCHEMA_NAME_RULE.en}`);
}

/**
 * Checks a new connection. A pool without the option, or a pooler that drops it, would send its statements to another schema.
 *
 * @throws SchemaUnusableError when the connection works elsewhere.
 */
export async function requireSchema(client: PoolClient, schema: string): Promise<void> {
  const { rows } = await client.query<{ search_path: string }>('show search_path');
  if (rows[0]?.search_path.replaceAll('"', '') === schema) return;
  throw new SchemaUnusableError(
    `A new connection does not work in the schema "${schema}": the pool is not that of openPostgresPool(address, ` +
      '{ schema }), or a pooler in between dropped the option search_path. Set it for the account: alter role … set ' +
      'search_path = ….',
  );
}
