import { type LocalizedText, SriError } from 'sri-core';

/** The tables do not exist: `migrate()` has not run on this storage. */
export class StorageNotMigratedError extends SriError {
  readonly code = 'STORAGE_NOT_MIGRATED';

  constructor(options: ErrorOptions) {
    super('The tables are not there yet: call migrate() on the storage once, before it is used.', options);
  }
}

/** The database was migrated by a newer version of this software; the older one must not write to it. */
export class SchemaTooNewError extends SriError {
  readonly code = 'STORAGE_SCHEMA_TOO_NEW';
  /** Migrations found in the database that this version does not know. */
  readonly unknownMigrations: readonly string[];
  /** The message in both languages. */
  readonly texts: LocalizedText;

  constructor(namespace: string, unknownMigrations: readonly string[]) {
    const names = unknownMigrations.join(', ');
    const texts = {
      es: `La base de datos tiene migraciones de «${namespace}» que esta versión no conoce (${names}). Use la versión nueva, o restaure el respaldo de antes de la actualización.`,
      en: `The database holds migrations of "${namespace}" that this version does not know (${names}). Run the newer version, or restore the backup made before the upgrade.`,
    };
    super(texts.en);
    this.unknownMigrations = unknownMigrations;
    this.texts = texts;
  }
}

/** The schema of the storage is unusable: its name breaks the rule, or connections work in another one. */
export class SchemaUnusableError extends SriError {
  readonly code = 'STORAGE_SCHEMA_UNUSABLE';
}

/** The address of PostgreSQL is not usable. The message has the rule, and no part of the address. */
export class ServerAddressError extends SriError {
  readonly code = 'DATABASE_ADDRESS_INVALID';
  /** What to write instead. */
  readonly rule: LocalizedText;

  constructor(rule: LocalizedText) {
    super(`The address of PostgreSQL (DATABASE_URL): ${rule.en}`);
    this.rule = rule;
  }
}
