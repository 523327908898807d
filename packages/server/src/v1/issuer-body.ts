import type { IssuerRecord } from '../tenancy/issuer-record.js';

/** The issuer as `GET /v1/issuers/:id` shows it. */
export function toIssuerBody(issuer: IssuerRecord) {
  return {
    id: issuer.id,
    ruc: issuer.ruc,
    businessName: issuer.businessName,
    tradeName: issuer.tradeName,
    branchCode: issuer.branchCode,
    issuePointCode: issuer.issuePointCode,
    branchAddress: issuer.branchAddress,
    certFingerprint: issuer.certificate?.fingerprint ?? null,
    certExpiry: issuer.certificate?.validTo.toISOString() ?? null,
    canIssue: issuer.canIssue,
  };
}

/** The issuer as registration shows it: these fields and no others. */
export function toRegisteredIssuerBody(issuer: IssuerRecord) {
  const { branchAddress: _address, canIssue: _canIssue, ...body } = toIssuerBody(issuer);
  return body;
}
