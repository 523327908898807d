import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { type Language, type LocalizedText, type Random, translate } from 'sri-core';
import { LocalizedError } from '../language.js';
import type { MasterKeys } from './master-keys.js';

/** The owner of a secret. A secret opens only under the label it was sealed with. */
export interface SecretLabel {
  readonly tenantId: string;
  /** The issuer, mail or other object of the account that owns it. */
  readonly ownerId: string;
  readonly purpose: 'signing-key' | 'mail-token' | 'webhook-secret';
  readonly keyVersion: number;
}

/** A stored secret: a data key, wrapped by a master key, and the content under the data key. */
export interface SealedSecret {
  readonly masterKeyId: string;
  /** Base64 of nonce, ciphertext and tag. */
  readonly wrappedKey: string;
  readonly ciphertext: string;
}

/** A stored secret cannot be opened: its master key is not configured, or the secret has another label. */
export class SecretUnreadableError extends Error {
  readonly code = 'SECRET_UNREADABLE';

  override get name(): string {
    return 'SecretUnreadableError';
  }
}

/** Ids of master keys, each with its check value. */
export type KeyChecks = ReadonlyMap<string, string>;

/** The configured master keys differ from the keys that seal the database. */
export class MasterKeyNeededError extends LocalizedError {
  readonly code = 'MASTER_KEY_NEEDED';

  /**
   * @param missing ids of needed master keys that are not configured.
   * @param others ids under which a different key is configured.
   */
  constructor(missing: readonly string[], others: readonly string[]) {
    const complain = (language: Language) =>
      [
        ...(missing.length > 0 ? [translate(MISSING, language, { keys: missing.join(', ') })] : []),
        ...(others.length > 0 ? [translate(ANOTHER, language, { keys: others.join(', ') })] : []),
      ].join(' ');
    super({ es: complain('es'), en: complain('en') });
  }

  override get name(): string {
    return 'MasterKeyNeededError';
  }
}

/** Seals secrets under the current master key. */
export interface Sealer {
  seal(content: Uint8Array, label: SecretLabel): SealedSecret;
  /**
   * The same secret with its data key under the current master key; the sealed content is unchanged. A secret that is
   * already under it is returned unchanged.
   * @throws SecretUnreadableError
   */
  rewrap(secret: SealedSecret, label: SecretLabel): SealedSecret;
}

/** Opens secrets, and seals them once the sealed ones are known to open. */
export interface Vault {
  /** @throws SecretUnreadableError */
  open(secret: SealedSecret, label: SecretLabel): Buffer;
  /**
   * Seals for a database that remembers those master keys: the only way to a sealed secret.
   * @throws MasterKeyNeededError unless each of them is configured.
   */
  sealer(remembered: KeyChecks): Sealer;
  /**
   * Seals content that leaves the server and comes back, such as a cookie. The server does not store it.
   * @param purpose a token opens for the purpose it was sealed for.
   * @returns letters, digits and `-_.`
   */
  sealToken(content: Uint8Array, purpose: string): string;
  /** The content of a token; null for any text that this server did not seal for that purpose. */
  openToken(token: string, purpose: string): Buffer | null;
  /** The master key that seals new secrets. */
  readonly currentMasterKeyId: string;
  /**
   * A value that distinguishes a master key from others of its name without revealing the key; null if it is not
   * configured.
   */
  checkValue(masterKeyId: string): string | null;
}

/**
 * Envelope encryption with AES-256-GCM. The label is authenticated with both layers, so that a row copied to another
 * account, issuer or version does not open. A change of the master key re-wraps data keys and leaves contents
 * unchanged.
 */
export function createVault(masterKeys: MasterKeys, random: Random): Vault {
  const { currentId } = masterKeys;
  const checkValue = (id: string) => {
    const key = masterKeys.byId.get(id);
    return key ? createHmac('sha256', key).update(`sri-server master key ${id}`).digest('base64') : null;
  };
  const tokenKey = (id: string, purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey(masterKeys, id), '', `sri-server token ${purpose}`, KEY_BYTES));
  const wrap = (dataKey: Uint8Array, label: SecretLabel) =>
    encrypt(masterKey(masterKeys, currentId), dataKey, random, authenticated(label)).toString('base64');
  const unwrap = ({ masterKeyId, wrappedKey }: SealedSecret, label: SecretLabel) =>
    decrypt(masterKey(masterKeys, masterKeyId), Buffer.from(wrappedKey, 'base64'), authenticated(label));
  const sealer: Sealer = {
    seal(content, label) {
      const dataKey = random.bytes(KEY_BYTES);
      try {
        return {
          masterKeyId: currentId,
          wrappedKey: wrap(dataKey, label),
          ciphertext: encrypt(dataKey, content, random, authenticated(label)).toString('base64'),
        };
      } finally {
        dataKey.fill(0);
      }
    },
    rewrap(secret, label) {
      if (secret.masterKeyId === currentId) return secret;
      const dataKey = unwrap(secret, label);
      const wrappedKey = wrap(dataKey, label);
      dataKey.fill(0);
      return { ...secret, masterKeyId: currentId, wrappedKey };
    },
  };
  return {
    open(secret, label) {
      const dataKey = unwrap(secret, label);
      try {
        return decrypt(dataKey, Buffer.from(secret.ciphertext, 'base64'), authenticated(label));
      } finally {
        dataKey.fill(0);
      }
    },
    sealer(remembered) {
      const strange = [...remembered].filter(([id, check]) => checkValue(id) !== check).map(([id]) => id);
      if (strange.length === 0) return sealer;
      const missing = strange.filter((id) => !masterKeys.byId.has(id));
      throw new MasterKeyNeededError(
        missing,
        strange.filter((id) => masterKeys.byId.has(id)),
      );
    },
    sealToken(content, purpose) {
      const sealed = encrypt(tokenKey(currentId, purpose), content, random, Buffer.from(purpose));
      return `${currentId}.${sealed.toString('base64url')}`;
    },
    openToken(token, purpose) {
      const [id = '', sealed = ''] = token.split('.');
      try {
        return decrypt(tokenKey(id, purpose), Buffer.from(sealed, 'base64url'), Buffer.from(purpose));
      } catch {
        return null;
      }
    },
    currentMasterKeyId: currentId,
    checkValue,
  };
}

// --- internal ---

const MISSING: LocalizedText = {
  es: 'Falta la clave maestra {keys}, con la que están sellados los secretos guardados.',
  en: 'The master key {keys} is missing, which stored secrets are sealed with.',
};
const ANOTHER: LocalizedText = {
  es: 'La clave maestra {keys} es otra que aquella con la que están sellados los secretos guardados.',
  en: 'The master key {keys} is another one than stored secrets are sealed with.',
};

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function masterKey(masterKeys: MasterKeys, id: string): Buffer {
  const key = masterKeys.byId.get(id);
  if (!key) throw new SecretUnreadableError(`The master key ${id} is not among MASTER_KEYS.`);
  return key;
}

function authenticated(label: SecretLabel): Buffer {
  return Buffer.from(`${label.tenantId}|${label.ownerId}|${label.purpose}|${label.keyVersion}`);
}

function encrypt(key: Uint8Array, content: Uint8Array, random: Random, bound: Buffer): Buffer {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(bound);
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Uint8Array, sealed: Buffer, bound: Buffer): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(sealed.length - TAG_BYTES);
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(bound).setAuthTag(tag);
    // GCM returns the whole content at once. A joined copy would leave a second copy that is never wiped.
    const content = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    decipher.final();
    return content;
  } catch (cause) {
    throw new SecretUnreadableError('A stored secret does not open under its label.', { cause });
  }
}
