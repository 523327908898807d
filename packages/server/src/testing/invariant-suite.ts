import { sql } from 'kysely';
import { INVARIANTS } from '../ops/invariants/check-invariants.js';
import type { BrokenRow, InvariantDeps } from '../ops/invariants/invariant.js';
import type { Tables } from '../platform/database/tables.js';
import { BILLING_SETTINGS, billingOf, TEST_PNG } from './billing-suite.js';
import { activeTenant, asWebApplication } from './production-tenant.js';
import { TEST_RUC, type TestServer, type TestServerOptions } from './test-server.js';
import { createDocument, postJson, SIMPLE_INVOICE, sendJson, type TestTenant } from './test-tenant.js';

/** A server with rows in every table that break no invariant. */
export async function furnishedServer(open: (options?: TestServerOptions) => Promise<TestServer>): Promise<TestServer> {
  const acknowledging = { send: async () => ({ acknowledged: true, status: 200, fault: null }) } as const;
  const server = await open({ settings: BILLING_SETTINGS, webhookSender: acknowledging });
  const tenant = await activeTenant(server, { ruc: TEST_RUC });
  const web = { ...tenant.auth, ...asWebApplication(tenant.tenantId) };
  const endpoint = await postJson(server, '/v1/webhooks', web, { url: 'https://receptor.ec/a' });
  if (endpoint.status !== 201) throw new Error(`The endpoint was refused: ${await endpoint.text()}`);
  const keys = [];
  for (const buyerId of ['GOOD-1', 'GOOD-2', 'SRI-NEVER', 'SRI-RETURNED-35', 'SRI-HTTP-503']) {
    const buyer = { ...SIMPLE_INVOICE.buyer, idType: '06', id: buyerId, name: `Comprador ${buyerId}` };
    const { accessKey } = await createDocument(server, tenant, { ...SIMPLE_INVOICE, buyer });
    await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
    keys.push(accessKey);
  }
  await moveCounter(server, tenant, 1000);
  for (let count = 0; count < 2; count += 1) await createDocument(server, tenant);
  await server.tick();
  await server.tickAfter(10_000);
  await postJson(server, `/v1/documents/${keys[0]}/void`, tenant.headers, {
    reason: 'Devuelta',
    confirmedSriVoid: true,
  });
  await billingOf(server, tenant).subscribe();
  await server.tick();
  await server.services.database.transaction((tables) => fillTheRest(tables, tenant));
  return server;
}

/** The findings of an invariant after some statements, which are then rolled back. */
export async function findingsOf(
  server: TestServer,
  { invariant, statements, databaseName }: { invariant: string; statements: readonly string[]; databaseName: string },
  parts = partsOf(server),
): Promise<readonly BrokenRow[]> {
  const { find } = INVARIANTS.find(({ name }) => name === invariant) ?? { find: null };
  if (!find) throw new Error(`There is no invariant ${invariant}.`);
  let found: readonly BrokenRow[] = [];
  const undone = server.services.database.transaction(async (tables) => {
    for (const statement of [...UNGUARDED[databaseName === 'SQLite' ? 'sqlite' : 'postgres'], ...statements]) {
      await sql.raw(statement).execute(tables);
    }
    found = await find({ ...parts, database: { read: (work) => work(tables) } }, 10);
    throw new Undone();
  });
  await undone.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return found;
}

/** The inputs of the checks on a test's server. */
export function partsOf({ services, storage }: TestServer): InvariantDeps {
  return { database: services.database, storage, vault: services.vault, signatures: 'all', keepsNotifications: true };
}

// --- internal ---

class Undone extends Error {}

/** Statements that suspend the database's own constraints for a transaction. */
const UNGUARDED = {
  sqlite: ['pragma defer_foreign_keys = on'],
  postgres: ['set local session_replication_role = replica'],
} as const;

async function moveCounter(server: TestServer, tenant: TestTenant, nextSequential: number): Promise<void> {
  await sendJson(server, 'PATCH', `/v1/issuers/${tenant.issuerId}/sequentials/01`, tenant.auth, {
    environment: 'sandbox',
    nextSequential,
  });
}

/** Inserts rows that would take long to create over the interface. */
async function fillTheRest(tables: Tables, { tenantId, issuerId }: TestTenant): Promise<void> {
  await tables
    .insertInto('mail_days')
    .values({ tenant_id: tenantId, environment: 'production', day: '2026-01-01', mail_count: 1 })
    .execute();
  await tables
    .insertInto('account_recoveries')
    .values({
      token_hash: 'r',
      id: '00000000-0000-7000-8000-0000000000aa',
      tenant_id: tenantId,
      previous_status: 'ACTIVE',
      created_at: 0,
      expires_at: 0,
    })
    .execute();
  await tables
    .insertInto('issuer_logos')
    .values({ issuer_id: issuerId, image: TEST_PNG.toString('base64') })
    .execute();
  await tables
    .insertInto('notification_preferences')
    .values({ tenant_id: tenantId, type: 'QUOTA_WARNING', channel: 'webhook', enabled: 0 })
    .execute();
  await sql`insert into invoice_links (payment_id, subscription_id, tenant_id, access_key, linked_at)
    select id, subscription_id, tenant_id, 'of the operator', 0 from payments`.execute(tables);
  const priceId = '00000000-0000-7000-8000-0000000000bb';
  await tables
    .insertInto('published_prices')
    .values({
      id: priceId,
      tier: 'STARTER',
      billing_interval: 'MONTHLY',
      previous_price_usd: '25',
      new_price_usd: '30',
      effective_at: 0,
      published_at: 0,
    })
    .execute();
  await tables
    .insertInto('price_announcements')
    .values({ price_id: priceId, tenant_id: tenantId, announced_at: 0 })
    .execute();
}
