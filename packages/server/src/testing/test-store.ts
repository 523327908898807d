import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from 'sri-core';
import { createTestClock, type TestClock } from 'sri-core/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { PLAN_LIMITS } from '../accounts/plans.js';
import { insertTenant } from '../accounts/rows.js';
import { SCOPES, type Scope } from '../accounts/scopes.js';
import type { Tenant, TenantContext } from '../accounts/tenant.js';
import { insertIssuer } from '../issuers/rows.js';
import { createApiToken, hashToken } from '../keys/api-token.js';
import { insertApiKey } from '../keys/rows.js';
import { type OpenedDatabase, openDatabase } from '../open-database.js';
import type { ServerDatabase } from '../platform/database/tables.js';
import { databaseSettings } from './database-settings.js';
import { type DatabaseKind, databaseKinds } from './test-databases.js';

/** The server's database without the rest of a server, for tests of stored data that need no registration. */
export interface TestStore {
  readonly database: ServerDatabase;
  readonly clock: TestClock;
}

/** The start of a store's clock. */
export const STORE_NOW = '2026-11-21T15:00:00.000Z';

/** Describes a suite on every kind of database. Each database is empty before the first test. */
export async function describeStores(title: string, suite: (store: TestStore) => void): Promise<void> {
  for (const kind of await databaseKinds()) {
    describe.skipIf(kind.missing !== null)(`${title} on ${kind.name}`, () => {
      const clock = createTestClock(STORE_NOW);
      let opened: Awaited<ReturnType<typeof openStore>>;
      beforeAll(async () => {
        opened = await openStore(kind, clock);
      });
      afterAll(() => opened.close());
      suite({
        clock,
        get database() {
          return opened.database;
        },
      });
    });
  }
}

let made = 0;

/** Stores an account, by default in the sandbox and verified. @returns the caller that acts for it with that key. */
export async function storeTenant(
  { database, clock }: TestStore,
  columns: Partial<Tenant> = {},
  keyId: string | null = null,
): Promise<TenantContext> {
  made += 1;
  const number = made.toString().padStart(6, '0');
  const tenant: Tenant = {
    id: crypto.randomUUID(),
    email: `s${number}@ejemplo.ec`,
    ruc: `1792${number}001`,
    subscriptionTier: 'BUSINESS',
    status: 'ACTIVE',
    suspensionReason: null,
    environment: 'sandbox',
    language: 'es',
    verificationRedirectUrl: null,
    agreementAcceptedAt: null,
    agreementVersion: null,
    createdAt: clock.now(),
    recoveredAt: null,
    ...columns,
  };
  await database.transaction((tables) => insertTenant(tables, tenant));
  return { tenant, environment: tenant.environment, keyId, scopes: SCOPES };
}

/** A key as it is stored, with its token. */
export interface StoredKey {
  readonly id: string;
  readonly token: string;
}

/** Stores a key of an account: by default with all scopes, in the account's environment. */
export async function storeKey(
  { database, clock }: TestStore,
  { tenant }: Pick<TenantContext, 'tenant'>,
  columns: {
    readonly label?: string;
    readonly environment?: Tenant['environment'];
    readonly scopes?: readonly Scope[];
    readonly listed?: boolean;
    readonly createdAt?: Date;
    readonly id?: string;
  } = {},
): Promise<StoredKey> {
  const token = createApiToken(systemRandom, 'sri', columns.environment ?? tenant.environment);
  const key = {
    id: crypto.randomUUID(),
    tenantId: tenant.id,
    tokenHash: hashToken(token),
    last4: token.slice(-4),
    label: null,
    environment: tenant.environment,
    scopes: SCOPES,
    listed: true,
    createdAt: clock.now(),
    ...columns,
  };
  await database.transaction((tables) => insertApiKey(tables, key));
  return { id: key.id, token };
}

/** Stores an issuer of an account, without a certificate. */
export async function storeIssuer(
  { database, clock }: TestStore,
  { tenant }: Pick<TenantContext, 'tenant'>,
  id: string = crypto.randomUUID(),
): Promise<string> {
  const issuer = {
    id,
    tenantId: tenant.id,
    ruc: tenant.ruc,
    businessName: 'Comercial Ñandú',
    tradeName: null,
    mainAddress: null,
    branchCode: id.slice(-6, -3),
    issuePointCode: id.slice(-3),
    branchAddress: null,
    requiredAccounting: false,
    specialTaxpayer: null,
    withholdingAgent: null,
    rimpe: null,
    canIssue: true,
    logoHash: null,
  };
  const created = { issuer, documentTypes: [], logo: null, createdAt: clock.now() };
  await database.transaction((tables) => insertIssuer(tables, created));
  return id;
}

// --- internal ---

async function openStore(kind: DatabaseKind, clock: TestClock): Promise<OpenedDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sri-store-'));
  const { url, remove } = await kind.create();
  const { DATABASE_URL = null, DATABASE_SCHEMA = null } = databaseSettings(url);
  const config = {
    databaseUrl: DATABASE_URL,
    databaseSchema: DATABASE_SCHEMA,
    dataDir,
    plans: PLAN_LIMITS,
    quotaEnforcement: 'off',
    notificationTtlMs: null,
    reservedNotifications: false,
  } as const;
  const opened = await openDatabase(config, clock);
  return {
    ...opened,
    async close() {
      await opened.close();
      await remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
