import { mailTokenLabel } from '../mail/outbox-mail.js';
import type { StoredSecret } from '../store/sealed-secrets.js';
import { secretLabel } from '../webhooks/endpoint.js';
import { signingKeyLabel } from './issuer-source.js';
import type { SecretLabel } from './vault.js';

/** The label a stored secret was sealed under, wherever it is kept. */
export function labelOfSecret({ kind, ownerId, tenantId, keyVersion }: StoredSecret): SecretLabel {
  if (kind === 'certificate') return signingKeyLabel({ tenantId, issuerId: ownerId, keyVersion });
  if (kind === 'mail') return mailTokenLabel({ id: ownerId, tenantId });
  return secretLabel({ id: ownerId, tenantId }, keyVersion);
}
