import { systemClock } from 'sri-core';
import { readConfig } from '../../config/config.js';
import { type OpenedDatabase, openDatabase } from '../../open-database.js';
import type { Tables } from '../../platform/database/tables.js';
import { databaseSettings } from '../database-settings.js';
import { TEST_RUC } from '../test-server.js';
import { postJson, type RequestTarget, registerTenant, type TestTenant } from '../test-tenant.js';
import { ALL_TYPES } from '../type-bodies.js';
import type { FaultContext } from './fault.js';

/** The settings of a server in a place. */
export function settingsOf({ databaseUrl, dataDirectory }: DataLocation): Record<string, string> {
  return {
    ...databaseSettings(databaseUrl),
    DATA_DIR: dataDirectory,
    INTERNAL_SERVICE_SECRET: INTERNAL_SECRET,
    ONBOARDING_RATE: '1000/1h',
    SANDBOX_MAILS_PER_DAY: '1000000',
  };
}

/** The database and the folder of a place. */
export type DataLocation = Pick<FaultContext, 'databaseUrl' | 'dataDirectory'>;

/** Opens a place's database as the next server would, which recovers it after a crash. */
export async function withDatabase<T>(context: DataLocation, work: (opened: OpenedDatabase) => Promise<T>): Promise<T> {
  const opened = await openDatabase(readConfig(settingsOf(context)), systemClock);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** Registers an account with a verified address, which may do everything that a sandbox allows. */
export async function activeTenant(server: RequestTarget, context: DataLocation): Promise<TestTenant> {
  const tenant = await registerTenant(server, { ruc: TEST_RUC, documentTypes: ALL_TYPES });
  await withDatabase(context, ({ database }) => database.transaction(takeAllForVerified));
  return { ...tenant, auth: internal(tenant.auth), headers: internal(tenant.headers) };
}

/** Marks the addresses of all accounts as verified, so that their buyers get mails. */
export async function takeAllForVerified(tables: Tables): Promise<void> {
  await tables.updateTable('tenants').set({ status: 'ACTIVE' }).execute();
}

/** Registers an endpoint of an account. @returns its signing secret. */
export async function addEndpoint(server: RequestTarget, tenant: TestTenant, url: string): Promise<string> {
  const response = await postJson(server, '/v1/webhooks', tenant.auth, { url });
  if (response.status !== 201) throw new Error(`The endpoint was refused with ${response.status}.`);
  return ((await response.json()) as { secret: string }).secret;
}

// --- internal ---

/** The web application's secret, which lifts the plan's limit of endpoints. */
const INTERNAL_SECRET = 's'.repeat(32);

function internal(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { ...headers, 'x-internal-service-secret': INTERNAL_SECRET };
}
