import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Whether a header is a secret, in a time that does not show how close it is. Of several secrets, compare all.
 * @param given with one character for each byte received, as headers have.
 */
export function equalsSecret(secret: string, given: string): boolean {
  const [own, other] = [Buffer.from(secret), Buffer.from(given, 'latin1')];
  return timingSafeEqual(createHash('sha256').update(own).digest(), createHash('sha256').update(other).digest());
}
