import type { Selectable } from 'kysely';
import { type DocumentType, isDocumentType } from 'sri-core';
import type { TenantContext } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { IssuerRecord, StoredCertificate } from './issuer-record.js';
import type { IssuersTable } from './tables.js';

/** The result of a look-up: an issuer of the account, of another account (without its data), or no issuer. */
export type FoundIssuer =
  | { readonly kind: 'own'; readonly issuer: IssuerRecord }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'absent' };

/** The issuers that a look-up finds. */
export type IssuerState = 'active' | 'removed' | 'any';

/** Looks up an issuer for an account. */
export async function findIssuer(
  tables: Tables,
  context: TenantContext,
  issuerId: string,
  state: IssuerState = 'active',
): Promise<FoundIssuer> {
  const query = selectIssuers(tables, state).where('issuers.id', '=', issuerId);
  const [issuer] = toIssuers(await query.execute());
  return foundFor(context, issuer ?? null);
}

/** An issuer of any account, as the given account may see it. */
export function foundFor(context: TenantContext, issuer: IssuerRecord | null): FoundIssuer {
  if (!issuer) return { kind: 'absent' };
  return issuer.tenantId === context.tenant.id ? { kind: 'own', issuer } : { kind: 'foreign' };
}

/** The issuers of an account in that state, oldest first. */
export async function listIssuers(
  tables: Tables,
  context: TenantContext,
  state: IssuerState = 'active',
): Promise<readonly IssuerRecord[]> {
  const query = selectIssuers(tables, state).where('issuers.tenant_id', '=', context.tenant.id);
  return toIssuers(await query.orderBy('issuers.created_at').orderBy('issuers.id').execute());
}

/**
 * The active issuer of that id, of any account. For the engine, whose callers are authorized already. Requests use
 * `findIssuer`.
 */
export async function readIssuer(tables: Tables, issuerId: string): Promise<IssuerRecord | null> {
  return (await readIssuers(tables, [issuerId])).get(issuerId) ?? null;
}

/** The active issuers of those ids, of any account, by id. For reads that several accounts share: see `foundFor`. */
export async function readIssuers(
  tables: Tables,
  issuerIds: readonly string[],
): Promise<ReadonlyMap<string, IssuerRecord>> {
  const query = selectIssuers(tables, 'active').where('issuers.id', 'in', issuerIds);
  return new Map(toIssuers(await query.execute()).map((issuer) => [issuer.id, issuer]));
}

/** A new issuer with all its data except the certificate. */
export interface NewIssuer {
  readonly issuer: Omit<IssuerRecord, 'certificate' | 'documentTypes'>;
  /** Enabled types and stored first numbers; a number may wait for a type that is not enabled yet. */
  readonly documentTypes: readonly {
    readonly documentType: DocumentType;
    readonly active: boolean;
    readonly initialSequential: number | null;
  }[];
  /** Base64 of the re-encoded image, or null. */
  readonly logo: string | null;
  readonly createdAt: Date;
}

/** Stores a new issuer. @returns false, with nothing stored, when the taxpayer has that branch and point already. */
export async function insertIssuer(tables: Tables, { issuer, documentTypes, logo, createdAt }: NewIssuer) {
  const at = createdAt.getTime();
  const stored = await tables
    .insertInto('issuers')
    .values({
      id: issuer.id,
      tenant_id: issuer.tenantId,
      ruc: issuer.ruc,
      business_name: issuer.businessName,
      trade_name: issuer.tradeName,
      main_address: issuer.mainAddress,
      branch_code: issuer.branchCode,
      issue_point_code: issuer.issuePointCode,
      branch_address: issuer.branchAddress,
      required_accounting: issuer.requiredAccounting ? 1 : 0,
      special_taxpayer: issuer.specialTaxpayer,
      withholding_agent: issuer.withholdingAgent,
      rimpe: issuer.rimpe,
      can_issue: issuer.canIssue ? 1 : 0,
      active: 1,
      logo_hash: issuer.logoHash,
      created_at: at,
      updated_at: at,
    } satisfies IssuersTable)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!stored) return false;
  for (const { documentType, active, initialSequential } of documentTypes) {
    await tables
      .insertInto('issuer_document_types')
      .values({
        issuer_id: issuer.id,
        document_type: documentType,
        active: active ? 1 : 0,
        initial_sequential: initialSequential,
      })
      .execute();
  }
  if (logo !== null) await tables.insertInto('issuer_logos').values({ issuer_id: issuer.id, image: logo }).execute();
  return true;
}

/** All issuers of an account, active or not. */
export async function listIssuerIds(tables: Tables, tenantId: string): Promise<readonly string[]> {
  const rows = await tables
    .selectFrom('issuers')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The business name of an account: the name of its oldest active issuer, or null. */
export async function readBusinessName(tables: Tables, tenantId: string): Promise<string | null> {
  const row = await tables
    .selectFrom('issuers')
    .select('business_name')
    .where('tenant_id', '=', tenantId)
    .where('active', '=', 1)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.business_name ?? null;
}

/** The stored logo, or null. */
export async function readLogoImage(tables: Tables, issuerId: string): Promise<Uint8Array | null> {
  const row = await tables
    .selectFrom('issuer_logos')
    .select('image')
    .where('issuer_id', '=', issuerId)
    .executeTakeFirst();
  return row ? Buffer.from(row.image, 'base64') : null;
}

// --- internal ---

/** An issuer, one row per enabled type, or one row without types. */
type IssuerRow = Omit<Selectable<IssuersTable>, 'active' | 'created_at' | 'updated_at'> & {
  readonly document_type: string | null;
  readonly fingerprint: string | null;
  readonly certificate_ruc: string | null;
  readonly valid_to: number | null;
  readonly key_version: number | null;
};

/** Every batch of documents reads its issuer: one statement with named columns, so that it can be prepared. */
function selectIssuers(tables: Tables, state: IssuerState) {
  const query = tables
    .selectFrom('issuers')
    .leftJoin('issuer_certificates as certificate', 'certificate.issuer_id', 'issuers.id')
    .leftJoin('issuer_document_types as type', (join) =>
      join.onRef('type.issuer_id', '=', 'issuers.id').on('type.active', '=', 1),
    )
    .select(['issuers.id', 'issuers.tenant_id', 'issuers.ruc', 'issuers.business_name', 'issuers.trade_name'])
    .select(['issuers.main_address', 'issuers.branch_code', 'issuers.issue_point_code', 'issuers.branch_address'])
    .select(['issuers.required_accounting', 'issuers.special_taxpayer', 'issuers.withholding_agent', 'issuers.rimpe'])
    .select(['issuers.can_issue', 'issuers.logo_hash'])
    .select(['certificate.fingerprint', 'certificate.ruc as certificate_ruc'])
    .select(['certificate.valid_to', 'certificate.key_version'])
    .select('type.document_type');
  return state === 'any' ? query : query.where('issuers.active', '=', state === 'active' ? 1 : 0);
}

/** In the order of their first rows. */
function toIssuers(rows: readonly IssuerRow[]): readonly IssuerRecord[] {
  const byId = Map.groupBy(rows, ({ id }) => id);
  return [...byId.values()].map((own) => {
    const types = own.map((row) => row.document_type).filter((type) => type !== null && isDocumentType(type));
    return toIssuer(own[0] as IssuerRow, types.toSorted());
  });
}

function toIssuer(row: IssuerRow, documentTypes: readonly DocumentType[]): IssuerRecord {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    // The RUC of a released account is followed by the account's id.
    ruc: row.ruc.slice(0, 13),
    businessName: row.business_name,
    tradeName: row.trade_name,
    mainAddress: row.main_address,
    branchCode: row.branch_code,
    issuePointCode: row.issue_point_code,
    branchAddress: row.branch_address,
    requiredAccounting: row.required_accounting === 1,
    specialTaxpayer: row.special_taxpayer,
    withholdingAgent: row.withholding_agent,
    rimpe: row.rimpe as IssuerRecord['rimpe'],
    canIssue: row.can_issue === 1,
    documentTypes,
    certificate: toCertificate(row),
    logoHash: row.logo_hash,
  };
}

function toCertificate(row: IssuerRow): StoredCertificate | null {
  const { fingerprint, certificate_ruc: ruc, valid_to: validTo, key_version: keyVersion } = row;
  if (fingerprint === null || validTo === null || keyVersion === null) return null;
  return { fingerprint, ruc, validTo: new Date(validTo), keyVersion };
}
