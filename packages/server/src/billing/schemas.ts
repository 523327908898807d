import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { TIERS } from '../accounts/index.js';
import {
  flag,
  listOf,
  money,
  named,
  oneOf,
  orNull,
  type Shown,
  show,
  text,
  timestamp,
  uuid,
  whole,
} from '../platform/schema-words.js';
import {
  BILLING_INTERVALS,
  type BillingAccount,
  PAYMENT_PURPOSES,
  PAYMENT_STATUSES,
  type Payment,
  REJECTION_REASONS,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from './account.js';
import { toFraction } from './pricing.js';
import type { StoredProof } from './proof-rows.js';

const subscriptionFields = {
  id: uuid('Id of the subscription.'),
  tenantId: uuid('Id of the account.'),
  tier: oneOf(TIERS, 'The plan.', 'STARTER'),
  billingInterval: oneOf(BILLING_INTERVALS, 'How often it is paid.'),
  status: oneOf(SUBSCRIPTION_STATUSES, 'How it stands.', 'ACTIVE'),
  currentPeriodStart: orNull(timestamp('When the period began.')),
  currentPeriodEnd: orNull(timestamp('Until when it is paid.')),
  pendingTier: orNull(oneOf(TIERS, 'The plan that follows.')),
  pendingBillingInterval: orNull(oneOf(BILLING_INTERVALS, 'How often it is paid then.')),
  extraSeats: whole('Further seats.', 0, { minimum: 0 }),
  pendingExtraSeats: orNull(whole('Further seats then.', 0, { minimum: 0 })),
  initialInvoiceDocumentId: orNull(uuid('The invoice of its first payment, where it is a document of this server.')),
  createdAt: timestamp('When it was started.'),
  updatedAt: timestamp('When it last changed.'),
  canceledAt: orNull(timestamp('When it was cancelled.')),
};

const paymentFields = {
  id: uuid('Id of the payment.'),
  subscriptionId: uuid('Id of the subscription.'),
  purpose: oneOf(PAYMENT_PURPOSES, 'What it is for.'),
  status: oneOf(PAYMENT_STATUSES, 'How it stands.'),
  method: oneOf(['SPI_TRANSFER'], 'A transfer between banks.'),
  paymentCode: text('To be written on the transfer.', 'K7Q2-M4XD'),
  amount: money('Before IVA.', '20.00'),
  ivaRate: money('A fraction of the amount.', '0.1500'),
  ivaAmount: money('The IVA.', '3.00'),
  totalAmount: money('What is transferred.', '23.00'),
  targetTier: orNull(oneOf(TIERS, 'The plan that follows; null for a first payment, which changes none.', 'STARTER')),
  targetBillingInterval: oneOf(BILLING_INTERVALS, 'How often it is paid.'),
  targetExtraSeats: whole('The further seats it pays.', 0, { minimum: 0 }),
  rejectionReasonCode: orNull(oneOf(REJECTION_REASONS, 'Why it was not accepted.')),
  dueAt: timestamp('Until when it is to be paid.'),
  reportedAt: orNull(timestamp('When it was reported.')),
  verifiedAt: orNull(timestamp('When it was verified.')),
  periodStart: orNull(timestamp('Where the period that it paid begins; null until it is verified.')),
  periodEnd: orNull(timestamp('Where that period ends.')),
  invoiceDocumentId: orNull(uuid('Its invoice, where it is a document of this server.')),
  createdAt: timestamp('When it was asked for.'),
  updatedAt: timestamp('When it last changed.'),
};

/** A subscription of an account. */
export const subscriptionSchema = namedInBothSpellings('Subscription', 'What an account pays for.', subscriptionFields);

/** A bank transfer that is due, on its way or done. */
export const paymentSchema = namedInBothSpellings(
  'Payment',
  'A bank transfer that is due, on its way or done.',
  paymentFields,
);

/** A subscription with its payments. */
export const subscriptionWithPaymentsSchema = namedInBothSpellings(
  'SubscriptionWithPayments',
  'A subscription with its payments.',
  { ...subscriptionFields, payments: listOf(paymentSchema, 'Its payments, newest first.') },
);

/** A proof of a transfer. */
export const proofSchema = named('PaymentProof', 'A proof of a transfer, without its content.', {
  id: uuid('Id of the proof.'),
  filename: text('Name of the file.', 'comprobante.png'),
  mimeType: text('Its type.', 'image/png'),
  referenceNumber: text('Number of the transfer.', '123456'),
  active: flag('Whether it counts.'),
  createdAt: timestamp('When it was sent.'),
  sizeBytes: whole('Its size.', 20480, { minimum: 0 }),
  sha256: text('SHA-256 of its content, hex.', '3f'.repeat(32)),
});

/** A subscription as shown, each field in both spellings. */
export function toSubscriptionBody(
  { tenantId, payments }: BillingAccount,
  subscription: Subscription,
): Shown<typeof subscriptionSchema> {
  const first = payments.find(
    ({ subscriptionId, purpose }) => subscriptionId === subscription.id && purpose === 'INITIAL',
  );
  const initialInvoiceDocumentId = first?.invoiceDocumentId ?? null;
  return inBothSpellings(
    show(Type.Object(subscriptionFields), { ...subscription, tenantId, initialInvoiceDocumentId }),
  );
}

/** A payment as shown, each field in both spellings. Amounts are exact decimal text. */
export function toPaymentBody(payment: Payment): Shown<typeof paymentSchema> {
  const record = {
    ...payment,
    method: 'SPI_TRANSFER' as const,
    ivaRate: toFraction(payment.ivaRate),
    targetTier: payment.purpose === 'INITIAL' ? null : payment.targetTier,
    rejectionReasonCode: payment.rejectionReason,
  };
  return inBothSpellings(show(Type.Object(paymentFields), record));
}

/** A proof as shown, without its content. */
export function toProofBody(proof: StoredProof): Shown<typeof proofSchema> {
  return show(proofSchema, proof);
}

// --- internal ---

type Spelled<Fields> = Fields & {
  readonly [Name in keyof Fields as Name extends string ? SnakeCase<Name> : never]: Fields[Name];
};

type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Uppercase<Head> ? (Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`) : Head}${SnakeCase<Tail>}`
  : '';

/** Adds `billing_interval` for `billingInterval`: clients of both conventions read these records. */
function inBothSpellings<Fields extends Readonly<Record<string, unknown>>>(record: Fields): Spelled<Fields> {
  const snake = Object.entries(record).map(([name, value]) => [toSnakeCase(name), value]);
  // The type has the same spelling as the function.
  return { ...record, ...Object.fromEntries(snake) } as Spelled<Fields>;
}

function namedInBothSpellings<Fields extends Record<string, TSchema>>(
  name: string,
  description: string,
  fields: Fields,
): TObject<Spelled<Fields>> {
  return Type.Object(inBothSpellings(fields), { $id: name, title: name, description });
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
