import { createHash } from 'node:crypto';
import { ConfigComplaint } from '../platform/config-values.js';
import { type MasterKeys, parseMasterKeys } from '../platform/secrets/master-keys.js';

/** Settings of a server with master keys of those names, the current one first. The same name is the same key. */
export function masterKeySettings(...names: readonly string[]): Readonly<Record<'MASTER_KEYS', string>> {
  const keys = names.map((name) => `${name}:${createHash('sha256').update(name).digest('base64')}`);
  return { MASTER_KEYS: keys.join(',') };
}

/** The same keys as a vault takes them. */
export function masterKeysOf(...names: readonly string[]): MasterKeys {
  const keys = parseMasterKeys(masterKeySettings(...names).MASTER_KEYS);
  if (keys instanceof ConfigComplaint) throw new Error(keys.texts.en);
  return keys;
}
