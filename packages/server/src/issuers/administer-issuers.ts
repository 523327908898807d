import { createHash } from 'node:crypto';
import type { DocumentType } from 'sri-core';
import type { Plans, Tenant, TenantContext } from '../accounts/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import { requireRoomFor } from './branch-limits.js';
import {
  hasDocuments,
  type IssuerChanges,
  lockIssuers,
  replaceLogo,
  setDocumentTypeActive,
  setIssuerActive,
  updateIssuer,
} from './change-rows.js';
import type { IssuerRecord } from './issuer-record.js';
import { type LogoDeps, readUploadedLogo } from './logo.js';
import { requireOwnIssuer } from './own-issuer.js';
import { findIssuer, listIssuers } from './rows.js';
import { type P12Deps, requireOwnCertificate } from './signing-credentials.js';
import type { NewIssuerDeps } from './store-issuer.js';

/** Dependencies of administering issuers. */
export interface IssuerDeps extends NewIssuerDeps, P12Deps, LogoDeps {
  readonly plans: Plans;
  /** Drops the opened keys of an issuer in this process. */
  readonly forgetKeys: (issuerId: string) => void;
}

/** An issuer and its account. */
export interface IssuerTarget {
  readonly context: TenantContext;
  readonly id: string;
}

/**
 * Changes the data of an issuer's later documents, or whether it may issue. Existing documents stay as they are.
 *
 * @param check may refuse, depending on the issuer.
 * @throws Refusal ISSUER_NOT_FOUND, ISSUER_FORBIDDEN
 */
export function changeIssuer(
  { database, clock }: IssuerDeps,
  { context, id }: IssuerTarget,
  changes: IssuerChanges,
  check: (issuer: IssuerRecord) => void = () => {},
): Promise<IssuerRecord> {
  return database.transaction(async (tables) => {
    await lockIssuers(tables, context);
    const issuer = await requireOwnIssuer(tables, context, id);
    check(issuer);
    await updateIssuer(tables, context, { id, changes, now: clock.now() });
    return requireOwnIssuer(tables, context, id);
  });
}

/**
 * Replaces or removes the logo of an issuer.
 *
 * @throws Refusal INVALID_FILE_UPLOAD and the others of `readUploadedLogo`, ISSUER_NOT_FOUND, ISSUER_FORBIDDEN
 */
export async function changeLogo(
  parts: IssuerDeps,
  { context, id }: IssuerTarget,
  uploaded: Uint8Array | null,
): Promise<IssuerRecord> {
  const { database, clock } = parts;
  const bytes = uploaded && (await readUploadedLogo(parts, `tenant ${context.tenant.id}`, uploaded));
  const logo = bytes && {
    image: Buffer.from(bytes).toString('base64'),
    hash: createHash('sha256').update(bytes).digest('hex'),
  };
  return database.transaction(async (tables) => {
    await lockIssuers(tables, context);
    const issuer = await requireOwnIssuer(tables, context, id);
    await replaceLogo(tables, issuer, { logo, now: clock.now() });
    return { ...issuer, logoHash: logo?.hash ?? null };
  });
}

/**
 * Removes an issuer without documents. It stays in the database and can be reactivated.
 *
 * @throws Refusal ISSUER_NOT_FOUND, ISSUER_FORBIDDEN, LAST_ISSUER_CANNOT_BE_REMOVED, ISSUER_HAS_DOCUMENTS
 */
export function removeIssuer({ database, clock }: IssuerDeps, { context, id }: IssuerTarget): Promise<void> {
  return database.transaction(async (tables) => {
    await lockIssuers(tables, context);
    const issuer = await requireOwnIssuer(tables, context, id);
    if ((await listIssuers(tables, context)).length === 1) throw new Refusal('LAST_ISSUER_CANNOT_BE_REMOVED');
    // A concurrent create either is seen below, or finds the issuer removed.
    await database.withCountersLocked(tables, issuer.id, async () => {
      if (await hasDocuments(tables, issuer)) throw new Refusal('ISSUER_HAS_DOCUMENTS');
      await setIssuerActive(tables, context, { id, active: false, now: clock.now() });
    });
  });
}

/**
 * Reactivates a removed issuer.
 *
 * @throws Refusal ISSUER_NOT_FOUND (also when it is active), ISSUER_FORBIDDEN, CERTIFICATE_INVALID when its certificate
 *   is of another taxpayer, BRANCH_LIMIT_REACHED, ISSUE_POINT_LIMIT_REACHED
 */
export function reactivateIssuer(
  { database, clock, plans }: IssuerDeps,
  { context, id }: IssuerTarget,
): Promise<IssuerRecord> {
  return database.transaction(async (tables) => {
    const tenant = await lockIssuers(tables, context);
    const inUse = await findIssuer(tables, context, id);
    if (inUse.kind === 'foreign') throw new Refusal('ISSUER_FORBIDDEN');
    const issuer = await requireOwnIssuer(tables, context, id, { state: 'removed' });
    if (issuer.certificate) requireOwnCertificate(tenant, issuer.certificate);
    requireRoomFor(issuer, await listIssuers(tables, context), plans[tenant.subscriptionTier]);
    await setIssuerActive(tables, context, { id, active: true, now: clock.now() });
    return issuer;
  });
}

/**
 * Enables a document type. If it was enabled before, its counters continue.
 *
 * @returns all enabled types, sorted.
 * @throws Refusal NOT_FOUND, FORBIDDEN; DOCUMENT_TYPE_NOT_IN_TIER unless it is enabled already.
 */
export function enableDocumentType(
  { database, plans }: IssuerDeps,
  { context, id }: IssuerTarget,
  documentType: DocumentType,
): Promise<readonly DocumentType[]> {
  return database.transaction(async (tables) => {
    const tenant = await lockIssuers(tables, context);
    const issuer = await requireOwnIssuer(tables, context, id, { refusals: 'broad' });
    if (issuer.documentTypes.includes(documentType)) return issuer.documentTypes;
    requireInTier(plans, tenant, [documentType]);
    await setDocumentTypeActive(tables, issuer, { documentType, active: true });
    return [...issuer.documentTypes, documentType].toSorted();
  });
}

/**
 * Disables a document type. Its documents and counters stay.
 *
 * @returns the remaining types, sorted.
 * @throws Refusal NOT_FOUND, FORBIDDEN, LAST_DOCUMENT_TYPE_CANNOT_BE_REMOVED
 */
export function disableDocumentType(
  { database }: IssuerDeps,
  { context, id }: IssuerTarget,
  documentType: DocumentType,
): Promise<readonly DocumentType[]> {
  return database.transaction(async (tables) => {
    await lockIssuers(tables, context);
    const issuer = await requireOwnIssuer(tables, context, id, { refusals: 'broad' });
    if (!issuer.documentTypes.includes(documentType)) throw new Refusal('NOT_FOUND');
    if (issuer.documentTypes.length === 1) throw new Refusal('LAST_DOCUMENT_TYPE_CANNOT_BE_REMOVED');
    await setDocumentTypeActive(tables, issuer, { documentType, active: false });
    return issuer.documentTypes.filter((type) => type !== documentType);
  });
}

/** @throws Refusal DOCUMENT_TYPE_NOT_IN_TIER */
export function requireInTier(plans: Plans, tenant: Tenant, documentTypes: readonly DocumentType[]): void {
  const allowed = plans[tenant.subscriptionTier].documentTypes;
  if (!documentTypes.every((type) => allowed.includes(type))) throw new Refusal('DOCUMENT_TYPE_NOT_IN_TIER');
}
