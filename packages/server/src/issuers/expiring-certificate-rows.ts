import { type SqlBool, sql } from 'kysely';
import type { Tables } from '../platform/database/tables.js';

/** A certificate near its end, with the data of its notification. */
export interface ExpiringCertificate {
  readonly tenantId: string;
  readonly language: string;
  readonly issuerId: string;
  readonly branchCode: string;
  readonly issuePointCode: string;
  readonly validTo: Date;
}

/** Issuers that may sign, with their `tenants`: active issuers of accounts that are not suspended or released. */
export const MAY_SIGN = sql<SqlBool>`issuers.active = 1 and tenants.status <> 'SUSPENDED'`;

/** Certificates in use that end before `until`, in the order of their issuers' ids. */
export async function listExpiringCertificates(
  tables: Tables,
  { until, after, limit }: { readonly until: Date; readonly after: string; readonly limit: number },
): Promise<readonly ExpiringCertificate[]> {
  const rows = await expiring(tables, until)
    .where('issuers.id', '>', after)
    .orderBy('issuers.id')
    .limit(limit)
    .execute();
  return rows.map(toExpiring);
}

/** The certificates in use that end first, up to `until`. */
export async function listFirstExpiring(
  tables: Tables,
  { until, limit }: { readonly until: Date; readonly limit: number },
): Promise<readonly ExpiringCertificate[]> {
  const rows = await expiring(tables, until).orderBy('valid_to').orderBy('issuers.id').limit(limit).execute();
  return rows.map(toExpiring);
}

/** The current certificate of an issuer if it ends before `until`, otherwise null. */
export async function findExpiringCertificate(
  tables: Tables,
  issuerId: string,
  until: Date,
): Promise<ExpiringCertificate | null> {
  const row = await expiring(tables, until).where('issuers.id', '=', issuerId).executeTakeFirst();
  return row ? toExpiring(row) : null;
}

// --- internal ---

function expiring(tables: Tables, until: Date) {
  return tables
    .selectFrom('issuer_certificates')
    .innerJoin('issuers', 'issuers.id', 'issuer_certificates.issuer_id')
    .innerJoin('tenants', 'tenants.id', 'issuers.tenant_id')
    .select([
      'issuers.id',
      'issuers.tenant_id',
      'issuers.branch_code',
      'issuers.issue_point_code',
      'issuer_certificates.valid_to',
      'tenants.language',
    ])
    .where('issuer_certificates.valid_to', '<=', until.getTime())
    .where(MAY_SIGN);
}

type ExpiringRow = Awaited<ReturnType<ReturnType<typeof expiring>['execute']>>[number];

function toExpiring(row: ExpiringRow): ExpiringCertificate {
  return {
    tenantId: row.tenant_id,
    language: row.language,
    issuerId: row.id,
    branchCode: row.branch_code,
    issuePointCode: row.issue_point_code,
    validTo: new Date(row.valid_to),
  };
}
