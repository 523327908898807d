/** Where a verification link may lead. */
export interface RedirectRules {
  /** Then https only. */
  readonly production: boolean;
  /** Hosts it may lead to, with their port where it is not the usual one. */
  readonly hosts: readonly string[];
}

/** The rule a redirect address breaks: `url`, `urlHost` or `maxLength`; null when it may be used. */
export function judgeRedirectUrl(text: string, rules: RedirectRules): 'url' | 'urlHost' | 'maxLength' | null {
  if (text.length > MAX_URL_LENGTH) return 'maxLength';
  if (UNSEEN.test(text) || !URL.canParse(text)) return 'url';
  const url = new URL(text);
  const scheme = url.protocol === 'https:' || (url.protocol === 'http:' && !rules.production);
  if (!scheme || url.username !== '' || url.password !== '' || url.hostname === '') return 'url';
  const allowed = rules.hosts.includes(url.hostname) || rules.hosts.includes(url.host);
  return allowed ? null : 'urlHost';
}

/** The hosts of the server itself, and those that the configuration names besides. */
export function redirectHosts(ownUrls: readonly string[], configured: readonly string[]): readonly string[] {
  return [...new Set([...ownUrls.map((url) => new URL(url).host), ...configured])];
}

/** Longest address that is taken. */
export const MAX_URL_LENGTH = 2048;

// --- internal ---

/** Blanks and control characters: parsing drops them, so that an address with them would be kept as none could be. */
const UNSEEN = /[\0-\x20\x7f-\x9f\s\ufffe\uffff]|\p{Cs}/u;
