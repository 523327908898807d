import { oneLine } from '../platform/one-line.js';
import { MAIL_REASONS } from './mail-reasons.js';

/**
 * The reason of a failed mail for the account: the mail server's own words, if any, else a description without hosts,
 * ports, users or passwords.
 */
export function describeMailError(error: unknown): string {
  const { code, responseCode, response } = toDetails(error);
  if (code === 'EAUTH') return MAIL_REASONS.LOGIN_REFUSED.en;
  if (typeof responseCode === 'number' && typeof response === 'string') return oneLine(response).slice(0, MAX_LENGTH);
  if (typeof code === 'string' && UNREACHABLE.has(code)) return MAIL_REASONS.UNREACHABLE.en;
  return MAIL_REASONS.NOT_SENT.en;
}

// --- internal ---

const MAX_LENGTH = 300;
const UNREACHABLE = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND']);

function toDetails(error: unknown): { code?: unknown; responseCode?: unknown; response?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}
