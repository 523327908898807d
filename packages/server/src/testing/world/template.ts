import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCUMENT_TYPES, silentLogger, systemRandom } from 'sri-core';
import { createTestClock, createTestP12 } from 'sri-core/testing';
import { PLAN_LIMITS } from '../../accounts/index.js';
import { createApp } from '../../app.js';
import { composeServer } from '../../compose.js';
import { type Config, readConfig } from '../../config/config.js';
import { openDatabase } from '../../open-database.js';
import { WORLD_BEGINS } from './simulated-machine.js';

/** A registered account of a world, before anything happens in it. */
export interface WorldAccount {
  readonly name: string;
  readonly tenantId: string;
  readonly issuerId: string;
  readonly apiKey: string;
  readonly secret: string;
  /** Documents that its plan allows; the server rejects the next one. */
  readonly quota: number;
}

/** A database file with accounts, which every world begins with. */
export interface Template {
  readonly file: string;
  readonly accounts: readonly WorldAccount[];
}

/** The secret of the web application, which accepts agreements and promotes accounts. */
export const WEB_SECRET = 'w'.repeat(32);

/** The token of the operator, who reviews payments. */
export const OPERATOR_TOKEN = 'token-del-operador-del-mundo';

/** The bank account for the payments of a world. */
const TEST_BANK = {
  bankName: 'Banco del Pichincha',
  accountType: 'Corriente',
  accountNumber: '2100123456',
  accountHolder: 'Mundo S.A.',
  identification: '1790012345001',
};

/** The documents that the account with a small plan may create. */
export const SMALL_QUOTA = 40;

/** The settings of a world's servers: short times, so that a world needs few events. */
export function worldConfig(file: string): Config {
  const config = readConfig({
    DATABASE_URL: `file:${file}`,
    DATA_DIR: `${file}-data`,
    MASTER_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    INTERNAL_SERVICE_SECRET: WEB_SECRET,
    ADMIN_TOKEN: `ana:${OPERATOR_TOKEN}`,
    BANK_TRANSFER: JSON.stringify(TEST_BANK),
    ONBOARDING_RATE: '1000/1h',
    PUBLIC_RATE: '100000/1m',
    KEY_RATE: '100000/1m',
    SANDBOX_MAILS_PER_DAY: '1000000',
    QUOTA_ENFORCEMENT: 'all',
    LEASE_SECONDS: '4',
    SRI_TIMEOUT: '2s',
    SRI_RETRY_INTERVAL: '3s',
    SRI_MAX_ATTEMPTS: '3',
    SRI_AUTH_FIRST_DELAY: '200ms',
    SRI_CONCURRENCY: '64',
    WEBHOOK_TIMEOUT: '1s',
    WEBHOOK_DELAYS: Array.from({ length: 20 }, () => '2s').join(','),
    CONSOLE: 'off',
    GUIDE: 'off',
  });
  const all = { ...PLAN_LIMITS.BUSINESS, documentQuota: 1_000_000, documentTypes: DOCUMENT_TYPES };
  const plans = { ...PLAN_LIMITS, FREE: all, GROWTH: all, STARTER: { ...all, documentQuota: SMALL_QUOTA } };
  return { ...config, plans };
}

/** Registers the accounts of all worlds: two of large plans, and one of a small plan. */
export async function makeTemplate(folder: string): Promise<Template> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'template.db');
  const config = worldConfig(file);
  const clock = createTestClock(WORLD_BEGINS);
  const opened = await openDatabase(config, clock);
  const url = 'http://localhost';
  const nowhere = () => Promise.reject(new Error('Nothing is sent while accounts register.'));
  const server = composeServer({
    config,
    urls: { baseUrl: url, appUrl: url, docsUrl: `${url}/docs` },
    opened,
    masterKeys: config.masterKeys as NonNullable<Config['masterKeys']>,
    clock,
    random: systemRandom,
    logger: silentLogger,
    transport: { sandbox: nowhere, production: nowhere },
    mail: { send: async () => {}, close: () => {} },
  });
  await server.prepare();
  const app = createApp(server.services);
  const post = async (path: string, headers: Record<string, string>, body: FormData | string) => {
    const response = await app.request(path, { method: 'POST', headers, body }, { clientAddress: '190.1.2.3' });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const accounts: WorldAccount[] = [];
  for (const name of ['A', 'B', 'C']) {
    const ruc = `179${accounts.length}012345001`;
    const form = new FormData();
    const cert = await createTestP12({ ruc, password: 'clave', validFrom: new Date('2026-01-01T00:00:00Z') });
    form.append('cert', new Blob([new Uint8Array(cert)]), 'cert.p12');
    const fields = {
      certPassword: 'clave',
      email: `cuenta-${name}@ejemplo.ec`,
      ruc,
      businessName: `Cuenta ${name}`,
      branchCode: '001',
      issuePointCode: '001',
      emissionType: '1',
      requiredAccounting: 'true',
      documentTypes: DOCUMENT_TYPES.join(','),
    };
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    const { tenant, issuer, apiKey } = (await post('/v1/register', {}, form)) as {
      tenant: { id: string };
      issuer: { id: string };
      apiKey: string;
    };
    const isSmall = name === 'C';
    await opened.database.transaction((tables) =>
      tables
        .updateTable('tenants')
        .set({ status: 'ACTIVE', ...(isSmall ? { subscription_tier: 'STARTER' } : {}) })
        .where('id', '=', tenant.id)
        .execute(),
    );
    const json = { 'content-type': 'application/json' };
    const auth = { authorization: `Bearer ${apiKey}` };
    const { secret } = (await post(
      '/v1/webhooks',
      { ...auth, ...json },
      JSON.stringify({ url: `https://hooks.example.com/${name}` }),
    )) as { secret: string };
    const web = { 'x-internal-service-secret': WEB_SECRET, 'x-tenant-id': tenant.id };
    await post('/v1/tenants/agreements', { ...web, ...json }, JSON.stringify({ termsVersion: '1.0' }));
    accounts.push({
      name,
      tenantId: tenant.id,
      issuerId: issuer.id,
      apiKey,
      secret,
      quota: isSmall ? SMALL_QUOTA : Number.POSITIVE_INFINITY,
    });
  }
  await server.tick();
  await server.stop();
  await opened.close();
  return { file, accounts };
}
