import { randomBytes } from 'node:crypto';
import type { Logger } from 'sri-core';
import type { Config } from './config/config.js';
import { ConfigError } from './platform/config-values.js';
import type { ServerDatabase } from './platform/database/tables.js';
import type { Services } from './platform/http/services.js';
import { readMasterKeyFile } from './platform/secrets/master-key-file.js';
import type { MasterKeys } from './platform/secrets/master-keys.js';
import { findNeededKeys, requireMasterKeys, takeUpMasterKeys } from './platform/secrets/sealing.js';
import { MasterKeyNeededError } from './platform/secrets/vault.js';

/**
 * The master keys of a server at its start: the configured ones, else those of its data directory, where one is created
 * for a database without secrets. A read-only server needs none.
 * @throws ConfigError that names the keys which seal the database.
 */
export async function readMasterKeys(
  config: Pick<Config, 'masterKeys' | 'dataDir' | 'readOnly'>,
  database: Pick<ServerDatabase, 'read'>,
  logger: Logger,
): Promise<MasterKeys> {
  if (config.masterKeys) return config.masterKeys;
  const needed = await database.read(findNeededKeys);
  try {
    const create = !config.readOnly;
    const { masterKeys, path, created } = await readMasterKeyFile(config.dataDir, { create, needed });
    if (created) {
      logger.warn(
        { path },
        'MASTER_KEYS is not set: a master key was made. Keep this file; stored keys are lost without it',
      );
    }
    return masterKeys;
  } catch (error) {
    if (!config.readOnly || !(error instanceof ConfigError)) throw error;
    logger.error({ needed }, 'there is no master key: what is sealed stays closed');
    return NO_MASTER_KEYS;
  }
}

/**
 * Rejects master keys that do not open the stored secrets. A read-only server logs it, and `/readyz` stays red.
 * @throws ConfigError that names the needed keys.
 */
export async function prepareMasterKeys({ config, database, vault, clock, logger }: Services): Promise<void> {
  try {
    if (config.readOnly) await database.read((tables) => requireMasterKeys(tables, vault));
    else await database.transaction((tables) => takeUpMasterKeys(tables, vault, clock.now()));
  } catch (error) {
    if (!(error instanceof MasterKeyNeededError)) throw error;
    if (!config.readOnly) throw new ConfigError([{ variable: 'MASTER_KEYS', texts: error.texts }]);
    logger.error({ error: error.message }, 'not ready: a master key is missing');
  }
}

// --- internal ---

/** Opens nothing, and seals nothing in a database that rejects writes. */
const NO_MASTER_KEYS: MasterKeys = { currentId: 'none', byId: new Map([['none', randomBytes(32)]]) };
