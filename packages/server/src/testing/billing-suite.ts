import type { OperationAnswer } from 'sri-core/client';
import { expect } from 'vitest';
import type { RejectionReason } from '../billing/account.js';
import { changeBilling } from '../billing/change-billing.js';
import type { BillingOutcome } from '../billing/outcome.js';
import { refundPayment, rejectPayment, verifyPayment } from '../billing/settle-payment.js';
import { startSubscription } from '../billing/start-subscription.js';
import { reportWithProofs } from '../billing/upload-proof.js';
import { ownAccount, ownHistory, ownNotifications } from './own-account.js';
import { askPromotion, asWebApplication, WEB_SETTINGS } from './production-tenant.js';
import type { TestServer } from './test-server.js';
import { postJson, sendJson, type TestTenant } from './test-tenant.js';

/** The bank account of the tests' server. */
export const TEST_BANK = {
  bankName: 'Banco del Pichincha',
  accountType: 'Corriente',
  accountNumber: '2100123456',
  accountHolder: 'Facturas & Más S.A.',
  identification: '1790012345001',
} as const;

/** Settings of a server that sells plans. */
export const BILLING_SETTINGS = { ...WEB_SETTINGS, BANK_TRANSFER: JSON.stringify(TEST_BANK) } as const;

/** A day, in milliseconds. */
export const DAY_MS = 86_400_000;

/** A PNG of one pixel. */
export const TEST_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A payment as answers show it. */
export type ShownPayment = NonNullable<OperationAnswer<'getSubscriptions'>['pendingPayment']>;

/** The answer to starting or changing a subscription. */
export interface ShownChange {
  readonly subscription: NonNullable<OperationAnswer<'getSubscriptions'>['subscription']>;
  readonly payment: ShownPayment | null;
  readonly bankTransfer?: unknown;
  readonly effectiveAt?: string;
}

/** The billing actions of an account, the web application and the operator. */
export function billingOf(server: TestServer, tenant: TestTenant) {
  const web = asWebApplication(tenant.tenantId);

  async function read<Body>(response: Response | Promise<Response>, status: number): Promise<Body> {
    const answered = await response;
    const text = await answered.text();
    expect(answered.status, text).toBe(status);
    return JSON.parse(text) as Body;
  }

  function review(decide: (...args: Parameters<Parameters<typeof changeBilling>[2]>) => BillingOutcome) {
    return changeBilling(server.services.billing, tenant.tenantId, decide);
  }

  const billing = {
    /** Sends a request as the web application. */
    ask: (method: string, path: string, body?: unknown) => sendJson(server, method, path, web, body),
    start: (body: unknown = { tier: 'STARTER' }) =>
      read<ShownChange & { payment: ShownPayment }>(postJson(server, '/v1/subscriptions', web, body), 201),
    changeTier: (body: unknown) => read<ShownChange>(postJson(server, '/v1/subscriptions/change-tier', web, body), 201),
    seats: (extraSeats: number) =>
      read<ShownChange>(postJson(server, '/v1/subscriptions/seats', web, { extraSeats }), 201),
    cancel: () => read<ShownChange>(server.request('/v1/subscriptions', { method: 'DELETE', headers: web }), 200),
    report: (paymentId: string, files: readonly Uint8Array[] = [TEST_PNG]) =>
      read<{ payment: ShownPayment; proofs: readonly { id: string }[] }>(
        server.request(`/v1/payments/${paymentId}/proof`, { method: 'PATCH', headers: web, body: proofForm(files) }),
        200,
      ),
    verify: (paymentId: string) => review((account, context) => verifyPayment(account, paymentId, context)),
    reject: (paymentId: string, reason: RejectionReason = 'AMOUNT_MISMATCH') =>
      review((account) => rejectPayment(account, paymentId, reason)),
    refund: (paymentId: string) => review((account, context) => refundPayment(account, paymentId, context)),
    /** Starts a plan, reports its payment and has it verified. */
    async subscribe(body?: unknown): Promise<ShownChange & { payment: ShownPayment }> {
      const started = await billing.start(body);
      await billing.report(started.payment.id);
      await billing.verify(started.payment.id);
      return started;
    },
    mine: () =>
      read<OperationAnswer<'getSubscriptions'>>(server.request('/v1/subscriptions/me', { headers: tenant.auth }), 200),
    async payments() {
      return (await read<{ payments: readonly ShownPayment[] }>(server.request('/v1/payments', { headers: web }), 200))
        .payments;
    },
    me: () => ownAccount(server, tenant),
    /** The events of those types; without types, all events. */
    async events(...types: readonly string[]) {
      const events = await ownHistory(server, tenant);
      return events.filter(({ eventType }) => types.length === 0 || types.includes(eventType));
    },
    /** Oldest first. */
    async notices(...types: readonly string[]) {
      const notifications = await ownNotifications(server, tenant);
      return notifications.filter(({ type }) => types.length === 0 || types.includes(type)).toReversed();
    },
    /** The billing mails of the account, sent or waiting, oldest first. */
    async mails() {
      const rows = await server.services.database.read((tables) =>
        tables
          .selectFrom('jobs')
          .select('subject')
          .where('kind', '=', 'MAIL')
          .where('tenant_id', '=', tenant.tenantId)
          .where('subject', '!=', 'VERIFICATION')
          .orderBy('created_at')
          .orderBy('id')
          .execute(),
      );
      return rows.map(({ subject }) => subject);
    },
    /** The same account in production, under its new key. */
    async promote(body: unknown = {}): Promise<TestTenant> {
      const answer = await read<{ apiKeys: readonly { apiKey: string }[] }>(askPromotion(server, tenant, body), 200);
      const auth = { authorization: `Bearer ${answer.apiKeys[0]?.apiKey}` };
      return { ...tenant, auth, headers: { ...auth, 'x-issuer-id': tenant.issuerId } };
    },
  };
  return billing;
}

/** Gives an account, verified or not, a reported payment with one file. */
export async function storeReportedPayment(
  { services: { billing } }: TestServer,
  { tenantId }: TestTenant,
): Promise<{ readonly paymentId: string; readonly proofId: string }> {
  const order = { tier: 'STARTER', billingInterval: 'MONTHLY', extraSeats: 0 } as const;
  const { account } = await changeBilling(billing, tenantId, (before, context) => {
    const started = startSubscription({ ...before, status: 'ACTIVE' }, order, context);
    return { ...started, account: { ...started.account, status: before.status } };
  });
  const paymentId = account.payments[0]?.id ?? '';
  const files = [{ bytes: TEST_PNG, filename: 'a.png', mimeType: 'image/png' }];
  const { proofs } = await reportWithProofs(billing, tenantId, paymentId, { files, referenceNumber: '1' });
  return { paymentId, proofId: proofs[0]?.id ?? '' };
}

/** A form that reports a transfer. */
export function proofForm(files: readonly Uint8Array[], referenceNumber = 'REF-1'): FormData {
  const form = new FormData();
  for (const [index, bytes] of files.entries()) {
    form.append('proof', new Blob([Uint8Array.from(bytes)], { type: 'image/png' }), `comprobante ${index + 1}.png`);
  }
  form.append('referenceNumber', referenceNumber);
  return form;
}
