import { DOCUMENT_TYPES } from 'sri-core';
import { readConfig } from '../../config/config.js';
import { register } from '../../onboarding/register.js';
import { openDatabase } from '../../open-database.js';
import { verifyTenant } from '../../operator/administer-tenants.js';
import { createServerClock } from '../../platform/clock.js';
import { openOperatorAccess } from '../frame/operator-access.js';

/** The data of a first account. */
export interface FirstTenantRequest {
  readonly dataDir: string;
  readonly masterKeys: string;
  readonly p12: Uint8Array;
  readonly password: string | null;
  readonly ruc: string;
  readonly businessName: string;
  readonly email: string;
  readonly language: 'es' | 'en';
}

/** An account that can issue to the sandbox at once. */
export interface FirstTenant {
  readonly ruc: string;
  readonly issuerId: string;
  readonly apiKey: string;
}

/**
 * Creates a SQLite database with one account: registered, its address marked as verified, one branch and one sandbox
 * key.
 * @throws what registering throws.
 */
export async function createFirstTenant(request: FirstTenantRequest): Promise<FirstTenant> {
  const config = readConfig({
    DATA_DIR: request.dataDir,
    MASTER_KEYS: request.masterKeys,
    USE: 'own',
    LOG_LEVEL: 'silent',
  });
  await (await openDatabase(config, createServerClock(0))).close();
  const access = await openOperatorAccess(config);
  try {
    const { services } = access;
    const { tenant, issuer, apiKey } = await register(
      services.registration,
      {
        p12: request.p12,
        p12Password: request.password,
        logo: null,
        email: request.email,
        ruc: request.ruc,
        businessName: request.businessName,
        tradeName: null,
        mainAddress: 'Quito',
        branchCode: '001',
        issuePointCode: '001',
        requiredAccounting: false,
        specialTaxpayer: null,
        branchAddress: null,
        documentTypes: DOCUMENT_TYPES,
        initialSequentials: [],
        language: request.language,
        verificationRedirectUrl: null,
      },
      'init',
    );
    await verifyTenant(services, { actor: 'init', channel: 'CLI' }, tenant.id);
    return { ruc: tenant.ruc, issuerId: issuer.id, apiKey };
  } finally {
    await access.close();
  }
}
