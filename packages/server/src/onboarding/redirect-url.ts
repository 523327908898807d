import type { Input } from '../platform/http/field.js';

/** The allowed targets of a verification link. */
export interface RedirectRules {
  /** In production: https only. */
  readonly production: boolean;
  /** The allowed hosts. Without a port, every port of the host is allowed. */
  readonly hosts: readonly string[];
}

/** The rule that a redirect address breaks: `url`, `urlHost` or `maxLength`; null when it is valid. */
export function judgeRedirectUrl(text: string, rules: RedirectRules): 'url' | 'urlHost' | 'maxLength' | null {
  if (text.length > MAX_URL_LENGTH) return 'maxLength';
  if (UNSEEN.test(text) || !URL.canParse(text)) return 'url';
  const url = new URL(text);
  const scheme = url.protocol === 'https:' || (url.protocol === 'http:' && !rules.production);
  if (!scheme || url.username !== '' || url.password !== '' || url.hostname === '') return 'url';
  const allowed = rules.hosts.includes(url.hostname) || rules.hosts.includes(withPort(url));
  return allowed ? null : 'urlHost';
}

/** The hosts of the server itself, each with its port, and the configured ones. */
export function redirectHosts(ownUrls: readonly string[], configured: readonly string[]): readonly string[] {
  return [...new Set([...ownUrls.map((url) => withPort(new URL(url))), ...configured])];
}

/** Reports the rule that an address of a request breaks. */
export function checkRedirectUrl(url: string, rules: RedirectRules, input: Input): void {
  const broken = judgeRedirectUrl(url, rules);
  const params = { schemes: rules.production ? 'https' : 'http(s)', max: MAX_URL_LENGTH };
  if (broken) input.fail('verificationRedirectUrl', broken, params);
}

// --- internal ---

/** The token of a link must not reach another service on the same machine. */
function withPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** The longest accepted address. */
const MAX_URL_LENGTH = 2048;

/** Blanks and control characters: parsing drops them, so the stored address would differ from the text. */
const UNSEEN = /[\0-\x20\x7f-\x9f\s\ufffe\uffff]|\p{Cs}/u;
