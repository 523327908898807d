import { describeFailedAttempt, type Language } from 'sri-core';
import { PLAN_NAMES, SUSPENSION_REASONS, TENANT_STATUSES, type Tenant, TIERS } from '../accounts/index.js';
import { BILLING_INTERVALS, type PublishedPrice, paymentSchema, toPaymentBody } from '../billing/index.js';
import { mailReasonIn } from '../mail/index.js';
import { LANGUAGES } from '../platform/language.js';
import {
  anyObject,
  decimal,
  flag,
  maybe,
  named,
  oneOf,
  orNull,
  part,
  type Shown,
  show,
  text,
  textOfForm,
  timestamp,
  uuid,
  whole,
} from '../platform/schema-words.js';
import type { AuditEntry } from './audit-rows.js';
import { FAILED_JOB_KINDS, type FailedJob } from './failed-job-rows.js';
import type { InvoiceLink, OwnedPayment } from './payment-rows.js';
import type { ListedTenant } from './tenant-rows.js';

const ruc = textOfForm('^[0-9]{13}$', 'RUC.', '1790012345001');

export { toEventBody as showEvent } from '../accounts/index.js';

/** An account as the operator sees it. */
export const operatorTenantSchema = named('OperatorTenant', 'An account, as the operator sees it.', {
  id: uuid('Id of the account.'),
  email: text('Its address.', 'facturas@example.com'),
  ruc,
  businessName: maybe(orNull(text('Registered name.', 'Comercial Ejemplo S.A.'))),
  subscriptionTier: oneOf(PLAN_NAMES, 'Its plan.'),
  status: oneOf(TENANT_STATUSES, 'Where it stands.', 'ACTIVE'),
  suspensionReasonCode: orNull(oneOf(SUSPENSION_REASONS, 'Why it is suspended.')),
  sandbox: flag('Whether it is in the test environment.'),
  language: oneOf(LANGUAGES, 'Its language.'),
  agreementAcceptedAt: orNull(timestamp('When agreements were last accepted.')),
  agreementVersion: orNull(text('The version of the terms accepted last.', '2026-01')),
  createdAt: timestamp('When it was registered.'),
});

/** An account as the operator sees it, with its usage. */
export const operatorTenantWithUsageSchema = named('OperatorTenantWithUsage', 'An account and its use of the plan.', {
  ...operatorTenantSchema.properties,
  documentQuota: whole('Documents in the period.', 1000, { minimum: 0 }),
  documentCount: whole('Documents of the period so far.', 12, { minimum: 0 }),
});

/** A payment with its account. */
export const operatorPaymentSchema = named('OperatorPayment', 'A payment with the account it is of.', {
  ...paymentSchema.properties,
  tenant: part('The account.', {
    id: uuid('Id of the account.'),
    email: text('Its address.', 'facturas@example.com'),
    ruc,
  }),
});

/** The invoice of a payment. */
export const invoiceLinkSchema = named('InvoiceLink', 'The invoice of a payment.', {
  paymentId: uuid('The payment.'),
  subscriptionId: uuid('Its subscription.'),
  tenantId: uuid('Whose it is.'),
  accessKey: text('Access key of the invoice.', '2111202601179001234500110010020000000011234567819'),
  linkedAt: timestamp('When it was noted.'),
});

const priceFields = {
  tierPriceId: uuid('Id of the price.'),
  tier: oneOf(TIERS, 'The plan.', 'STARTER'),
  billingInterval: oneOf(BILLING_INTERVALS, 'How often it is paid.'),
  previousPriceUsd: decimal('The price before, before IVA.', 20),
  newPriceUsd: decimal('The price, before IVA.', 22),
  effectiveAt: timestamp('From when it holds.'),
  publishedAt: timestamp('When it was published.'),
  withdrawnAt: orNull(timestamp('When it was withdrawn, so that it never holds.')),
};

/** A published price. */
export const priceSchema = named('PublishedPrice', 'A published price.', priceFields);

/** A published price with the number of notified accounts. */
export const listedPriceSchema = named('ListedPrice', 'A published price and the number of notified accounts.', {
  ...priceFields,
  notifiedTenants: whole('Notified accounts.', 12, { minimum: 0 }),
});

/** A failed job. */
export const jobSchema = named('FailedJob', 'Something the server tried until it gave up.', {
  id: uuid('Id of the document, mail or delivery.'),
  kind: oneOf(FAILED_JOB_KINDS, 'What was tried.'),
  status: oneOf(['FAILED', 'PENDING'], 'Given up; PENDING once it is tried again.'),
  tenantId: uuid('Whose it is.'),
  subject: orNull(text("The kind of mail, or the webhook's event.", 'VERIFICATION')),
  accessKey: orNull(text('The document.', '2111202601179001234500110010020000000011234567819')),
  endpointId: orNull(uuid("The webhook's endpoint.")),
  attemptCount: whole('Attempts.', 5, { minimum: 0 }),
  lastError: orNull(text('What failed last.', 'HTTP_503')),
  createdAt: timestamp('When it was made.'),
});

/** An entry of the operator's record. */
export const auditSchema = named('AuditEntry', 'Something the operator did.', {
  id: uuid('Id of the entry.'),
  actor: text('Who: the label of a token, or an account of the machine.', 'admin'),
  channel: oneOf(['HTTP', 'CLI'], 'How.'),
  action: text('What.', 'tenant.suspend'),
  targetType: text('To what.', 'tenant'),
  targetId: orNull(text('To which.', '0197f3a0-c5d2-7b1e-8f00-3c2a9d4e5f60')),
  before: orNull(anyObject('How it stood before.')),
  after: orNull(anyObject('How it stood after.')),
  createdAt: timestamp('When.'),
});

/** An account as the operator sees it. */
export function showTenant(tenant: Tenant | ListedTenant): Shown<typeof operatorTenantSchema> {
  const { suspensionReason: suspensionReasonCode, environment } = tenant;
  return show(operatorTenantSchema, { ...tenant, suspensionReasonCode, sandbox: environment === 'sandbox' });
}

/** A payment with its account. */
export function showPayment(payment: OwnedPayment): Shown<typeof operatorPaymentSchema> {
  const { tenantId, email, ruc } = payment;
  return { ...toPaymentBody(payment), tenant: { id: tenantId, email, ruc } };
}

/** The invoice of a payment. */
export function showInvoiceLink(link: InvoiceLink): Shown<typeof invoiceLinkSchema> {
  return show(invoiceLinkSchema, link);
}

/** A published price; its amounts are numbers, as in the notification of it. */
export function showPrice(price: PublishedPrice): Shown<typeof priceSchema> {
  const { id: tierPriceId, previousPriceUsd, newPriceUsd } = price;
  const amounts = { previousPriceUsd: Number(previousPriceUsd), newPriceUsd: Number(newPriceUsd) };
  return show(priceSchema, { ...price, ...amounts, tierPriceId });
}

/** A failed job. */
export function showJob(job: FailedJob, language: Language): Shown<typeof jobSchema> {
  const lastError = job.lastError && mailReasonIn(language, describeFailedAttempt(job.lastError, language));
  return show(jobSchema, { ...job, status: 'FAILED', lastError });
}

/** An entry of the operator's record. */
export function showAuditEntry(entry: AuditEntry): Shown<typeof auditSchema> {
  return show(auditSchema, entry);
}
