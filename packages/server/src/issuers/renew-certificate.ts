import type { IssuerDeps, IssuerTarget } from './administer-issuers.js';
import { issuersSigningWith } from './certificate-rows.js';
import { lockIssuers } from './change-rows.js';
import type { IssuerRecord } from './issuer-record.js';
import { dismissCertificateNotices } from './notify-of-certificates.js';
import { requireOwnIssuer } from './own-issuer.js';
import {
  keepCertificate,
  noteCertificate,
  openP12File,
  requireOwnCertificate,
  type UploadedP12,
} from './signing-credentials.js';

/** A new certificate for signing. */
export interface Renewal {
  readonly p12: UploadedP12;
  /** Whether every issuer of the account with the old certificate gets the new one. */
  readonly applyToAll: boolean;
}

/**
 * Replaces the certificate of an issuer, active or removed. The old key is overwritten, and its opened copy in this
 * process is dropped. In other processes that copy stays unused for a minute at most, since the key's version
 * identifies a signer.
 *
 * @throws Refusal CERTIFICATE_INVALID and its finer names, ISSUER_NOT_FOUND, ISSUER_FORBIDDEN
 */
export async function renewCertificate(
  parts: IssuerDeps,
  { context, id }: IssuerTarget,
  { p12, applyToAll }: Renewal,
): Promise<IssuerRecord> {
  const now = parts.clock.now();
  // Opening a container is the most expensive step, so the issuer is checked first.
  await parts.database.read((tables) => requireOwnIssuer(tables, context, id, { state: 'any' }));
  const credentials = await openP12File(parts, p12, { caller: `tenant ${context.tenant.id}`, now });
  const { issuer: renewed, ids } = await parts.database.transaction(async (tables) => {
    requireOwnCertificate(await lockIssuers(tables, context), credentials.certificate);
    const { certificate } = await requireOwnIssuer(tables, context, id, { state: 'any' });
    const alike = applyToAll && certificate ? await issuersSigningWith(tables, context, certificate.fingerprint) : [];
    const versions = new Map(alike.map(({ issuerId, keyVersion }) => [issuerId, keyVersion]));
    versions.set(id, certificate?.keyVersion ?? 0);
    for (const [issuerId, version] of versions) {
      const issuer = { id: issuerId, tenantId: context.tenant.id };
      await keepCertificate(parts, tables, { issuer, credentials, keyVersion: version + 1, now });
      await noteCertificate(parts, tables, { issuer, eventType: 'CERTIFICATE_RENEWED', credentials, now });
      await dismissCertificateNotices(tables, context.tenant.id, {
        issuerId,
        validTo: credentials.certificate.validTo,
        now,
      });
    }
    return { issuer: await requireOwnIssuer(tables, context, id, { state: 'any' }), ids: [...versions.keys()] };
  });
  for (const renewedId of ids) parts.forgetKeys(renewedId);
  return renewed;
}
