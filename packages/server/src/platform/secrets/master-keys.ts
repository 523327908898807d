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
  const entries = text.split(',');
  const keys = entries.flatMap((entry) => {
    const [, id, key] = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry.trim()) ?? [];
    return id && key ? [[id, Buffer.from(key, 'base64')] as const] : [];
  });
  const byId = new Map(keys);
  const [current] = keys;
  if (!current || byId.size < entries.length) {
    return new ConfigComplaint({
      es: 'escriba id:base64 de 32 bytes; si son varias, con comas y la actual primero.',
      en: 'give id:base64 of 32 bytes, a comma between several, the current one first.',
    });
  }
  return { currentId: current[0], byId };
}

/** A new master key in the form `parseMasterKeys` reads. */
export function newMasterKey(): string {
  return `k1:${randomBytes(32).toString('base64')}`;
}
