import type { Tables } from '../database/tables.js';
import { lockRememberedKeys, readRememberedKeys, replaceRememberedKeys } from './remembered-key-rows.js';
import { sampleSecrets } from './sample-rows.js';
import { labelOfSecret } from './secret-label.js';
import { countByMasterKey, type StoredSecret } from './secret-rows.js';
import { type KeyChecks, MasterKeyNeededError, type Sealer, SecretUnreadableError, type Vault } from './vault.js';

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
  const used = [...(await checkSamples(tables, vault, { remembered, now })), currentMasterKeyId];
  await replaceRememberedKeys(tables, withChecks(vault, remembered, used));
  return sealer;
}

/**
 * Checks that the configured master keys open the stored secrets: signing keys, webhook secrets and tokens of waiting
 * mails. During a change of the master key, both have to be configured.
 * @throws MasterKeyNeededError
 */
export async function requireMasterKeys(tables: Tables, vault: Vault, now: Date): Promise<void> {
  const remembered = await readRememberedKeys(tables);
  vault.sealer(remembered);
  await checkSamples(tables, vault, { remembered, now });
}

/**
 * As `requireMasterKeys`, and stores the result: the keys of a database whose servers did not remember them, and keys
 * that seal nothing and are not needed.
 * @throws MasterKeyNeededError; then nothing is written.
 */
export async function takeUpMasterKeys(tables: Tables, vault: Vault, now: Date): Promise<void> {
  const before = await lockRememberedKeys(tables, now);
  const isStrange = ([id, check]: readonly [string, string]) => vault.checkValue(id) !== check;
  const remembered = [...before].some(isStrange) ? await keepUsed(tables, before) : before;
  vault.sealer(remembered);
  const used = await checkSamples(tables, vault, { remembered, now });
  await replaceRememberedKeys(tables, withChecks(vault, remembered, used));
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

function withChecks(vault: Vault, remembered: KeyChecks, ids: readonly string[]): KeyChecks {
  return new Map([...remembered, ...ids.map((id) => [id, vault.checkValue(id) ?? ''] as const)]);
}

/**
 * Opens one or two secrets of each master key that is not remembered: a server of a former version sealed with it.
 * @returns their ids.
 * @throws MasterKeyNeededError
 */
async function checkSamples(
  tables: Tables,
  vault: Vault,
  { remembered, now }: { readonly remembered: KeyChecks; readonly now: Date },
): Promise<readonly string[]> {
  const samples = await sampleSecrets(tables, now);
  const byKey = Map.groupBy(
    samples.filter(({ sealed }) => !remembered.has(sealed.masterKeyId)),
    ({ sealed }) => sealed.masterKeyId,
  );
  const ids = [...byKey.keys()];
  const missing = ids.filter((id) => vault.checkValue(id) === null);
  // A single row may be damaged. A key that opens nothing is a wrong one.
  const others = [...byKey].filter(([id, own]) => !missing.includes(id) && !own.some((secret) => opens(vault, secret)));
  if (missing.length + others.length > 0) {
    throw new MasterKeyNeededError(
      missing,
      others.map(([id]) => id),
    );
  }
  return ids;
}

function opens(vault: Vault, secret: StoredSecret): boolean {
  try {
    vault.open(secret.sealed, labelOfSecret(secret)).fill(0);
    return true;
  } catch (error) {
    if (error instanceof SecretUnreadableError) return false;
    throw error;
  }
}
