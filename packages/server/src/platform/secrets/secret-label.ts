import type { StoredSecret } from './secret-rows.js';
import type { SecretLabel } from './vault.js';

/** The label under which an issuer's private key is sealed. */
export function signingKeyLabel(key: {
  readonly tenantId: string;
  readonly issuerId: string;
  readonly keyVersion: number;
}): SecretLabel {
  const { tenantId, issuerId, keyVersion } = key;
  return { tenantId, ownerId: issuerId, purpose: 'signing-key', keyVersion };
}

/** The label under which the token of a mail is sealed. */
export function mailTokenLabel(mail: { readonly id: string; readonly tenantId: string }): SecretLabel {
  return { tenantId: mail.tenantId, ownerId: mail.id, purpose: 'mail-token', keyVersion: 1 };
}

/** The label under which a version of a webhook's secret is sealed. */
export function webhookSecretLabel(
  endpoint: { readonly id: string; readonly tenantId: string },
  version: number,
): SecretLabel {
  return { tenantId: endpoint.tenantId, ownerId: endpoint.id, purpose: 'webhook-secret', keyVersion: version };
}

/** The label of a stored secret of any kind. */
export function labelOfSecret({ kind, ownerId, tenantId, keyVersion }: StoredSecret): SecretLabel {
  if (kind === 'certificate') return signingKeyLabel({ tenantId, issuerId: ownerId, keyVersion });
  if (kind === 'mail') return mailTokenLabel({ id: ownerId, tenantId });
  return webhookSecretLabel({ id: ownerId, tenantId }, keyVersion);
}
