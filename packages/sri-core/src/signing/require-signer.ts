import type { Signer } from './signer.js';

/**
 * Rejects what is not a signer. The usual cause is a missing `await` of `signerFromP12`.
 *
 * @param what names the field in the message.
 * @throws TypeError
 */
export function requireSigner(signer: Signer | undefined, what: string): void {
  if (signer?.certificate) return;
  throw new TypeError(`${what} has to be a Signer, such as \`await signerFromP12(bytes, password)\`.`);
}
