import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import {
  type Clock,
  createUuidSource,
  type LocalizedText,
  type Occupancies,
  type Random,
  type Storage,
  StorageUnavailableError,
  systemRandom,
} from 'sri-core';
import {
  CORE_MIGRATIONS,
  type CoreTables,
  type KyselyStorage,
  pendingMigrations,
  runMigrations,
} from 'sri-storage-adapters';
import { createDocumentCounter } from './billing/document-quota.js';
import type { Config } from './config/config.js';
import { createJoinCommit } from './documents-on-commit.js';
import { SERVER_MIGRATIONS } from './migrations.js';
import type { PublishingDeps } from './notifications/publish.js';
import { ConfigError } from './platform/config-values.js';
import {
  type ConnectionFigures,
  type OpenedStorage,
  openFile,
  openServer,
} from './platform/database/database-connections.js';
import type { ServerDatabase, ServerTables } from './platform/database/tables.js';
import { createWriteProbe } from './platform/database/write-probe.js';
import { LocalizedError } from './platform/language.js';
import { type AlsoWrites, moveCounter, toServerDatabase } from './server-database.js';
import { announceNotifications } from './webhooks/announce.js';

/** An opened, migrated database. */
export interface OpenedDatabase {
  /** Core's part of it. */
  readonly storage: Storage;
  /** The server's own part of it. */
  readonly database: ServerDatabase;
  /** Records events in the transaction that causes them. */
  readonly publishing: PublishingDeps;
  /** The connections, and the requests that wait for one; null if the database is a file. */
  connections(): ConnectionFigures | null;
  /** The version of the built-in SQLite; null for another database. */
  readonly sqliteVersion: string | null;
  /** The bounded caches of the storage and of the counts that join its commits. */
  readonly occupancies: Occupancies;
  /** Its display name, without a password. */
  readonly place: string;
  /**
   * A read over a separate connection, which waits for no other work of this process: its duration measures the
   * database and not the server's load.
   */
  readonly readAside: ServerDatabase['read'];
  /** Reads over that connection. @throws if the database does not answer, or its tables are of another version. */
  check(): Promise<void>;
  /** Writes over that connection. @throws WritesRefusedError if the database would not keep a write. */
  checkWrites(): Promise<void>;
  close(): Promise<void>;
}

/** Options of opening a database. */
export interface OpenOptions {
  /** False leaves tables unchanged, and creates no missing file. Default true. */
  readonly migrate?: boolean;
  /** True also leaves tables unchanged, and makes the database itself reject every write. */
  readonly readOnly?: boolean;
  /** A SQLite file of up to 1 GiB is checked before it is used. */
  readonly looksThrough?: boolean;
  /** A statement may take minutes, because an operator waits for it. */
  readonly isPatient?: boolean;
  /** For the ids of notifications and mails. Default: the system's. */
  readonly random?: Random;
}

/**
 * Opens the configured database, SQLite or PostgreSQL, and migrates its tables.
 * @throws DatabaseNotReadyError if the tables are left unchanged and are of another version; StorageUnavailableError or
 * the driver's error if it cannot be opened; DatabaseDamagedError; SchemaTooNewError if a newer version has used it;
 * ConfigError if the file was moved into PostgreSQL.
 */
export async function openDatabase(
  config: Pick<
    Config,
    | 'databaseUrl'
    | 'databaseSchema'
    | 'dataDir'
    | 'quotaEnforcement'
    | 'notificationTtlMs'
    | 'reservedNotifications'
    | 'plans'
  >,
  clock: Clock,
  {
    migrate = true,
    readOnly = false,
    looksThrough = false,
    isPatient = false,
    random = systemRandom,
  }: OpenOptions = {},
): Promise<OpenedDatabase> {
  const url = databaseUrlOf(config);
  const path = sqlitePathOf(config);
  const leavesTables = readOnly || !migrate;
  if (path !== null && !existsSync(path)) await requireNotMoved(path);
  if (leavesTables && path !== null && !existsSync(path))
    throw new DatabaseNotReadyError({
      es: `No hay una base de datos en ${path}. ¿Es esta la carpeta de su .env? Una nueva se hace con: sri-server init`,
      en: `There is no database at ${path}. Is this the folder of your .env? A new one is made with: sri-server init`,
    });
  const newId = createUuidSource(random);
  const alsoWrites: AlsoWrites = new WeakMap();
  const { notificationTtlMs, reservedNotifications } = config;
  const publishing: PublishingDeps = {
    newId,
    notificationTtlMs,
    announce: (tables, notifications) => announceNotifications(tables, notifications, newId),
  };
  const documentCounter = createDocumentCounter({ clock, plans: config.plans, enforcement: config.quotaEnforcement });
  const joinCommit = createJoinCommit({ publishing, alsoWrites, clock, newId, reservedNotifications, documentCounter });
  const access = { joinCommit, plans: [SERVER_MIGRATIONS], readOnly, looksThrough, isPatient };
  const opened =
    path === null
      ? await openServer({ url, schema: config.databaseSchema }, access)
      : await openFile(path, access).catch((error: unknown) => {
          throw error instanceof LocalizedError ? error : fileNotReady(path, error);
        });
  try {
    if (path === null) await requireUtf8(opened);
    if (leavesTables) await requireMigrated(opened.storage);
    else {
      await opened.storage.migrate();
      await runMigrations(opened.storage.kysely, opened.storage.traits, SERVER_MIGRATIONS);
    }
  } catch (error) {
    await opened.close();
    if (error instanceof DatabaseUnreachableError) throw error;
    if (error instanceof StorageUnavailableError) throw new DatabaseUnreachableError(opened.place, error.cause);
    throw isMissingRight(error) ? new DatabaseUnreachableError(opened.place, error) : error;
  }
  const database = toServerDatabase(opened.storage, alsoWrites, clock);
  const aside = opened.openAside();
  return {
    ...opened,
    async close() {
      // Closed before the other: the last connection to a SQLite file cleans up, and for that it must be able to write.
      await aside.close();
      await opened.close();
    },
    occupancies: { ...opened.storage.occupancies, quota_owners: documentCounter.occupancy },
    readAside: (work) => aside.storage.read(work),
    storage: {
      ...opened.storage,
      setNextSequential: (counter, next) =>
        database.transaction((tables) => moveCounter(tables, counter, { next, now: clock.now() })),
    },
    database,
    publishing,
    checkWrites: createWriteProbe({
      storage: opened.storage,
      aside: aside.storage,
      path,
      now: () => performance.now(),
    }),
    async check() {
      const missing = await aside.storage.read((tables) =>
        pendingMigrations(tables, opened.storage.traits, SERVER_MIGRATIONS),
      );
      if (missing.length > 0) throw new Error(`Migrations that have not been run: ${missing.join(', ')}.`);
    },
  };
}

/** The database cannot be used as it is: no file, one that does not open (then with a cause), or tables of another version. */
export class DatabaseNotReadyError extends LocalizedError {
  readonly code = 'DATABASE_NOT_READY';

  override get name(): string {
    return 'DatabaseNotReadyError';
  }
}

/** How the name of a file ends that was moved into PostgreSQL, up to the time. */
export const MOVED = '.moved-';

/** Where the configured database is: `file:<path>` or `postgres://…`. */
export function databaseUrlOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  return databaseUrl ?? `file:${join(dataDir, 'app.db')}`;
}

/** The file of the configured database; null if it is not a file. */
export function sqlitePathOf(config: Pick<Config, 'databaseUrl' | 'dataDir'>): string | null {
  const url = databaseUrlOf(config);
  return url.startsWith('file:') ? url.slice(5) : null;
}

// --- internal ---

/** After a move into PostgreSQL, a server without its address would begin with an empty database, and with number 1. */
async function requireNotMoved(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => []);
  const former = names.find((name) => name.startsWith(basename(path) + MOVED));
  if (former === undefined) return;
  const texts = {
    es: `${path} se pasó a PostgreSQL: ponga aquí su dirección. Si quiere empezar con una base vacía, lleve antes ${former} a otra carpeta.`,
    en: `${path} was moved into PostgreSQL: set its address here. To begin with an empty database, move ${former} to another folder first.`,
  };
  throw new ConfigError([{ variable: 'DATABASE_URL', texts }]);
}

/** The role owns neither its database nor its schema: PostgreSQL's `insufficient_privilege`, `invalid_schema_name`. */
function isMissingRight(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '42501' || error.code === '3F000');
}

/** The database does not answer, or refuses the login or a table. */
class DatabaseUnreachableError extends StorageUnavailableError {
  readonly texts: LocalizedText;

  constructor(place: string, cause: unknown, reason: LocalizedText = textOf(cause)) {
    super(`${place} cannot be used: ${reason.en}`, { cause });
    this.texts = { es: `${place} no se puede usar: ${reason.es}`, en: this.message };
  }
}

/** SQLite's own message names no file: the folder is missing or belongs to another account, or the path is a folder. */
function fileNotReady(path: string, cause: unknown): DatabaseNotReadyError {
  const reason = reasonOf(cause);
  const texts = {
    es: `El archivo ${path} no se puede abrir: ${reason}. Lo nombran DATABASE_URL y DATA_DIR.`,
    en: `The file ${path} cannot be opened: ${reason}. DATABASE_URL and DATA_DIR name it.`,
  };
  return new DatabaseNotReadyError(texts, { cause });
}

/** PgBouncer takes no settings of a session, and its message does not name it. */
function textOf(cause: unknown): LocalizedText {
  const reason = reasonOf(cause);
  if (!reason.startsWith('unsupported startup parameter')) return { es: reason, en: reason };
  return {
    es: `${reason}. Detrás de PgBouncer, la dirección lleva ?pgbouncer=true`,
    en: `${reason}. Behind PgBouncer the address needs ?pgbouncer=true`,
  };
}

/** The driver's message, without parts of an address. */
function reasonOf(cause: unknown): string {
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error ? first.message : 'unknown';
}

/** Another encoding rejects names with letters that it lacks; `SQL_ASCII` keeps bytes as they are. */
async function requireUtf8({ place, storage }: OpenedStorage): Promise<void> {
  const { rows } = await storage.read((tables) =>
    sql<{ server_encoding: string }>`show server_encoding`.execute(tables),
  );
  const name = rows[0]?.server_encoding;
  if (name === 'UTF8' || name === 'SQL_ASCII') return;
  throw new DatabaseUnreachableError(place, null, {
    es: `su codificación es ${name}. Cree otra: create database … template template0 encoding 'UTF8'.`,
    en: `its encoding is ${name}. Make another one: create database … template template0 encoding 'UTF8'.`,
  });
}

async function requireMigrated({ kysely, traits }: KyselyStorage<ServerTables>): Promise<void> {
  const core: Kysely<CoreTables> = kysely;
  const missing = [
    ...(await pendingMigrations(core, traits, CORE_MIGRATIONS)),
    ...(await pendingMigrations(core, traits, SERVER_MIGRATIONS)),
  ];
  if (missing.length === 0) return;
  const names = missing.join(', ');
  throw new DatabaseNotReadyError({
    es: `La base de datos no está al día con esta versión; iniciar el servidor la actualiza. Falta: ${names}.`,
    en: `The database is not at this version; starting the server migrates it. Missing: ${names}.`,
  });
}
