import { type Clock, silentLogger, systemRandom, type Transport } from 'sri-core';
import { composeServer } from '../../compose.js';
import { type Config, readConfig } from '../../config/config.js';
import { type OpenedDatabase, openDatabase } from '../../open-database.js';
import { createServerClock } from '../../platform/clock.js';
import { createDatabaseClock } from '../../platform/database/database-clock.js';
import type { Services } from '../../platform/http/services.js';
import { readMasterKeyFile } from '../../platform/secrets/master-key-file.js';

/** The configured database with its services, without background work. */
export interface OperatorAccess {
  readonly services: Services;
  readonly opened: OpenedDatabase;
  close(): Promise<void>;
}

/** The parts that the server's program gives its commands next to the call. */
export interface ServerContext {
  /** @throws ConfigError */
  readonly config: () => Config;
  /** Opens the configured database and its services. Closed when the command ends. */
  readonly open: () => Promise<OperatorAccess>;
  /** The machine's account. */
  readonly actor: string;
}

/** Ports of a command that issues documents itself. */
export interface OperatorPorts {
  readonly clock?: Clock;
  /** Where sandbox documents go; by default nothing is sent. */
  readonly sandbox?: (opened: OpenedDatabase) => Promise<Transport>;
}

/**
 * Opens the configured database next to its running servers. Sends nothing: running servers find due work within
 * seconds, or the next one does when it starts.
 * @throws DatabaseNotReadyError, ConfigError, SchemaTooNewError
 */
export async function openOperatorAccess(
  config: Config,
  { clock: given, sandbox = async () => sendNothing }: OperatorPorts = {},
): Promise<OperatorAccess> {
  const databaseClock = createDatabaseClock(createServerClock(config.clockOffsetMs), silentLogger);
  const clock = given ?? databaseClock;
  const opened = await openDatabase(config, clock, { migrate: false, readOnly: config.readOnly, isPatient: true });
  try {
    if (opened.sqliteVersion === null && config.clockOffsetMs === 0)
      await databaseClock.follow(opened.database, AbortSignal.abort());
    const masterKeys = config.masterKeys ?? (await readMasterKeyFile(config.dataDir, { create: false })).masterKeys;
    const baseUrl = config.baseUrl ?? 'http://localhost';
    const server = composeServer({
      config,
      urls: { baseUrl, appUrl: config.appUrl ?? baseUrl, docsUrl: config.docsUrl ?? `${baseUrl}/docs` },
      opened,
      masterKeys,
      clock,
      random: systemRandom,
      logger: silentLogger,
      transport: { sandbox: await sandbox(opened), production: sendNothing },
      mail: { send: sendNothing, close: () => {} },
    });
    return {
      services: server.services,
      opened,
      async close() {
        await server.stop();
        await opened.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The inputs of commands: the configuration, read once, and its database, opened once and closed at the end. */
export function createServerContext(
  env: Readonly<Record<string, string | undefined>>,
  actor: string,
): ServerContext & { close(): Promise<void> } {
  let config: Config | null = null;
  let access: Promise<OperatorAccess> | null = null;
  const readOnce = () => {
    config ??= readConfig(env);
    return config;
  };
  return {
    actor,
    config: readOnce,
    open() {
      access ??= openOperatorAccess(readOnce());
      return access;
    },
    async close() {
      // A database that could not be opened has already reported why.
      const opened = await access?.catch(() => null);
      await opened?.close();
    },
  };
}

// --- internal ---

async function sendNothing(): Promise<never> {
  throw new Error('The command line sends nothing.');
}
