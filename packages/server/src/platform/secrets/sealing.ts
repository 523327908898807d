import type { Tables } from '../database/tables.js';
import { lockRememberedKeys, readRememberedKeys, replaceRememberedKeys } from './remembered-key-rows.js';
import { countByMasterKey } from './secret-rows.js';
import type { KeyChecks, Sealer, Vault } from './vault.js';

/**
 * Seals within a transaction, only while the configured master keys are those that seal the database. A key that seals
 * for the first time is remembered in the same transaction.
 * @throws MasterKeyNeededError; then nothing may be stored.
 */
export async function openSealer(tables: Tables, vault: Vault, now: Date): Promise<Sealer> {
  const remembered = await lockRememberedKeys(tables, now);
  const sealer = vault.sealer(remembered);
  const { currentMasterKeyId } = vault;
  if (remembered.has(currentMasterKeyId)) return sealer;
  const check = vault.checkValue(currentMasterKeyId) ?? '';
  await replaceRememberedKeys(tables, new Map([...remembered, [currentMasterKeyId, check]]));
  return sealer;
}

/**
 * Checks that the configured master keys open the stored secrets: signing keys, webhook secrets and tokens of waiting
 * mails. During a change of the master key, both have to be configured.
 * @throws MasterKeyNeededError
 */
export async function requireMasterKeys(tables: Tables, vault: Vault): Promise<void> {
  vault.sealer(await readRememberedKeys(tables));
}

/**
 * As `requireMasterKeys`, but first forgets keys that seal nothing if a key is missing or differs.
 * @throws MasterKeyNeededError; then nothing is written.
 */
export async function takeUpMasterKeys(tables: Tables, vault: Vault, now: Date): Promise<void> {
  const before = await lockRememberedKeys(tables, now);
  const isStrange = ([id, check]: readonly [string, string]) => vault.checkValue(id) !== check;
  const remembered = [...before].some(isStrange) ? await keepUsed(tables, before) : before;
  vault.sealer(remembered);
  await replaceRememberedKeys(tables, remembered);
}

/** Forgets master keys that no longer seal anything. */
export async function forgetUnusedKeys(tables: Tables, now: Date): Promise<void> {
  await replaceRememberedKeys(tables, await keepUsed(tables, await lockRememberedKeys(tables, now)));
}

/** Ids of the master keys that seal the database. */
export async function findNeededKeys(tables: Tables): Promise<readonly string[]> {
  return [...(await countByMasterKey(tables)).keys()];
}

// --- internal ---

async function keepUsed(tables: Tables, remembered: KeyChecks): Promise<KeyChecks> {
  const counts = await countByMasterKey(tables);
  return new Map([...remembered].filter(([id]) => counts.has(id)));
}
