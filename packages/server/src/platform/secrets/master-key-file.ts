import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigComplaint, ConfigError } from '../config-values.js';
import { type MasterKeys, newMasterKey, parseMasterKeys } from './master-keys.js';

/** The master keys of a development server, and whether they are new. */
export interface MasterKeyFile {
  readonly masterKeys: MasterKeys;
  readonly path: string;
  readonly created: boolean;
}

/**
 * Reads `master.key` in the data directory, or creates it. Two processes that start at once both get the same key.
 * @param options.create false only reads it.
 * @param options.needed ids of the master keys that seal the database; if there are any, no key is created.
 * @throws ConfigError if the file has no key, or is missing and must not be created.
 */
export async function readMasterKeyFile(
  dataDir: string,
  { create = true, needed = [] }: { readonly create?: boolean; readonly needed?: readonly string[] } = {},
): Promise<MasterKeyFile> {
  const path = join(dataDir, 'master.key');
  const isThere = existsSync(path);
  if (!isThere && (!create || needed.length > 0)) {
    const keys = needed.join(', ');
    const es = keys && ` Los secretos guardados están cifrados con la clave maestra ${keys}.`;
    const en = keys && ` Stored secrets are sealed with the master key ${keys}.`;
    const texts = { es: `no está, y tampoco ${path}.${es}`, en: `neither it nor ${path} is there.${en}` };
    throw new ConfigError([{ variable: 'MASTER_KEYS', texts }]);
  }
  const created = !isThere && (await createOnce(path, `${newMasterKey()}\n`));
  const masterKeys = parseMasterKeys(await readFile(path, 'utf8'));
  if (!(masterKeys instanceof ConfigComplaint)) return { masterKeys, path, created };
  const { es, en } = masterKeys.texts;
  const texts = { es: `${path} no tiene una clave maestra: ${es}`, en: `${path} holds no master key: ${en}` };
  throw new ConfigError([{ variable: 'MASTER_KEYS', texts }]);
}

// --- internal ---

/** Written whole next to its place and linked into it, so that no process ever reads half a key or overwrites one. */
async function createOnce(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
