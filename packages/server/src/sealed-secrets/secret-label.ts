import { signingKeyLabel } from '../issuers/issuer-source.js';
import { mailTokenLabel } from '../mail/outbox-mail.js';
import type { SecretLabel } from '../platform/secrets/vault.js';
import { secretLabel } from '../webhooks/endpoint.js';
import type { StoredSecret } from './rows.js';

/** The label a stored secret was sealed under, wherever it is kept. */
export function labelOfSecret({ kind, ownerId, tenantId, keyVersion }: StoredSecret): SecretLabel {
  if (kind === 'certificate') return signingKeyLabel({ tenantId, issuerId: ownerId, keyVersion });
  if (kind === 'mail') return mailTokenLabel({ id: ownerId, tenantId });
  return secretLabel({ id: ownerId, tenantId }, keyVersion);
}
