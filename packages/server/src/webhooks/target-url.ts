import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** The rule that a webhook's address breaks. */
export type TargetRule = 'url' | 'maxLength' | 'https' | 'urlCredentials' | 'urlFragment' | 'publicHost' | 'urlPort';

/** The longest address of a webhook, in characters. */
export const MAX_TARGET_LENGTH = 2048;

/**
 * Reads the address of a webhook. Its host name is checked later, at each delivery.
 *
 * @param allowInsecure for development: allows plain HTTP and local machines.
 * @returns the normalized address, or the rule it breaks.
 */
export function parseTargetUrl(
  text: string,
  { allowInsecure }: { readonly allowInsecure: boolean },
): { readonly url: URL } | { readonly rule: TargetRule } {
  if (text.length > MAX_TARGET_LENGTH) return { rule: 'maxLength' };
  // Parsing would silently drop blanks and control characters, and call another address than the given one.
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return { rule: 'url' };
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowInsecure && url.protocol === 'http:')) return { rule: 'https' };
  if (url.username !== '' || url.password !== '') return { rule: 'urlCredentials' };
  if (text.includes('#')) return { rule: 'urlFragment' };
  if (allowInsecure) return { url };
  if (!isPublicHost(bareHost(url))) return { rule: 'publicHost' };
  return isAllowedPort(url.port) ? { url } : { rule: 'urlPort' };
}

/** The host without the brackets of an IPv6 address. */
export function bareHost({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

// --- internal ---

function isPublicHost(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host);
  const name = host.replace(/\.$/, '');
  // A name without a dot belongs to the local network.
  return name.includes('.') && !LOCAL_NAMES.some((local) => name.endsWith(local));
}

/** Reserved names outside the public internet (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const LOCAL_NAMES = [
  '.localhost',
  '.local',
  '.internal',
  '.home.arpa',
  '.test',
  '.invalid',
  '.example',
  '.onion',
  '.alt',
];

/** Low ports belong to services that a forged request could harm. */
function isAllowedPort(port: string): boolean {
  return port === '' || Number(port) === 443 || Number(port) >= 1024;
}
