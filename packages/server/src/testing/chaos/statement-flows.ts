import { DEFAULT_DOCUMENT_TYPE, DOCUMENT_TYPES, type DocumentType } from 'sri-core';
import { changeBilling } from '../../billing/change-billing.js';
import { verifyPayment } from '../../billing/settle-payment.js';
import { TEST_PNG } from '../billing-suite.js';
import type { TestServer } from '../test-server.js';
import { CHAOS_PASSWORD, type ChaosAccount, chaosBody, openChaosAccount } from './chaos-account.js';
import { takeAllForVerified } from './chaos-tenant.js';

/** A server with its account and its external systems. */
export interface SweptWorld {
  readonly server: TestServer;
  readonly account: ChaosAccount;
  /** Whether mails and deliveries are accepted; otherwise their attempts fail. */
  readonly outside: { takesMails: boolean; takesDeliveries: boolean };
  /** Documents as acknowledged, by idempotency key. */
  readonly acknowledged: Map<string, Acknowledged>;
  /** The number of the next account or order. */
  next(): number;
}

/** A document as acknowledged to its client. */
export interface Acknowledged {
  readonly accessKey: string;
  readonly sequential: number;
}

/** An action of a client or of the scheduler, which repeats it after a failure. */
export interface StatementFlow {
  readonly name: string;
  /** Prepares one object for the start of the flow. @returns the flow of that object. */
  prepare(world: SweptWorld): Promise<PreparedFlow>;
}

/** A flow of one object. */
export interface PreparedFlow {
  act(): Promise<unknown>;
  /** Whether the whole flow is done. */
  isDone(): Promise<boolean>;
}

/** Every flow. The flow of mails is last, so that it counts no mail of another flow. */
export const STATEMENT_FLOWS: readonly StatementFlow[] = [
  ...DOCUMENT_TYPES.map(createOf),
  { name: 'send', prepare: prepareSend },
  { name: 'submit', prepare: prepareSubmit },
  { name: 'authorize', prepare: prepareAuthorize },
  { name: 'rebuild', prepare: prepareRebuild },
  { name: 'void', prepare: prepareVoid },
  { name: 'register', prepare: prepareRegister },
  { name: 'recover', prepare: prepareRecover },
  { name: 'promote', prepare: preparePromote },
  { name: 'subscribe', prepare: prepareSubscribe },
  { name: 'report a payment', prepare: prepareReport },
  { name: 'verify a payment', prepare: prepareVerify },
  { name: 'deliver', prepare: prepareDeliver },
  { name: 'mail', prepare: prepareMail },
];

/** The web application's secret on the swept server. */
export const SWEEP_SECRET = 's'.repeat(32);

/** Runs due work until no job waits. @returns whether none is left. */
export async function settle({ server }: SweptWorld): Promise<boolean> {
  for (let round = 0; round < 40; round += 1) {
    await server.tick();
    const waiting = await server.services.database.read(async (tables) => {
      const jobs = tables.selectFrom('jobs').select('id').where('status', '=', 'PENDING').where('kind', '!=', 'TIMER');
      const submissions = tables.selectFrom('sri_jobs').select('document_id as id');
      return [...(await jobs.execute()), ...(await submissions.execute())].length;
    });
    if (waiting === 0) return true;
    await server.clock.advance(61_000);
  }
  return false;
}

/** Creates a document, or gets the existing one of that order. */
export async function create(world: SweptWorld, order: string, type: DocumentType, buyer?: string): Promise<string> {
  const { server, account, acknowledged } = world;
  const headers = { ...account.headers, 'idempotency-key': order };
  const body = JSON.stringify(chaosBody(type, buyer));
  const response = await server.request('/v1/documents', { method: 'POST', headers, body });
  const { document } = (await response.json()) as { document?: { accessKey: string; sequential: string } };
  if (!document || response.status >= 300) throw new Error(`Creating ${type} answered ${response.status}.`);
  const named = { accessKey: document.accessKey, sequential: Number(document.sequential) };
  const before = acknowledged.get(order);
  if (before && before.accessKey !== named.accessKey) throw new Error(`${order} became two documents.`);
  acknowledged.set(order, named);
  return document.accessKey;
}

/** Posts as the account, or with other headers. A conflict means that an earlier request did it. */
export async function post(world: SweptWorld, path: string, body: unknown = {}, headers?: Record<string, string>) {
  const init = { method: 'POST', headers: headers ?? world.account.headers, body: JSON.stringify(body) };
  const response = await world.server.request(path, init);
  if (response.status >= 500) throw new Error(`${path} answered ${response.status}.`);
  return response;
}

// --- internal ---

function createOf(type: DocumentType): StatementFlow {
  return {
    name: `create ${type}`,
    async prepare(world) {
      const order = `order ${world.next()}`;
      return {
        act: () => create(world, order, type),
        isDone: async () => (await statusOf(world, order)) !== null && world.acknowledged.has(order),
      };
    },
  };
}

/** A new document of the flow, and its order. */
async function made(world: SweptWorld, buyer?: string) {
  const order = `order ${world.next()}`;
  return { order, accessKey: await create(world, order, DEFAULT_DOCUMENT_TYPE, buyer) };
}

async function prepareSend(world: SweptWorld): Promise<PreparedFlow> {
  const { order, accessKey } = await made(world);
  return {
    act: () => post(world, `/v1/documents/${accessKey}/send`),
    isDone: async () => (await statusOf(world, order)) !== 'SIGNED',
  };
}

async function prepareSubmit(world: SweptWorld): Promise<PreparedFlow> {
  const { order, accessKey } = await made(world);
  await post(world, `/v1/documents/${accessKey}/send`);
  return { act: () => world.server.tick(), isDone: async () => (await statusOf(world, order)) === 'AUTHORIZED' };
}

async function prepareAuthorize(world: SweptWorld): Promise<PreparedFlow> {
  const { order, accessKey } = await made(world, 'SRI-SLOW');
  await post(world, `/v1/documents/${accessKey}/send`);
  for (let n = 0; n < 20 && (await statusOf(world, order)) !== 'RECEIVED'; n += 1) await world.server.tick();
  await world.server.clock.advance(600_000);
  const path = `/v1/documents/${accessKey}/authorize`;
  return {
    act: () => world.server.request(path, { headers: world.account.headers }),
    isDone: async () => (await statusOf(world, order)) === 'AUTHORIZED',
  };
}

async function prepareRebuild(world: SweptWorld): Promise<PreparedFlow> {
  const { order, accessKey } = await made(world, 'SRI-RETURNED-35');
  await post(world, `/v1/documents/${accessKey}/send`);
  for (let n = 0; n < 20 && (await statusOf(world, order)) !== 'RETURNED'; n += 1) await world.server.tick();
  return {
    act: () => post(world, `/v1/documents/${accessKey}/rebuild`, chaosBody(DEFAULT_DOCUMENT_TYPE)),
    isDone: async () => (await statusOf(world, order)) !== 'RETURNED',
  };
}

async function prepareVoid(world: SweptWorld): Promise<PreparedFlow> {
  const { order, accessKey } = await made(world);
  await post(world, `/v1/documents/${accessKey}/send`);
  await settle(world);
  return {
    act: () =>
      post(world, `/v1/documents/${accessKey}/void`, { confirmedSriVoid: true, reason: 'Error en el comprador' }),
    isDone: async () => (await statusOf(world, order)) === 'VOIDED',
  };
}

async function prepareRegister(world: SweptWorld): Promise<PreparedFlow> {
  const number = world.next();
  const email = `chaos${number}@ejemplo.ec`;
  const accounts = () =>
    world.server.services.database.read((tables) =>
      tables
        .selectFrom('tenants')
        .innerJoin('issuers', 'issuers.tenant_id', 'tenants.id')
        .select('tenants.id')
        .where('email', '=', email)
        .execute(),
    );
  return {
    act: () => openChaosAccount(world.server, number),
    isDone: async () => (await accounts()).length === 1,
  };
}

async function prepareRecover(world: SweptWorld): Promise<PreparedFlow> {
  const number = world.next();
  const { p12 } = await openChaosAccount(world.server, number);
  let key = '';
  return {
    async act() {
      const form = new FormData();
      form.set('cert', new Blob([Uint8Array.from(p12)]), 'chaos.p12');
      form.set('certPassword', CHAOS_PASSWORD);
      form.set('email', `chaos${number}@ejemplo.ec`);
      const response = await world.server.request('/v1/recover', { method: 'POST', body: form });
      const body = (await response.json()) as { apiKey?: string };
      if (!body.apiKey) throw new Error(`Recovering answered ${response.status}.`);
      key = body.apiKey;
    },
    async isDone() {
      const me = { headers: { authorization: `Bearer ${key}` } };
      return (await world.server.request('/v1/tenants/me', me)).status === 200;
    },
  };
}

async function preparePromote(world: SweptWorld): Promise<PreparedFlow> {
  const { tenantId, web } = await verifiedAccount(world);
  await post(world, '/v1/tenants/agreements', { termsVersion: '1.0' }, web);
  return {
    act: () => post(world, '/v1/tenants/promote', {}, web),
    async isDone() {
      const rows = await world.server.services.database.read((tables) =>
        tables.selectFrom('tenants').select('environment').where('id', '=', tenantId).execute(),
      );
      return rows[0]?.environment === 'production';
    },
  };
}

async function prepareSubscribe(world: SweptWorld): Promise<PreparedFlow> {
  const { tenantId, web } = await verifiedAccount(world);
  return {
    act: () => post(world, '/v1/subscriptions', { tier: 'STARTER' }, web),
    isDone: async () => (await paymentsOf(world, tenantId)).join() === 'PENDING',
  };
}

async function prepareReport(world: SweptWorld): Promise<PreparedFlow> {
  const { tenantId, report } = await subscribed(world);
  return { act: report, isDone: async () => (await paymentsOf(world, tenantId)).join() === 'REPORTED' };
}

async function prepareVerify(world: SweptWorld): Promise<PreparedFlow> {
  const { tenantId, paymentId, report } = await subscribed(world);
  await report();
  return {
    act: () =>
      changeBilling(world.server.services.billing, tenantId, (account, context) =>
        verifyPayment(account, paymentId, context),
      ),
    isDone: async () => (await paymentsOf(world, tenantId)).join() === 'VERIFIED',
  };
}

async function prepareDeliver(world: SweptWorld): Promise<PreparedFlow> {
  await prepareOutbox(world, 'takesDeliveries');
  return { act: () => world.server.tick(), isDone: async () => (await waitingOf(world, 'WEBHOOK')) === 0 };
}

async function prepareMail(world: SweptWorld): Promise<PreparedFlow> {
  await prepareOutbox(world, 'takesMails');
  return { act: () => world.server.tick(), isDone: async () => (await waitingOf(world, 'MAIL')) === 0 };
}

/** An authorized document whose mail or delivery failed once and is due again. */
async function prepareOutbox(world: SweptWorld, what: 'takesMails' | 'takesDeliveries'): Promise<void> {
  // Otherwise mails and deliveries of earlier cases would be refused again.
  await settle(world);
  const { order, accessKey } = await made(world);
  await post(world, `/v1/documents/${accessKey}/send`);
  world.outside[what] = false;
  for (let n = 0; n < 20 && (await statusOf(world, order)) !== 'AUTHORIZED'; n += 1) await world.server.tick();
  await world.server.tick();
  world.outside[what] = true;
  await world.server.clock.advance(120_000);
}

/** An account whose address counts as verified, and the headers of the web application for it. */
async function verifiedAccount(world: SweptWorld) {
  const { tenantId } = await openChaosAccount(world.server, world.next());
  await world.server.services.database.transaction(takeAllForVerified);
  const web = { 'x-internal-service-secret': SWEEP_SECRET, 'x-tenant-id': tenantId };
  return { tenantId, web: { ...web, 'content-type': 'application/json' }, form: web };
}

/** An account with an open payment, and a function that reports it. */
async function subscribed(world: SweptWorld) {
  const { tenantId, web, form: headers } = await verifiedAccount(world);
  const response = await post(world, '/v1/subscriptions', { tier: 'STARTER' }, web);
  const { payment } = (await response.json()) as { payment: { id: string } };
  const report = async () => {
    const body = new FormData();
    body.append('proof', new Blob([TEST_PNG], { type: 'image/png' }), 'comprobante.png');
    body.append('referenceNumber', 'REF-1');
    const init = { method: 'PATCH', headers, body };
    const { status } = await world.server.request(`/v1/payments/${payment.id}/proof`, init);
    if (status >= 500) throw new Error(`Reporting answered ${status}.`);
  };
  return { tenantId, paymentId: payment.id, report };
}

async function statusOf({ server }: SweptWorld, order: string): Promise<string | null> {
  const rows = await server.services.database.read((tables) =>
    tables.selectFrom('sri_documents').select('status').where('idempotency_key', '=', order).execute(),
  );
  return rows[0]?.status ?? null;
}

async function paymentsOf({ server }: SweptWorld, tenantId: string): Promise<readonly string[]> {
  const rows = await server.services.database.read((tables) =>
    tables.selectFrom('payments').select('status').where('tenant_id', '=', tenantId).execute(),
  );
  return rows.map(({ status }) => status);
}

async function waitingOf({ server }: SweptWorld, kind: 'MAIL' | 'WEBHOOK'): Promise<number> {
  const rows = await server.services.database.read((tables) =>
    tables.selectFrom('jobs').select('id').where('kind', '=', kind).where('status', '=', 'PENDING').execute(),
  );
  return rows.length;
}
