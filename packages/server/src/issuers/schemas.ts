import {
  flag,
  named,
  oneOf,
  orNull,
  type Shown,
  show,
  text,
  textOfForm,
  timestamp,
  uuid,
} from '../platform/schema-words.js';
import type { IssuerRecord } from './issuer-record.js';

/** The fields of an issuer in every answer. */
export const issuerFields = {
  id: uuid('Id of the issuer, sent as `X-Issuer-Id`.'),
  ruc: textOfForm('^[0-9]{13}$', 'RUC.', '1790012345001'),
  businessName: text('Registered name.', 'Comercial Ejemplo S.A.'),
  tradeName: orNull(text('Trade name.', 'Ejemplo')),
  branchCode: textOfForm('^[0-9]{3}$', 'Branch (establecimiento).', '001'),
  issuePointCode: textOfForm('^[0-9]{3}$', 'Issue point (punto de emisión).', '001'),
  mainAddress: orNull(text('Address of the taxpayer.', 'Av. 10 de Agosto 102, Quito')),
  branchAddress: orNull(text('Address of the branch.', 'Av. Amazonas N21-147, Quito')),
  requiredAccounting: flag('Whether it must keep accounts.'),
  specialTaxpayer: orNull(text('Number of the resolution for special taxpayers.', '5368')),
  withholdingAgent: orNull(text('Number of the resolution for withholding agents.', '1')),
  rimpe: orNull(oneOf(['GENERAL', 'POPULAR'], 'Its RIMPE regime.')),
  certFingerprint: orNull(text('SHA-256 of its certificate, hex.', '3f'.repeat(32))),
  certExpiry: orNull(timestamp('Until when the certificate holds.', '2027-12-31T00:00:00.000Z')),
  canIssue: flag('Whether it may issue now.'),
};

/** A branch and issue point. */
export const issuerSchema = named(
  'Issuer',
  'A branch and issue point, with the certificate it signs with.',
  issuerFields,
);

/** An issuer in the answer of a registration. */
export const registeredIssuerSchema = named('RegisteredIssuer', 'An issuer, as registration gives it.', {
  id: issuerFields.id,
  ruc: issuerFields.ruc,
  businessName: issuerFields.businessName,
  tradeName: issuerFields.tradeName,
  branchCode: issuerFields.branchCode,
  issuePointCode: issuerFields.issuePointCode,
  certFingerprint: issuerFields.certFingerprint,
  certExpiry: issuerFields.certExpiry,
});

/** The issuer in the answer of `GET /v1/issuers/:id`. */
export function toIssuerBody(issuer: IssuerRecord): Shown<typeof issuerSchema> {
  return show(issuerSchema, withCertificate(issuer));
}

/** The issuer in the answer of a registration: these fields and no others. */
export function toRegisteredIssuerBody(issuer: IssuerRecord): Shown<typeof registeredIssuerSchema> {
  return show(registeredIssuerSchema, withCertificate(issuer));
}

// --- internal ---

function withCertificate(issuer: IssuerRecord) {
  const { fingerprint = null, validTo = null } = issuer.certificate ?? {};
  return { ...issuer, certFingerprint: fingerprint, certExpiry: validTo };
}
