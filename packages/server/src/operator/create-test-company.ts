import { DOCUMENT_TYPES, type Language } from 'sri-core';
import { type Registered, register } from '../onboarding/index.js';
import type { Services } from '../platform/http/services.js';
import { verifyTenant } from './administer-tenants.js';
import type { Operator } from './operator.js';

/** The data of a company whose address counts as verified. */
export interface CompanyRequest {
  readonly p12: Uint8Array;
  readonly password: string | null;
  readonly ruc: string;
  readonly businessName: string;
  readonly email: string;
  readonly language: Language;
}

/** A RUC of no taxpayer, and the password of a certificate made for it. */
export const TEST_COMPANY = { ruc: '1799999990001', password: 'prueba' } as const;

/**
 * Registers a company that can issue to the sandbox at once: one branch, one point, every type of document.
 * @param operator on whose behalf its address is marked as verified.
 * @throws what registering throws.
 */
export async function createTestCompany(
  services: Services,
  request: CompanyRequest,
  operator: Operator,
): Promise<Registered> {
  const { p12: cert, password: certPassword, ...data } = request;
  const registered = await register(
    services.registration,
    {
      ...data,
      cert,
      certPassword,
      logo: null,
      tradeName: null,
      mainAddress: 'Quito',
      branchCode: '001',
      issuePointCode: '001',
      requiredAccounting: false,
      specialTaxpayer: null,
      withholdingAgent: null,
      rimpe: null,
      branchAddress: null,
      documentTypes: DOCUMENT_TYPES,
      initialSequentials: [],
      verificationRedirectUrl: null,
    },
    operator.actor,
  );
  await verifyTenant(services, operator, registered.tenant.id);
  return registered;
}
