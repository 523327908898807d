import { findTenant, noteAgreementAcceptance, type Tenant } from '../accounts/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import { type AgreementStanding, readAgreementStanding } from './agreement-standing.js';
import { generateAgreements } from './generate-agreements.js';
import type { AgreementParts } from './publish-agreements.js';
import { type Acceptance, acceptTenantAgreement, currentAgreements } from './rows.js';

/** What is accepted, by whom and from where. */
export interface AcceptanceRequest extends Omit<Acceptance, 'at'> {
  /** The version of the TERMS that was shown. */
  readonly termsVersion: string;
}

/**
 * Accepts an account's copies of everything that is published, as one decision: each copy keeps when, by whom and from
 * where. What was accepted before stays as it was, so that doing it twice changes nothing.
 *
 * @returns the account afterwards, and what it still has to accept.
 * @throws Refusal VERSION_MISMATCH when the TERMS in force are of another version, or agreements are switched off.
 */
export function acceptAgreements(
  parts: AgreementParts,
  tenantId: string,
  { termsVersion, byName, fromAddress, userAgent }: AcceptanceRequest,
): Promise<{ readonly tenant: Tenant; readonly standing: AgreementStanding }> {
  const at = parts.clock.now();
  return parts.database.transaction(async (tables) => {
    if (!parts.agreementsEnabled) throw new Refusal('VERSION_MISMATCH');
    await generateAgreements(parts, tables, tenantId);
    const published = await currentAgreements(tables);
    const terms = published.find(({ documentType }) => documentType === 'TERMS');
    if (terms?.version !== termsVersion) throw new Refusal('VERSION_MISMATCH');
    let accepted = false;
    for (const agreement of published) {
      const acceptance = { at, byName, fromAddress, userAgent };
      if (await acceptTenantAgreement(tables, tenantId, agreement, acceptance)) accepted = true;
    }
    if (accepted) await noteAgreementAcceptance(tables, tenantId, { at, termsVersion });
    const tenant = await findTenant(tables, tenantId);
    if (!tenant) throw new Refusal('NOT_FOUND');
    return { tenant, standing: await readAgreementStanding(parts, tables, tenantId) };
  });
}
