import { findTenant, noteAgreementAcceptance, type Tenant } from '../accounts/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import { type AgreementStanding, readAgreementStanding } from './agreement-standing.js';
import { generateAgreements } from './generate-agreements.js';
import type { AgreementDeps } from './publish-agreements.js';
import { type Acceptance, acceptTenantAgreement, currentAgreements } from './rows.js';

/** An acceptance: the version, the person and the address. */
export interface AcceptanceRequest extends Omit<Acceptance, 'at'> {
  /** The version of the TERMS that was shown. */
  readonly termsVersion: string;
}

/**
 * Accepts an account's copies of all published agreements as one decision. Each copy stores the time, the person and
 * the address. Earlier acceptances stay as they were, so a repeat changes nothing.
 *
 * @returns the account afterwards, and the agreements still to accept.
 * @throws Refusal VERSION_MISMATCH when the TERMS in force are of another version, or agreements are switched off.
 */
export function acceptAgreements(
  parts: AgreementDeps,
  tenantId: string,
  { termsVersion, byName, fromAddress, userAgent }: AcceptanceRequest,
): Promise<{ readonly tenant: Tenant; readonly standing: AgreementStanding }> {
  return parts.database.transaction(async (tables) => {
    if (!parts.agreementsEnabled) throw new Refusal('VERSION_MISMATCH');
    await generateAgreements(parts, tables, tenantId);
    const at = parts.clock.now();
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
