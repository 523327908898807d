import type { ServerDatabase, Tables } from '../platform/database/tables.js';
import type { AgreementType, PublishedAgreement, TenantAgreement } from './agreement.js';
import { currentAgreements, listTenantAgreements } from './rows.js';

/** A published agreement that an account has not accepted. */
export interface OutdatedAgreement {
  readonly documentType: AgreementType;
  readonly currentVersion: string;
  /** The version accepted last, or null. */
  readonly acceptedVersion: string | null;
  readonly status: 'PENDING' | 'NOT_GENERATED';
}

/** The agreements that an account still has to accept. */
export interface AgreementStanding {
  readonly outdated: readonly OutdatedAgreement[];
  readonly hasPublishedAgreements: boolean;
}

/** Whether agreements are in use. Where they are off, none is published, generated or required. */
export interface AgreementRules {
  readonly agreementsEnabled: boolean;
}

/** The agreements that an account still has to accept; empty where agreements are switched off. */
export async function readAgreementStanding(
  { agreementsEnabled }: AgreementRules,
  tables: Tables,
  tenantId: string,
): Promise<AgreementStanding> {
  if (!agreementsEnabled) return { outdated: [], hasPublishedAgreements: false };
  return compareAgreements(await currentAgreements(tables), await listTenantAgreements(tables, tenantId));
}

/** The agreements in force; empty where agreements are switched off. */
export async function publishedAgreements({
  agreementsEnabled,
  database,
}: AgreementRules & { readonly database: ServerDatabase }): Promise<readonly PublishedAgreement[]> {
  return agreementsEnabled ? database.read(currentAgreements) : [];
}

// --- internal ---

/**
 * Compares the published agreements with an account's copies.
 *
 * @param copies the newest first. Only the version in force can be accepted, so that the newest accepted is the last one.
 */
function compareAgreements(
  published: readonly PublishedAgreement[],
  copies: readonly TenantAgreement[],
): AgreementStanding {
  const outdated = published.flatMap(({ documentType, version }): OutdatedAgreement[] => {
    const own = copies.filter((copy) => copy.documentType === documentType);
    const current = own.find((copy) => copy.templateVersion === version);
    if (current?.status === 'ACCEPTED') return [];
    const last = own.find((copy) => copy.acceptedAt !== null);
    const status = current ? 'PENDING' : 'NOT_GENERATED';
    return [{ documentType, currentVersion: version, acceptedVersion: last?.templateVersion ?? null, status }];
  });
  return { outdated, hasPublishedAgreements: published.length > 0 };
}
