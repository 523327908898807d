import { copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDatabase } from '../../open-database.js';
import { checkInvariants } from '../../ops/invariants/check-invariants.js';
import { expectedDeliveries } from '../chaos/received-deliveries.js';
import { SEEDED } from './process.js';
import { ServerProcess } from './server-process.js';
import { machine, WORLD_BEGINS } from './simulated-machine.js';
import { OPERATOR_TOKEN, SMALL_QUOTA, type Template, WEB_SECRET, type WorldAccount, worldConfig } from './template.js';
import type { OpenedWorld, WorldDeps, WorldPlan } from './world.js';

/** A world of servers on one SQLite file, with accounts, mails and webhooks. */
export function serverWorld({ file: template, accounts }: Template): WorldPlan {
  return {
    secrets: new Map(accounts.map(({ name, secret }) => [`https://hooks.example.com/${name}`, secret])),
    quotas: new Map(accounts.map(({ issuerId, quota }) => [issuerId, quota])),
    isHarsh: false,
    open: (parts) => openServers(template, accounts, parts),
  };
}

// --- internal ---

let opened = 0;

/** The headers with which the web application acts for an account. */
function webOf({ tenantId }: { readonly tenantId: string }) {
  return { 'x-internal-service-secret': WEB_SECRET, 'x-tenant-id': tenantId };
}

/** The report of a transfer, with its picture. */
function transferProof(): FormData {
  const form = new FormData();
  form.append('proof', new Blob([Uint8Array.from(PICTURE)], { type: 'image/png' }), 'transferencia.png');
  form.append('referenceNumber', 'REF-1');
  return form;
}

/** A PNG of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function openServers(
  template: string,
  accounts: readonly WorldAccount[],
  { ledger, outside, weather, log, process }: WorldDeps,
): Promise<OpenedWorld> {
  opened += 1;
  const folder = join(dirname(template), String(opened));
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'app.db');
  await copyFile(template, file);
  const config = worldConfig(file);
  const clock = { now: () => new Date(machine.now()), sleep: machine.pause };
  const raw = await openDatabase(config, clock, { random: SEEDED });
  const database: typeof raw.database = {
    ...raw.database,
    async changeDocument(change, also) {
      const outcome = await raw.database.changeDocument(change, also);
      if (outcome === 'applied') ledger.changed(change);
      return outcome;
    },
  };
  const shared = { config, ledger, outside, weather, opened: { ...raw, database } };
  /** Payments that the operator accepted, with their accounts. */
  const paid = new Map<string, string>();
  const customers = accounts.map((account) => ({ ...account, environment: 'sandbox' }));

  /** Repeats a request until its answer is not a failure of the service. */
  async function until(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: () => unknown,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    for (;;) {
      const server = (await process()) as ServerProcess;
      const answer = await server.request(method, path, headers, body()).catch(() => null);
      if (answer && answer.status < 500) return answer;
      await machine.pause(100);
    }
  }

  /** Moves an account to production, where it gets another key. */
  async function promote(customer: (typeof customers)[number]): Promise<void> {
    customer.environment = 'moving';
    weather.strike('account promoted', { process: 'people', call: 'promotion' });
    const { status, body } = await until('POST', '/v1/tenants/promote', webOf(customer), () => ({}));
    log(`${customer.name} promoted ${status}`);
    // An earlier request has promoted it, and its answer with the key is lost.
    if (status === 409) {
      customer.environment = 'gone';
      return;
    }
    const [key] = (body as { apiKeys?: { apiKey: string }[] }).apiKeys ?? [];
    if (!key) {
      ledger.violate('an account is promoted', `${customer.name}: ${status} ${JSON.stringify(body)}`);
      return;
    }
    customer.apiKey = key.apiKey;
    customer.environment = 'production';
  }

  /** Replaces the key in use. */
  async function exchangeKey(customer: (typeof customers)[number]): Promise<void> {
    const from = customer.environment;
    const auth = { authorization: `Bearer ${customer.apiKey}` };
    if (from === 'moving') return;
    weather.strike('keys exchanged', { process: 'people', call: 'keys' });
    const wanted = { label: `llave ${machine.random.below(1_000_000)}`, environment: from };
    const { status, body } = await until('POST', '/v1/keys', auth, () => wanted);
    log(`${customer.name} exchanged its key ${status}`);
    if (status === 201 && customer.environment === from) customer.apiKey = (body as { apiKey: string }).apiKey;
  }

  /** Buys a plan: orders it, reports the transfer, and the operator accepts the payment. */
  async function buy(customer: (typeof customers)[number]): Promise<void> {
    const web = webOf(customer);
    await until('POST', '/v1/subscriptions', web, () => ({ tier: 'GROWTH' }));
    const { body } = await until('GET', '/v1/payments', web, () => undefined);
    const [payment] = (body as { payments: { id: string; status: string }[] }).payments;
    if (!payment) return ledger.violate('an order has its payment', customer.name);
    const reported = await until('PATCH', `/v1/payments/${payment.id}/proof`, web, () => transferProof());
    const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    const review = () => ({ decision: 'VERIFIED' });
    const accepted = await until('PATCH', `/v1/admin/payments/${payment.id}/review`, operator, review);
    log(`${customer.name} pays: ${reported.status}, ${accepted.status}`);
    // A conflict: an earlier request, whose answer was lost, accepted it.
    if (accepted.status === 200 || accepted.status === 409) paid.set(payment.id, customer.tenantId);
    else ledger.violate('a reported payment is accepted', `${customer.name}: ${JSON.stringify(accepted)}`);
  }

  return {
    begin: (name) => new ServerProcess(name, shared),
    issuing: customers.map((customer) => ({
      issuerId: customer.issuerId,
      quota: customer.quota,
      environment: () => customer.environment,
      callsOf: (server) =>
        (server as ServerProcess).calls({
          authorization: `Bearer ${customer.apiKey}`,
          'x-issuer-id': customer.issuerId,
        }),
    })),
    async meanwhile() {
      const { random } = machine;
      const customer = random.pick(customers);
      if (random.chance(0.003)) await exchangeKey(customer);
      if (random.chance(0.004) && customer.quota > SMALL_QUOTA) await buy(customer);
      if (random.chance(0.001) && customer.environment === 'sandbox') await promote(customer);
    },
    waiting: () =>
      raw.database.read(async (tables) => {
        const jobs = tables
          .selectFrom('jobs')
          .select(['id', 'due_at'])
          .where('kind', '<>', 'TIMER')
          .where('status', '=', 'PENDING');
        return (await jobs.execute()).map(({ id, due_at }) => ({ id, dueAt: due_at ?? 0 }));
      }),
    async check() {
      const parts = {
        database: raw.database,
        storage: raw.storage,
        vault: null,
        signatures: 0,
        keepsNotifications: true,
      };
      const broken = (await checkInvariants(parts)).map(
        ({ invariant, object, explanation }) => `${invariant}: ${object}: ${explanation}`,
      );
      const { notifications, sent, payments, tiers } = await raw.database.read(async (tables) => ({
        payments: await tables.selectFrom('payments').select(['id', 'status']).execute(),
        tiers: await tables.selectFrom('tenants').select(['id', 'subscription_tier']).execute(),
        notifications: await tables.selectFrom('notifications').select(['id', 'metadata']).execute(),
        sent: await tables
          .selectFrom('jobs')
          .select('id')
          .where('kind', '=', 'MAIL')
          .where('status', '=', 'SENT')
          .where('done_at', '>', WORLD_BEGINS.getTime())
          .execute(),
      }));
      const unpaid = [...paid].filter(
        ([id, tenantId]) =>
          !payments.some((payment) => payment.id === id && payment.status === 'VERIFIED') ||
          !tiers.some((tenant) => tenant.id === tenantId && tenant.subscription_tier === 'GROWTH'),
      );
      const unnotified = expectedDeliveries(notifications).filter((what) => !outside.delivered.has(what));
      const untaken = sent.filter(({ id }) => !outside.mails.has(id));
      return [
        ...broken,
        ...unpaid.map(([id]) => `an accepted payment gives its plan: ${id}`),
        ...unnotified.map((what) => `a rise of a notification reaches its receiver: ${what}`),
        ...untaken.map(({ id }) => `a mail that is stored as sent was taken: ${id}`),
      ];
    },
    find: async (issuerId, accessKey) =>
      (await raw.storage.findDocument({ issuerId, environment: 'sandbox' }, accessKey)) ??
      (await raw.storage.findDocument({ issuerId, environment: 'production' }, accessKey)),
    async close() {
      await raw.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
