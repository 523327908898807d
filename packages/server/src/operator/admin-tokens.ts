import { createHash, timingSafeEqual } from 'node:crypto';
import { ConfigComplaint } from '../platform/config-values.js';

/** A token of the operator's, with the name under which its use is recorded. */
export interface AdminToken {
  readonly label: string;
  readonly token: string;
}

/**
 * Reads `ADMIN_TOKEN`: a token of at least 16 characters, or several as `label:token` with commas between, so that the
 * record tells who did what and a token can be changed without a gap.
 */
export function parseAdminTokens(text: string): readonly AdminToken[] | ConfigComplaint {
  const tokens: AdminToken[] = [];
  for (const entry of text.split(',')) {
    const [, label = DEFAULT_LABEL, token = ''] = /^(?:([a-z][\w.-]{0,31}):)?(.*)$/.exec(entry.trim()) ?? [];
    if (!/^[!-~]{16,512}$/.test(token)) {
      return new ConfigComplaint('give at least 16 characters, or several tokens as label:token with commas between.');
    }
    if (tokens.some((other) => other.label === label)) {
      return new ConfigComplaint('give each token a label of its own, as label:token.');
    }
    tokens.push({ label, token });
  }
  return tokens;
}

/** The token that was given; null when it is none. Every token is compared, whichever is right. */
export function findAdminToken(tokens: readonly AdminToken[], given: string): AdminToken | null {
  const matches = tokens.filter(({ token }) => timingSafeEqual(digest(token), digest(given)));
  return matches[0] ?? null;
}

// --- internal ---

const DEFAULT_LABEL = 'admin';

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'latin1').digest();
}
