import { ApiError } from 'sri-core/client';
import { named, type TextName, t } from '../frame/language.js';
import { AtPath } from '../frame/places.js';

/** An error in the server's words, with its fields unless the form shows them. */
export function Problem({ error, hidesFields = false }: { readonly error: unknown; readonly hidesFields?: boolean }) {
  if (!(error instanceof ApiError)) return <p class="problem">{t('unexpected')}</p>;
  if (error.code === 'NETWORK_ERROR') return <p class="problem">{t('unreachable')}</p>;
  if (error.code === 'UNEXPECTED_ANSWER') return <p class="problem">{t('strangeAnswer', { status: error.status })}</p>;
  const cure = CURES[error.reason ?? ''] ?? CURES[error.code];
  const way = WAYS[error.reason ?? ''] ?? WAYS[error.code];
  return (
    <div class="problem">
      {cure !== 'cure.issued' && <p>{detailOf(error)}</p>}
      {cure && <p>{t(cure)}</p>}
      {way && !location.pathname.startsWith(AtPath[way]) && (
        <p>
          <a href={AtPath[way]}>{t(way)}</a>
        </p>
      )}
      {!hidesFields && error.errors.length > 0 && (
        <ul>
          {error.errors.map(({ field, message }) => (
            <li key={field}>{message}</li>
          ))}
        </ul>
      )}
      {/* The code is for the support desk. A field that names its own fault needs none. */}
      {!hidesFields && (
        <p class="hint">
          <code>{[error.reason ?? error.code, error.requestId].filter(Boolean).join(' · ')}</code>
        </p>
      )}
    </div>
  );
}

// --- internal ---

/** The refusals that name a status by its code, with the prefix of the texts that name it in words. */
const STATUS_IN: Readonly<Record<string, string>> = { INVALID_STATE_TRANSITION: 'status', PAYMENT_STATUS: 'payment' };

function detailOf({ detail, reason }: ApiError): string {
  const prefix = STATUS_IN[reason ?? ''];
  return prefix ? detail.replace(/[A-Z_]{4,}/, (code) => named(prefix, code)) : detail;
}

/** Remedies for refusals whose text names none. */
const CURES: Readonly<Record<string, TextName>> = {
  DOCUMENT_TYPE_NOT_ENABLED: 'cure.type',
  DOCUMENT_TYPE_NOT_IN_TIER: 'cure.plan',
  QUOTA_EXCEEDED: 'cure.plan',
  API_KEY_LIMIT_REACHED: 'cure.plan',
  BRANCH_LIMIT_REACHED: 'cure.plan',
  ISSUE_POINT_LIMIT_REACHED: 'cure.plan',
  TOO_MANY_REQUESTS: 'cure.wait',
  IDEMPOTENCY_KEY_REUSED: 'cure.issued',
};

/** The page where a refusal is remedied. */
const WAYS: Readonly<Record<string, 'account' | 'issuers' | 'documents'>> = {
  DOCUMENT_TYPE_NOT_ENABLED: 'issuers',
  ISSUER_ISSUING_PAUSED: 'issuers',
  CERTIFICATE_EXPIRED: 'issuers',
  CERTIFICATE_NOT_YET_VALID: 'issuers',
  DOCUMENT_TYPE_NOT_IN_TIER: 'account',
  QUOTA_EXCEEDED: 'account',
  API_KEY_LIMIT_REACHED: 'account',
  BRANCH_LIMIT_REACHED: 'account',
  ISSUE_POINT_LIMIT_REACHED: 'account',
  ACCOUNT_PAST_DUE: 'account',
  EMAIL_VERIFICATION_REQUIRED: 'account',
  AGREEMENT_ACCEPTANCE_REQUIRED: 'account',
  PRODUCTION_KEY_REQUIRES_PROMOTION: 'account',
  IDEMPOTENCY_KEY_REUSED: 'documents',
};
