import type { BillingAccount, Payment } from '../billing/account.js';
import { currentSubscription, openPayments } from '../billing/account.js';
import { requireActive } from '../billing/active-subscription.js';
import { cancelSubscription } from '../billing/cancel-subscription.js';
import { type BillingChanged, changeBilling } from '../billing/change-billing.js';
import { changeSeats } from '../billing/change-seats.js';
import { type ChangeOutcome, changeTier } from '../billing/change-tier.js';
import { startSubscription } from '../billing/start-subscription.js';
import { invalid, Refusal, type RuleFailure, ruleFailure } from '../errors.js';
import { type Answer, json } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import type { Services } from '../services.js';
import { readBilling } from '../store/billing.js';
import { toPaymentBody, toSubscriptionBody } from './billing-body.js';
import { readInterval, readSeats, requirePaidTier } from './billing-params.js';

/** `GET /v1/subscriptions/me` */
export const getSubscriptions = defineHandler({
  answer: async ({ exchange, context }: TenantCall) => {
    const account = await readAccount(exchange.services, context.tenant.id);
    const current = currentSubscription(account);
    const pending = current && openPayments(account, current.id).at(-1);
    const subscriptions = account.subscriptions.toReversed().map((subscription) => ({
      ...toSubscriptionBody(account.tenantId, subscription),
      payments: account.payments
        .filter(({ subscriptionId }) => subscriptionId === subscription.id)
        .toReversed()
        .map(toPaymentBody),
    }));
    return json(200, {
      ok: true,
      subscriptions,
      subscription: current && toSubscriptionBody(account.tenantId, current),
      pendingPayment: pending ? toPaymentBody(pending) : null,
    });
  },
});

/** `POST /v1/subscriptions` */
export const postSubscription = defineHandler({
  parse: (exchange) =>
    readBody(exchange, (body, failures) => ({
      tier: requirePaidTier(body, failures),
      billingInterval: readInterval(body, failures) ?? 'MONTHLY',
      extraSeats: readSeats(body, failures) ?? 0,
    })),
  answer: async ({ exchange, context }: TenantCall, order) => {
    const { billing } = exchange.services;
    const changed = await changeBilling(billing, context.tenant.id, (account, at) =>
      startSubscription(account, order, at),
    );
    return json(201, { ok: true, ...showStart(exchange.services, changed.account) });
  },
});

/** `POST /v1/subscriptions/change-tier` */
export const postTierChange = defineHandler({
  parse: (exchange) =>
    readBody(exchange, (body, failures) => ({
      tier: requirePaidTier(body, failures),
      billingInterval: readInterval(body, failures),
    })),
  answer: ({ exchange, context }: TenantCall, { tier, billingInterval }) =>
    answerChange(exchange.services, context.tenant.id, (account, at) => {
      const interval = billingInterval ?? requireActive(account).billingInterval;
      return changeTier(account, { tier, billingInterval: interval }, at);
    }),
});

/** `POST /v1/subscriptions/seats` */
export const postSeats = defineHandler({
  parse: (exchange) =>
    readBody(exchange, (body, failures) => {
      if ((body['extraSeats'] ?? null) === null) failures.push(ruleFailure('extraSeats', 'required'));
      return readSeats(body, failures) ?? 0;
    }),
  answer: ({ exchange, context }: TenantCall, extraSeats) =>
    answerChange(exchange.services, context.tenant.id, (account, at) => changeSeats(account, extraSeats, at)),
});

/** `DELETE /v1/subscriptions` */
export const deleteSubscription = defineHandler({
  answer: async ({ exchange, context }: TenantCall) => {
    const { billing } = exchange.services;
    const { account, result } = await changeBilling(billing, context.tenant.id, cancelSubscription);
    return json(200, {
      ok: true,
      subscription: showCurrent(account),
      effectiveAt: result.effectiveAt?.toISOString() ?? null,
    });
  },
});

/** What starting a subscription answers: it, its first payment and where to transfer to. */
export function showStart({ billing }: Pick<Services, 'billing'>, account: BillingAccount) {
  const current = currentSubscription(account);
  const payment = current && openPayments(account, current.id).at(-1);
  return {
    subscription: current && toSubscriptionBody(account.tenantId, current),
    payment: payment ? toPaymentBody(payment) : null,
    bankTransfer: billing.bankTransfer,
  };
}

/** An account's billing as it stands. @throws Refusal NOT_FOUND */
export async function readAccount({ database }: Pick<Services, 'database'>, tenantId: string): Promise<BillingAccount> {
  const account = await database.read((tables) => readBilling(tables, tenantId));
  if (!account) throw new Refusal('NOT_FOUND');
  return account;
}

// --- internal ---

async function readBody<Input>(
  exchange: Exchange,
  read: (body: Awaited<ReturnType<Exchange['json']>>, failures: RuleFailure[]) => Input,
): Promise<Input> {
  const failures: RuleFailure[] = [];
  const input = read(await exchange.json(), failures);
  if (failures.length > 0) throw invalid(failures);
  return input;
}

async function answerChange(
  { billing }: Services,
  tenantId: string,
  decide: Parameters<typeof changeBilling<ChangeOutcome>>[2],
): Promise<Answer> {
  let known: readonly Payment[] = [];
  const { account, result }: BillingChanged<ChangeOutcome> = await changeBilling(billing, tenantId, (before, at) => {
    known = before.payments;
    return decide(before, at);
  });
  const payment = account.payments.find(({ id }) => known.every((each) => each.id !== id));
  return json(201, {
    ok: true,
    subscription: showCurrent(account),
    payment: payment ? toPaymentBody(payment) : null,
    ...(payment ? { bankTransfer: billing.bankTransfer } : {}),
    ...(result.effectiveAt ? { effectiveAt: result.effectiveAt.toISOString() } : {}),
  });
}

function showCurrent(account: BillingAccount) {
  const current = currentSubscription(account);
  return current && toSubscriptionBody(account.tenantId, current);
}
