import type { Signer } from './signer.js';

/**
 * Rejects a value that is not a signer. The usual causes: no `await` of `signerFromP12`, or the certificate of `node:crypto`.
 *
 * @param what names the field in the message.
 * @throws TypeError
 */
export function requireSigner(signer: Signer | undefined, what: string): void {
  if (signer?.certificate?.der && typeof signer.sign === 'function') return;
  throw new TypeError(
    `${what} has to be a Signer, such as \`await signerFromP12(bytes, password)\`; its certificate is that of toSigningCertificate.`,
  );
}
