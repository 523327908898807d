import type { TenantCall } from '../accounts/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import { type Answer, json } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import { required } from '../platform/http/field.js';
import { routeHandler } from '../platform/http/route.js';
import type { Services } from '../platform/http/services.js';
import { listOf, maybe, named, okBody, orNull, text, timestamp } from '../platform/schema-words.js';
import type { BillingAccount, Payment } from './account.js';
import { currentSubscription, openPayments } from './account.js';
import { requireActive } from './active-subscription.js';
import { cancelSubscription } from './cancel-subscription.js';
import { type BillingChanged, changeBilling } from './change-billing.js';
import { changeSeats } from './change-seats.js';
import { type ChangeOutcome, changeTier } from './change-tier.js';
import { billingInterval, extraSeats, paidTier } from './params.js';
import { readBilling } from './rows.js';
import {
  paymentSchema,
  subscriptionSchema,
  subscriptionWithPaymentsSchema,
  toPaymentBody,
  toSubscriptionBody,
} from './schemas.js';
import { startSubscription } from './start-subscription.js';

const bankTransferSchema = named('BankTransfer', 'The account that transfers go to.', {
  bankName: text('The bank.', 'Banco Ejemplo'),
  accountType: text('Kind of account.', 'CORRIENTE'),
  accountNumber: text('Its number.', '2100123456'),
  accountHolder: text('Whose it is.', 'Proveedor S.A.'),
  identification: text('RUC or cédula of the holder.', '1790012345001'),
});

/** The fields of the answer to starting a subscription. */
export const startFields = {
  subscription: orNull(subscriptionSchema),
  payment: orNull(paymentSchema),
  bankTransfer: orNull(bankTransferSchema),
};

const changeAnswer = okBody({
  subscription: orNull(subscriptionSchema),
  payment: orNull(paymentSchema),
  bankTransfer: maybe(orNull(bankTransferSchema)),
  effectiveAt: maybe(timestamp('When it takes effect, where that is later.')),
});

const tier = required(paidTier);

/** `GET /v1/subscriptions/me` */
export const getSubscriptions = routeHandler({
  operation: {
    id: 'getSubscriptions',
    summary: 'Gives the subscriptions of the account with their payments.',
    answers: {
      200: okBody({
        subscriptions: listOf(subscriptionWithPaymentsSchema, 'All there ever were, newest first.'),
        subscription: orNull(subscriptionSchema),
        pendingPayment: orNull(paymentSchema),
        bankTransfer: orNull(bankTransferSchema),
      }),
    },
    refuses: ['NOT_FOUND'],
  },
  answer: async ({ exchange, context }: TenantCall) => {
    const account = await readAccount(exchange.services, context.tenant.id);
    const current = currentSubscription(account);
    const open = current ? openPayments(account, current.id) : [];
    // A reported one waits for the operator.
    const pending = open.findLast(({ status }) => status !== 'REPORTED') ?? open.at(-1);
    const subscriptions = account.subscriptions.toReversed().map((subscription) => ({
      ...toSubscriptionBody(account, subscription),
      payments: account.payments
        .filter(({ subscriptionId }) => subscriptionId === subscription.id)
        .toReversed()
        .map(toPaymentBody),
    }));
    return json(200, {
      ok: true,
      subscriptions,
      subscription: current && toSubscriptionBody(account, current),
      pendingPayment: pending ? toPaymentBody(pending) : null,
      bankTransfer: exchange.services.billing.bankTransfer,
    });
  },
});

/** `POST /v1/subscriptions` */
export const postSubscription = routeHandler({
  operation: {
    id: 'startSubscription',
    summary: 'Starts a subscription, which waits for its first payment.',
    answers: { 201: okBody(startFields) },
    refuses: ['EMAIL_VERIFICATION_REQUIRED', 'SUBSCRIPTION_ALREADY_IN_FLIGHT', 'NOT_FOUND'],
  },
  body: jsonBody({ tier, billingInterval, extraSeats }),
  parse: (_exchange, { body }) => ({
    tier: body.tier,
    billingInterval: body.billingInterval ?? 'MONTHLY',
    extraSeats: body.extraSeats ?? 0,
  }),
  answer: async ({ exchange, context }: TenantCall, order) => {
    const { billing } = exchange.services;
    const changed = await changeBilling(billing, context.tenant.id, (account, at) =>
      startSubscription(account, order, at),
    );
    return json(201, { ok: true, ...showStart(exchange.services, changed.account) });
  },
});

/** `POST /v1/subscriptions/change-tier` */
export const postTierChange = routeHandler({
  operation: {
    id: 'changeTier',
    summary: 'Changes the plan, or how often it is paid.',
    answers: { 201: changeAnswer },
    refuses: [
      'NO_ACTIVE_SUBSCRIPTION',
      'TIER_CHANGE_NO_OP',
      'RENEWAL_UNPAID',
      'TIER_CHANGE_ALREADY_PENDING',
      'SEAT_CHANGE_ALREADY_PENDING',
      'CANCELLATION_ALREADY_PENDING',
      'NOT_FOUND',
    ],
  },
  body: jsonBody({ tier, billingInterval }),
  answer: ({ exchange, context }: TenantCall, { body }) =>
    answerChange(exchange.services, context.tenant.id, (account, at) => {
      const interval = body.billingInterval ?? requireActive(account).billingInterval;
      return changeTier(account, { tier: body.tier, billingInterval: interval }, at);
    }),
});

/** `POST /v1/subscriptions/seats` */
export const postSeats = routeHandler({
  operation: {
    id: 'changeSeats',
    summary: 'Changes how many further seats there are.',
    answers: { 201: changeAnswer },
    refuses: [
      'NO_ACTIVE_SUBSCRIPTION',
      'SEAT_CHANGE_NO_OP',
      'RENEWAL_UNPAID',
      'SEAT_CHANGE_ALREADY_PENDING',
      'TIER_CHANGE_ALREADY_PENDING',
      'CANCELLATION_ALREADY_PENDING',
      'NOT_FOUND',
    ],
  },
  body: jsonBody({ extraSeats: required(extraSeats) }),
  answer: ({ exchange, context }: TenantCall, { body }) =>
    answerChange(exchange.services, context.tenant.id, (account, at) => changeSeats(account, body.extraSeats, at)),
});

/** `DELETE /v1/subscriptions` */
export const deleteSubscription = routeHandler({
  operation: {
    id: 'cancelSubscription',
    summary: 'Ends the subscription with its period, or at once while it was never paid.',
    answers: {
      200: okBody({ subscription: orNull(subscriptionSchema), effectiveAt: orNull(timestamp('When it ends.')) }),
    },
    refuses: [
      'NO_ACTIVE_SUBSCRIPTION',
      'CANCELLATION_ALREADY_PENDING',
      'TIER_CHANGE_ALREADY_PENDING',
      'SEAT_CHANGE_ALREADY_PENDING',
      'NOT_FOUND',
    ],
  },
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

/** The answer to starting a subscription: the subscription, its first payment and the bank account. */
export function showStart({ billing }: Pick<Services, 'billing'>, account: BillingAccount) {
  const current = currentSubscription(account);
  const payment = current && openPayments(account, current.id).at(-1);
  return {
    subscription: current && toSubscriptionBody(account, current),
    payment: payment ? toPaymentBody(payment) : null,
    bankTransfer: billing.bankTransfer,
  };
}

/** The billing of an account. @throws Refusal NOT_FOUND */
export async function readAccount({ database }: Pick<Services, 'database'>, tenantId: string): Promise<BillingAccount> {
  const account = await database.read((tables) => readBilling(tables, tenantId));
  if (!account) throw new Refusal('NOT_FOUND');
  return account;
}

// --- internal ---

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
  return current && toSubscriptionBody(account, current);
}
