import type { DocumentType } from 'sri-core';
import type { Tenant, TenantContext } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import { Refusal } from '../platform/errors/refusal.js';
import { type IssuerDeps, requireInTier } from './administer-issuers.js';
import { requireRoomFor } from './branch-limits.js';
import { lockIssuers } from './change-rows.js';
import type { IssuerRecord } from './issuer-record.js';
import { findIssuer, listIssuers, readLogoImage } from './rows.js';
import {
  openP12File,
  readSigningCredentials,
  requireOwnCertificate,
  type SigningCredentials,
  type UploadedP12,
} from './signing-credentials.js';
import { type IssuerSetup, storeNewIssuer } from './store-issuer.js';

/** A new branch or point of an account. */
export interface IssuerRequest {
  readonly branchCode: string;
  readonly issuePointCode: string;
  /** Null: the trade name of the source issuer. */
  readonly tradeName: string | null;
  /** Null: the address of the source issuer in the same branch, otherwise no address. */
  readonly branchAddress: string | null;
  readonly documentTypes: readonly DocumentType[];
  readonly initialSequentials: IssuerSetup['initialSequentials'];
  /** The source issuer; null for the account's oldest. */
  readonly sourceIssuerId: string | null;
  /** Null: the certificate of the source issuer. */
  readonly p12: UploadedP12 | null;
}

/**
 * Adds an issuer to an account. Business data, logo and, unless one is given, the certificate come from another issuer
 * of the account. The key is sealed again for the new issuer, so that each issuer's key opens for that issuer only.
 *
 * @throws Refusal CERTIFICATE_INVALID and its finer names, SOURCE_ISSUER_NOT_FOUND, EMAIL_VERIFICATION_REQUIRED,
 *   DOCUMENT_TYPE_NOT_IN_TIER, BRANCH_LIMIT_REACHED, ISSUE_POINT_LIMIT_REACHED, CONFLICT
 */
export async function addIssuer(
  parts: IssuerDeps,
  context: TenantContext,
  request: IssuerRequest,
): Promise<IssuerRecord> {
  const { database, vault, clock, plans } = parts;
  const now = clock.now();
  const requireAllowed = (tenant: Tenant) => {
    if (tenant.status === 'PENDING_VERIFICATION') throw new Refusal('EMAIL_VERIFICATION_REQUIRED');
    requireInTier(plans, tenant, request.documentTypes);
  };
  await database.read((tables) => requireSource(tables, context, request.sourceIssuerId));
  requireAllowed(context.tenant);
  // Opening a container is the most expensive step, so the other checks come first.
  const uploaded =
    request.p12 && (await openP12File(parts, request.p12, { caller: `tenant ${context.tenant.id}`, now }));
  return database.transaction(async (tables) => {
    const tenant = await lockIssuers(tables, context);
    requireAllowed(tenant);
    if (uploaded) requireOwnCertificate(tenant, uploaded.certificate);
    const source = await requireSource(tables, context, request.sourceIssuerId);
    requireRoomFor(request, await listIssuers(tables, context), plans[tenant.subscriptionTier]);
    const certificate = uploaded ?? (await readSigningCredentials(vault, tables, source));
    if (!certificate) throw new Refusal('CERTIFICATE_KEY_NOT_FOUND');
    const logo = source.logoHash === null ? null : await readLogoImage(tables, source.id);
    const setup = toSetup(request, { source, certificate, uploaded: uploaded !== null, logo });
    const stored = await storeNewIssuer(parts, tables, { tenant, setup, now });
    return stored ?? refuseTaken(await listIssuers(tables, context, 'any'), request);
  });
}

// --- internal ---

/** The refusal names the issuer that has the place: no list shows a removed one. */
function refuseTaken(issuers: readonly IssuerRecord[], { branchCode, issuePointCode }: IssuerRequest): never {
  const taken = issuers.find((issuer) => issuer.branchCode === branchCode && issuer.issuePointCode === issuePointCode);
  throw new Refusal('CONFLICT', { reason: 'ISSUER_ALREADY_EXISTS', ...(taken && { members: { issuerId: taken.id } }) });
}

async function requireSource(tables: Tables, context: TenantContext, id: string | null): Promise<IssuerRecord> {
  if (id === null) {
    const [oldest] = await listIssuers(tables, context);
    if (oldest) return oldest;
  } else {
    const found = await findIssuer(tables, context, id);
    if (found.kind === 'own') return found.issuer;
  }
  // An issuer of another account gives the same error as an unknown one.
  throw new Refusal('SOURCE_ISSUER_NOT_FOUND');
}

interface Origin {
  readonly source: IssuerRecord;
  readonly certificate: SigningCredentials;
  readonly uploaded: boolean;
  readonly logo: Uint8Array | null;
}

function toSetup(request: IssuerRequest, { source, ...taken }: Origin): IssuerSetup {
  const { branchCode, issuePointCode, documentTypes, initialSequentials } = request;
  const sameBranch = branchCode === source.branchCode;
  return {
    ...taken,
    data: {
      businessName: source.businessName,
      tradeName: request.tradeName ?? source.tradeName,
      mainAddress: source.mainAddress,
      branchCode,
      issuePointCode,
      branchAddress: request.branchAddress ?? (sameBranch ? source.branchAddress : null),
      requiredAccounting: source.requiredAccounting,
      specialTaxpayer: source.specialTaxpayer,
      withholdingAgent: source.withholdingAgent,
      rimpe: source.rimpe,
    },
    documentTypes,
    initialSequentials,
  };
}
