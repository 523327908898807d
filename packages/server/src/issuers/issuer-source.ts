import { createPrivateKey } from 'node:crypto';
import { createKeySigner, type EngineIssuer, IssuerNotFoundError, type IssuerSource, type Signer } from 'sri-core';
import type { ServerDatabase } from '../platform/database/tables.js';
import { ExpiringCache } from '../platform/expiring-cache.js';
import { signingKeyLabel } from '../platform/secrets/secret-label.js';
import type { Vault } from '../platform/secrets/vault.js';
import { readCertificate } from './certificate-rows.js';
import type { IssuerRecord, StoredCertificate } from './issuer-record.js';
import { readIssuer, readLogoImage } from './rows.js';

/** The engine's issuers, read from the database, with their signers opened for a minute at most. */
export interface StoredIssuers extends IssuerSource {
  /**
   * An issuer that a request has just read, with its opened key. Its logo, which only the printed form needs, is left out.
   *
   * @throws IssuerNotFoundError when it has no certificate.
   */
  open(issuer: IssuerRecord): Promise<EngineIssuer>;
  /** Drops the opened keys of an issuer, whose certificate was renewed. */
  forget(issuerId: string): void;
  /** Drops signers whose time is over. */
  sweep(): void;
  /** Drops all of them. */
  clear(): void;
}

/** Issuers as the engine needs them. An issuer's data is read for every operation; its opened key and logo are kept. */
export function createStoredIssuers(database: ServerDatabase, vault: Vault): StoredIssuers {
  const signers = new ExpiringCache<Signer>({ ttlMs: KEY_TTL_MS, maxEntries: 500 });
  const logos = new ExpiringCache<Uint8Array>({ ttlMs: KEY_TTL_MS, maxEntries: 50 });

  async function signerOf(issuer: IssuerRecord): Promise<Signer | null> {
    if (!issuer.certificate) return null;
    const opened = signers.get(signerName(issuer.id, issuer.certificate));
    if (opened) return opened;
    const kept = await database.read((tables) => readCertificate(tables, issuer.id));
    if (!kept) return null;
    const key = vault.open(kept.key, signingKeyLabel(kept));
    const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    key.fill(0);
    const signer = createKeySigner({ certificate: kept.certificate, privateKey });
    // Named by what was read now: it may have been renewed since the issuer was read.
    signers.set(signerName(issuer.id, kept), signer);
    return signer;
  }

  async function logoOf(issuer: IssuerRecord): Promise<Uint8Array | null> {
    if (!issuer.logoHash) return null;
    const name = `${issuer.id} ${issuer.logoHash}`;
    const logo = logos.get(name) ?? (await database.read((tables) => readLogoImage(tables, issuer.id)));
    if (logo) logos.set(name, logo);
    return logo;
  }

  return {
    async find(issuerId) {
      const issuer = await database.read((tables) => readIssuer(tables, issuerId));
      if (!issuer) return null;
      const signer = await signerOf(issuer);
      return signer && { ...issuer, signer, logo: await logoOf(issuer) };
    },
    async open(issuer) {
      const signer = await signerOf(issuer);
      if (!signer) throw new IssuerNotFoundError('The issuer has no certificate.');
      return { ...issuer, signer };
    },
    forget: (issuerId) => signers.drop(`${issuerId} `),
    sweep: () => signers.sweep(),
    clear() {
      signers.clear();
      logos.clear();
    },
  };
}

// --- internal ---

/** How long an opened key may stay in memory. */
const KEY_TTL_MS = 60_000;

/** Changes with every renewal, so that a signer that was renewed is never found again, in whatever process. */
function signerName(
  issuerId: string,
  { keyVersion, fingerprint }: Pick<StoredCertificate, 'keyVersion' | 'fingerprint'>,
) {
  return `${issuerId} ${keyVersion} ${fingerprint}`;
}
