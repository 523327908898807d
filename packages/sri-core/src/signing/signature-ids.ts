import { SignatureError } from '../errors.js';
import { type Random, randomDigits } from '../random.js';

/** The ids of a signature's parts, in the form of authorised files. Only their uniqueness matters. */
export type SignatureIds = ReturnType<typeof toIds>;

/**
 * Draws ids that the document does not use.
 *
 * @throws SignatureError when a hundred draws find none.
 */
export function chooseSignatureIds(taken: ReadonlySet<string>, random: Random): SignatureIds {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const ids = toIds(randomDigits(random, 6));
    if (!Object.values(ids).some((id) => taken.has(id))) return ids;
  }
  throw new SignatureError('No free id was found for the signature: the document holds ids of every kind.');
}

// --- internal ---

function toIds(digits: string) {
  return {
    signature: `Signature${digits}`,
    signedInfo: `Signature-SignedInfo${digits}`,
    signedPropertiesReference: `SignedPropertiesID${digits}`,
    signedProperties: `Signature${digits}-SignedProperties${digits}`,
    signatureValue: `SignatureValue${digits}`,
    keyInfo: `Certificate${digits}`,
    comprobanteReference: `Reference-ID-${digits}`,
    object: `Signature${digits}-Object${digits}`,
  };
}
