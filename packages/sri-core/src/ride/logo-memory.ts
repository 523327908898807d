import { createHash } from 'node:crypto';
import { type Logo, readLogo } from './logo.js';

/**
 * Returns the logo ready to print; null when it is unreadable. An issuer prints the same logo on every document, so a cache
 * keeps the last ones by content, 8 MB at most.
 */
export async function printableLogo(bytes: Uint8Array): Promise<Logo | null> {
  const key = createHash('sha256').update(bytes).digest('base64');
  const known = remembered.get(key);
  remembered.delete(key);
  const logo = known === undefined ? await readLogo(bytes).catch(() => null) : known;
  remembered.set(key, logo); // at the end: the first key is the least recently used
  forgetOldest();
  return logo;
}

// --- internal ---

const MOST_LOGOS = 100;
const MOST_BYTES = 8 * 1024 * 1024;

const remembered = new Map<string, Logo | null>();

function forgetOldest(): void {
  let bytes = 0;
  for (const logo of remembered.values()) bytes += logo?.bytes.length ?? 0;
  for (const [key, logo] of remembered) {
    if (remembered.size <= MOST_LOGOS && bytes <= MOST_BYTES) return;
    remembered.delete(key);
    bytes -= logo?.bytes.length ?? 0;
  }
}
