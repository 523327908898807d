import { createHash } from 'node:crypto';
import type { Occupancies } from 'sri-core';
import { createKeySigner, type EngineIssuer, IssuerNotFoundError, type IssuerSource, type Signer } from 'sri-core';
import type { ServerDatabase } from '../platform/database/tables.js';
import { ExpiringCache } from '../platform/expiring-cache.js';
import type { Vault } from '../platform/secrets/vault.js';
import { readCertificate } from './certificate-rows.js';
import type { IssuerRecord, StoredCertificate } from './issuer-record.js';
import { readIssuer, readLogoImage } from './rows.js';
import { openSigningKey } from './signing-credentials.js';

/** The engine's issuers, read from the database. Opened signers are cached for a minute at most. */
export interface StoredIssuers extends IssuerSource {
  /**
   * An issuer that a request has just read, with its opened key. Without its logo, which only the printed form needs.
   *
   * @throws IssuerNotFoundError when it has no certificate.
   */
  open(issuer: IssuerRecord): Promise<EngineIssuer>;
  /** Drops the opened keys of an issuer after a renewal. */
  forget(issuerId: string): void;
  /** The opened keys and the logos in memory. */
  readonly occupancies: Occupancies;
  /** Drops expired signers. */
  sweep(): void;
  /** Drops all signers. */
  clear(): void;
}

/** Issuers for the engine. An issuer's data is read for every operation; its opened key and logo are cached. */
export function createStoredIssuers(database: ServerDatabase, vault: Vault): StoredIssuers {
  const signers = new ExpiringCache<Signer>({ ttlMs: KEY_TTL_MS, maxEntries: MOST_SIGNERS });
  const logos = new ExpiringCache<Uint8Array>({ ttlMs: KEY_TTL_MS, maxEntries: MOST_LOGOS });

  async function signerOf(issuer: IssuerRecord): Promise<Signer | null> {
    if (!issuer.certificate) return null;
    const opened = signers.get(signerName(issuer.id, issuer.certificate));
    if (opened) return opened;
    const kept = await database.read((tables) => readCertificate(tables, issuer.id));
    if (!kept) return null;
    const { certificate } = kept;
    const signer = createKeySigner({ certificate, privateKey: openSigningKey(vault, kept), isProven: true });
    // Named by the certificate just read: a renewal may have followed the read of the issuer.
    signers.set(signerName(issuer.id, kept), signer);
    return signer;
  }

  async function logoOf(issuer: IssuerRecord): Promise<Uint8Array | null> {
    if (!issuer.logoHash) return null;
    const known = logos.get(`${issuer.id} ${issuer.logoHash}`);
    if (known) return known;
    const logo = await database.read((tables) => readLogoImage(tables, issuer.id));
    // Named by the image just read: another one may have followed the read of the issuer.
    if (logo) logos.set(`${issuer.id} ${createHash('sha256').update(logo).digest('hex')}`, logo);
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
    occupancies: { signers: () => signers.occupancy(), logos: () => logos.occupancy() },
    sweep: () => signers.sweep(),
    clear() {
      signers.clear();
      logos.clear();
    },
  };
}

// --- internal ---

/** Some 5 kB each. */
const MOST_SIGNERS = 500;
/** Up to 500 kB each. */
const MOST_LOGOS = 50;
/** With the time until the next cleaning, an opened key stays in memory for a minute at most. */
const KEY_TTL_MS = 45_000;

/** Changes with every renewal, so that no process finds a signer from before the renewal. */
function signerName(
  issuerId: string,
  { keyVersion, fingerprint }: Pick<StoredCertificate, 'keyVersion' | 'fingerprint'>,
) {
  return `${issuerId} ${keyVersion} ${fingerprint}`;
}
