import { ConfigComplaint } from '../platform/config-values.js';
import { equalsSecret } from '../platform/secrets/equals-secret.js';

/** A token of the operator, with the label for the audit record. */
export interface AdminToken {
  readonly label: string;
  readonly token: string;
}

/**
 * Reads `ADMIN_TOKEN`: a token of at least 16 characters, or several as `label:token` separated by commas. Labels
 * identify the operator in the record, and several tokens allow a change without a gap.
 */
export function parseAdminTokens(text: string): readonly AdminToken[] | ConfigComplaint {
  const tokens: AdminToken[] = [];
  for (const entry of text.split(',')) {
    const [, label = DEFAULT_LABEL, token = ''] = /^(?:([a-z][\w.-]{0,31}):)?(.*)$/.exec(entry.trim()) ?? [];
    if (!/^[!-~]{16,512}$/.test(token)) {
      return new ConfigComplaint({
        es: 'escriba al menos 16 caracteres, o varios como etiqueta:token con comas.',
        en: 'give at least 16 characters, or several tokens as label:token with commas between.',
      });
    }
    if (tokens.some((other) => other.label === label)) {
      return new ConfigComplaint({
        es: 'dé a cada token su propia etiqueta, así: etiqueta:token.',
        en: 'give each token a label of its own, as label:token.',
      });
    }
    tokens.push({ label, token });
  }
  return tokens;
}

/** The matching token, or null. Compares all tokens, whichever matches. */
export function findAdminToken(tokens: readonly AdminToken[], given: string): AdminToken | null {
  return tokens.filter(({ token }) => equalsSecret(token, given))[0] ?? null;
}

// --- internal ---

const DEFAULT_LABEL = 'admin';
