import { createPrivateKey, createPublicKey, KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { CertificateInvalidError, CertificateKeyNotFoundError, CertificateKeyUnsupportedError } from '../errors.js';
import { publicKeyOf, toSigningCertificate } from './certificate.js';
import { isSupportedKey, provesPossession } from './private-key.js';
import type { SignatureAlgorithm, Signer, SigningCertificate } from './signer.js';

/** A signer with its key in this process. */
export interface KeySigner extends Signer {
  /** As `sign`, on the calling thread: faster for one document, and it blocks the thread for about 0.3 ms. */
  signSync(data: Uint8Array, algorithm: SignatureAlgorithm): Uint8Array;
}

/** A certificate and its private key, from a container, a database or a file. */
export interface KeySignerOptions {
  /** DER or PEM of the certificate, or its parsed form. */
  readonly certificate: SigningCertificate | Uint8Array;
  /** PKCS#8: DER, PEM, or as a key object. */
  readonly privateKey: KeyObject | Uint8Array | string;
  /**
   * Whether an earlier signer of the same two had its proof, before they were stored. Then only their public parts are
   * compared, in a tenth of the time. Default false.
   */
  readonly isProven?: boolean;
}

/**
 * Creates a signer of a certificate and its private key. The key signs a random text once, and the certificate must verify
 * it. Signatures run on libuv's thread pool, so that the event loop stays free and several run at once.
 *
 * @throws CertificateKeyUnsupportedError when the key is not RSA of 2048 to 4096 bits; CertificateKeyNotFoundError when the
 * certificate does not verify the key's signature; CertificateInvalidError when one of the two is unreadable.
 */
export function createKeySigner({ certificate: given, privateKey, isProven = false }: KeySignerOptions): KeySigner {
  const certificate = given instanceof Uint8Array ? toSigningCertificate(given) : given;
  const key = privateKey instanceof KeyObject ? privateKey : readPrivateKey(privateKey);
  if (!isSupportedKey(key)) {
    throw new CertificateKeyUnsupportedError('The SRI takes RSA keys of 2048 to 4096 bits, and this key is another.');
  }
  const publicKey = publicKeyOf(certificate);
  const isPair = isProven ? hasPublicPart : provesPossession;
  if (!publicKey || !isPair(key, publicKey)) {
    throw new CertificateKeyNotFoundError('The private key is not the one of the certificate.');
  }
  return {
    certificate,
    sign: (data, algorithm) => signOnThreadPool(DIGESTS[algorithm], data, key),
    signSync: (data, algorithm) => sign(DIGESTS[algorithm], data, key),
  };
}

// --- internal ---

const signOnThreadPool = promisify(sign);

function hasPublicPart(privateKey: KeyObject, publicKey: KeyObject): boolean {
  return createPublicKey(privateKey).equals(publicKey);
}

const DIGESTS = { 'rsa-sha1': 'sha1', 'rsa-sha256': 'sha256' } as const satisfies Record<SignatureAlgorithm, string>;

function readPrivateKey(pkcs8: Uint8Array | string): KeyObject {
  try {
    const isPem = typeof pkcs8 === 'string' || pkcs8[0] === 0x2d;
    const bytes = Buffer.from(pkcs8);
    return createPrivateKey(isPem ? { key: bytes, format: 'pem' } : { key: bytes, format: 'der', type: 'pkcs8' });
  } catch {
    // Without a cause: details of a private key must not leave this module.
    throw new CertificateInvalidError('The private key cannot be read: it is not unencrypted PKCS#8.');
  }
}
