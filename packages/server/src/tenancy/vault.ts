import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from 'sri-core';
import type { MasterKeys } from './master-keys.js';

/** What a secret belongs to. A secret opens only under the label it was sealed with. */
export interface SecretLabel {
  readonly tenantId: string;
  /** The issuer, mail or other thing within the account that owns it. */
  readonly ownerId: string;
  readonly purpose: 'signing-key' | 'mail-token' | 'webhook-secret';
  readonly keyVersion: number;
}

/** A secret as it is stored: a data key of its own, wrapped by a master key, and the content under the data key. */
export interface SealedSecret {
  readonly masterKeyId: string;
  /** Base64 of nonce, ciphertext and tag. */
  readonly wrappedKey: string;
  readonly ciphertext: string;
}

/** A stored secret cannot be opened: its master key is not configured, or it belongs to something else. */
export class SecretUnreadableError extends Error {
  readonly code = 'SECRET_UNREADABLE';

  override get name(): string {
    return 'SecretUnreadableError';
  }
}

/** Seals and opens secrets. */
export interface Vault {
  seal(content: Uint8Array, label: SecretLabel): SealedSecret;
  /** @throws SecretUnreadableError */
  open(secret: SealedSecret, label: SecretLabel): Buffer;
  /**
   * The same secret with its data key under the current master key; the content stays as it is sealed. One that is under
   * it already is given back as it is.
   *
   * @throws SecretUnreadableError
   */
  rewrap(secret: SealedSecret, label: SecretLabel): SealedSecret;
  /** The master key under which secrets are sealed from now on. */
  readonly currentMasterKeyId: string;
  /** Whether that master key is at hand. */
  knows(masterKeyId: string): boolean;
}

/**
 * Envelope encryption with AES-256-GCM. The label is authenticated with both layers, so that a row copied to another
 * account, issuer or version does not open; changing the master key re-wraps data keys and leaves contents alone.
 */
export function createVault(masterKeys: MasterKeys, random: Random): Vault {
  return {
    seal(content, label) {
      const dataKey = random.bytes(KEY_BYTES);
      const current = masterKey(masterKeys, masterKeys.currentId);
      try {
        return {
          masterKeyId: masterKeys.currentId,
          wrappedKey: encrypt(current, dataKey, random, label).toString('base64'),
          ciphertext: encrypt(dataKey, content, random, label).toString('base64'),
        };
      } finally {
        dataKey.fill(0);
      }
    },
    open(secret, label) {
      const wrapping = masterKey(masterKeys, secret.masterKeyId);
      const dataKey = decrypt(wrapping, Buffer.from(secret.wrappedKey, 'base64'), label);
      try {
        return decrypt(dataKey, Buffer.from(secret.ciphertext, 'base64'), label);
      } finally {
        dataKey.fill(0);
      }
    },
    rewrap(secret, label) {
      if (secret.masterKeyId === masterKeys.currentId) return secret;
      const wrapping = masterKey(masterKeys, secret.masterKeyId);
      const dataKey = decrypt(wrapping, Buffer.from(secret.wrappedKey, 'base64'), label);
      const current = masterKey(masterKeys, masterKeys.currentId);
      const wrappedKey = encrypt(current, dataKey, random, label).toString('base64');
      dataKey.fill(0);
      return { ...secret, masterKeyId: masterKeys.currentId, wrappedKey };
    },
    currentMasterKeyId: masterKeys.currentId,
    knows: (masterKeyId) => masterKeys.byId.has(masterKeyId),
  };
}

// --- internal ---

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

function encrypt(key: Uint8Array, content: Uint8Array, random: Random, label: SecretLabel): Buffer {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(authenticated(label));
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Uint8Array, sealed: Buffer, label: SecretLabel): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(sealed.length - TAG_BYTES);
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(authenticated(label)).setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new SecretUnreadableError('A stored secret does not open under its label.', { cause });
  }
}
