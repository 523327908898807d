import { readConfig } from '../../config/config.js';
import { markWaitingMailsSkipped } from '../../mail/index.js';
import { openDatabase } from '../../open-database.js';
import { type CompanyRequest, createTestCompany } from '../../operator/create-test-company.js';
import { createServerClock } from '../../platform/clock.js';
import { openOperatorAccess } from '../frame/operator-access.js';

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
export async function createFirstTenant({
  dataDir,
  masterKeys,
  ...request
}: CompanyRequest & { readonly dataDir: string; readonly masterKeys: string }): Promise<FirstTenant> {
  const config = readConfig({ DATA_DIR: dataDir, MASTER_KEYS: masterKeys, USE: 'own', LOG_LEVEL: 'silent' });
  await (await openDatabase(config, createServerClock(0))).close();
  const access = await openOperatorAccess(config);
  try {
    const operator = { actor: 'init', channel: 'CLI' } as const;
    const { tenant, issuer, apiKey } = await createTestCompany(access.services, request, operator);
    // The link of that mail has ended.
    await access.services.database.transaction((tables) =>
      markWaitingMailsSkipped(tables, tenant.id, ['VERIFICATION']),
    );
    return { ruc: tenant.ruc, issuerId: issuer.id, apiKey };
  } finally {
    await access.close();
  }
}
