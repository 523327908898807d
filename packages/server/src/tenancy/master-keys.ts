import { randomBytes } from 'node:crypto';
import { ConfigComplaint } from '../config-values.js';

/** The keys that wrap every stored secret: the first encrypts, all of them decrypt. */
export interface MasterKeys {
  readonly currentId: string;
  /** 32 bytes each. */
  readonly byId: ReadonlyMap<string, Buffer>;
}

/** Reads `id:base64` pairs, comma separated, the current one first. */
export function parseMasterKeys(text: string): MasterKeys | ConfigComplaint {
  const byId = new Map<string, Buffer>();
  for (const entry of text.split(',')) {
    const match = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry.trim());
    const id = match?.[1];
    if (!id || byId.has(id)) {
      return new ConfigComplaint('give id:base64 of 32 bytes, a comma between several, the current one first.');
    }
    byId.set(id, Buffer.from(match[2] ?? '', 'base64'));
  }
  const currentId = byId.keys().next().value;
  return currentId === undefined ? new ConfigComplaint('give at least one key.') : { currentId, byId };
}

/** A fresh master key in the form `parseMasterKeys` reads. */
export function newMasterKey(): string {
  return `k1:${randomBytes(32).toString('base64')}`;
}
