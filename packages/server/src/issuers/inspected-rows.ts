import type { Tables } from '../platform/database/tables.js';
import { MAY_SIGN } from './expiring-certificate-rows.js';
import type { IssuerRecord } from './issuer-record.js';
import { readIssuer } from './rows.js';

/** The first issuers of the server that may sign, of all accounts, in the order of their ids: for the operator. */
export async function listInspectedIssuers(tables: Tables, limit: number): Promise<readonly IssuerRecord[]> {
  const rows = await tables
    .selectFrom('issuers')
    .innerJoin('tenants', 'tenants.id', 'issuers.tenant_id')
    .select('issuers.id')
    .where(MAY_SIGN)
    .orderBy('issuers.id')
    .limit(limit)
    .execute();
  const issuers: IssuerRecord[] = [];
  for (const { id } of rows) {
    const issuer = await readIssuer(tables, id);
    if (issuer) issuers.push(issuer);
  }
  return issuers;
}

/** The id of the active issuer of that taxpayer, branch and point, of any account; null without one. */
export async function findIssuerIdOf(
  tables: Tables,
  { ruc, branchCode, issuePointCode }: Pick<IssuerRecord, 'ruc' | 'branchCode' | 'issuePointCode'>,
): Promise<string | null> {
  const row = await tables
    .selectFrom('issuers')
    .select('id')
    .where('active', '=', 1)
    .where('ruc', '=', ruc)
    .where('branch_code', '=', branchCode)
    .where('issue_point_code', '=', issuePointCode)
    .executeTakeFirst();
  return row?.id ?? null;
}
