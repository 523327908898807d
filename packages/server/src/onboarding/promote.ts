import type { Random } from 'sri-core';
import {
  insertTenantEvent,
  lockTenant,
  moveTenantToProduction,
  type Tenant,
  type TenantContext,
} from '../accounts/index.js';
import { type AgreementRules, readAgreementStanding } from '../agreements/index.js';
import {
  type BillingAccount,
  type BillingContext,
  type BillingDeps,
  type BillingOutcome,
  changeBillingWithin,
  currentSubscription,
  inTurn,
  type Order,
  restartPeriod,
  startSubscription,
  unchanged,
} from '../billing/index.js';
import { type FirstNumber, type IssuerRecord, listIssuers, requireOwnIssuer } from '../issuers/index.js';
import { createApiToken, hashToken, insertApiKey } from '../keys/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { Refusal } from '../platform/errors/refusal.js';
import { beginProductionCounter, rememberedFirstNumbers, revokeSandboxKeys } from './promotion-rows.js';

/** Dependencies of promoting. */
export interface PromotionDeps extends AgreementRules, WriteDeps {
  readonly random: Random;
  readonly apiKeyBrand: string;
  readonly billing: BillingDeps;
}

/** The options of a promotion. */
export interface PromotionRequest {
  /**
   * The first numbers in production. Default of a counter: its current number, else the first number of its issuer,
   * else 1.
   */
  readonly firstNumbers?: readonly FirstNumber[];
  /** The plan to start with; absent for none. Ignored while a subscription exists. */
  readonly plan?: Pick<Order, 'tier' | 'billingInterval'> | null;
  /** Stores the new keys before they are valid: an interrupted promotion, or a lost answer to its commit, loses none. */
  readonly keep?: (keys: readonly PromotedKey[]) => Promise<void>;
}

/** A production key that replaces a sandbox key. */
export interface PromotedKey {
  readonly label: string | null;
  /** Its token, which exists in clear only here. */
  readonly apiKey: string;
}

/** An account in production. */
export interface Promoted {
  readonly tenant: Tenant;
  /** In the order in which the sandbox keys were created. */
  readonly keys: readonly PromotedKey[];
  /** Its billing, with the current subscription, if any. */
  readonly account: BillingAccount;
}

/**
 * Moves an account to production, for good. Each sandbox key is revoked and replaced by a production key of the same
 * label and scopes. The production counters are set, and an existing subscription restarts its period. All of it
 * commits together; of two concurrent calls one succeeds.
 *
 * @throws Refusal, in this order: NOT_FOUND; ACCOUNT_SUSPENDED; ISSUER_NOT_FOUND, ISSUER_FORBIDDEN for an issuer of
 *   `firstNumbers`; EMAIL_VERIFICATION_REQUIRED; CONFLICT when the account is in production;
 *   AGREEMENT_ACCEPTANCE_REQUIRED; CERTIFICATE_EXPIRED; CERTIFICATE_INVALID for a certificate of another taxpayer;
 *   VALIDATION_FAILED for a plan that is not offered.
 */
export async function promote(
  parts: PromotionDeps,
  tenantId: string,
  { firstNumbers = [], plan = null, keep }: PromotionRequest = {},
): Promise<Promoted> {
  const promoted = await parts.database.transaction(async (tables) => {
    const before = await lockTenant(tables, tenantId);
    if (!before) throw new Refusal('NOT_FOUND');
    if (before.status === 'SUSPENDED') throw new Refusal('ACCOUNT_SUSPENDED');
    const now = parts.clock.now();
    await requireReady(parts, tables, before, firstNumbers, now);
    await moveTenantToProduction(tables, tenantId, now);
    const tenant: Tenant = { ...before, environment: 'production' };
    for (const first of firstNumbers) await beginProductionCounter(tables, first, { replace: true, now });
    for (const first of await rememberedFirstNumbers(tables, tenantId)) {
      await beginProductionCounter(tables, first, { replace: false, now });
    }
    const keys = await mirrorKeys(parts, tables, tenantId, now);
    await insertTenantEvent(tables, tenantId, {
      id: parts.newId(now),
      eventType: 'TENANT_PROMOTED',
      detail: { environment: tenant.environment },
      createdAt: now,
    });
    const { account } = await changeBillingWithin(tables, parts.billing, tenantId, (before, context) =>
      moveBilling(before, plan, context),
    );
    await keep?.(keys);
    // Due changes may have ended a subscription.
    const status = account.isSuspended ? tenant.status : account.status;
    return { tenant: { ...tenant, subscriptionTier: account.tier, status }, keys, account };
  });
  parts.billing.wake();
  return promoted;
}

// --- internal ---

function moveBilling(account: BillingAccount, plan: PromotionRequest['plan'], context: BillingContext): BillingOutcome {
  return inTurn(
    account,
    (moved) => unchanged(restartPeriod(moved, context)),
    (moved) =>
      plan && !currentSubscription(moved)
        ? startSubscription(moved, { ...plan, extraSeats: 0 }, context)
        : unchanged(moved),
  );
}

async function requireReady(
  parts: PromotionDeps,
  tables: Tables,
  tenant: Tenant,
  firstNumbers: readonly FirstNumber[],
  now: Date,
): Promise<void> {
  const context: TenantContext = { tenant, environment: tenant.environment, keyId: null, scopes: [] };
  for (const { issuerId } of firstNumbers) await requireOwnIssuer(tables, context, issuerId);
  if (tenant.status === 'PENDING_VERIFICATION') throw new Refusal('EMAIL_VERIFICATION_REQUIRED');
  if (tenant.environment === 'production') throw new Refusal('CONFLICT', { reason: 'ALREADY_IN_PRODUCTION' });
  const { outdated } = await readAgreementStanding(parts, tables, tenant.id);
  if (outdated.length > 0) throw new Refusal('AGREEMENT_ACCEPTANCE_REQUIRED');
  requireUsableCertificates(await listIssuers(tables, context), tenant, now);
}

function requireUsableCertificates(issuers: readonly IssuerRecord[], tenant: Tenant, now: Date): void {
  const certificates = issuers.map(({ certificate }) => certificate);
  if (certificates.some((certificate) => certificate && certificate.validTo <= now)) {
    throw new Refusal('CERTIFICATE_EXPIRED');
  }
  if (certificates.includes(null)) throw new Refusal('CERTIFICATE_INVALID');
  // A certificate without a RUC is accepted, as at its upload.
  if (certificates.some((certificate) => certificate?.ruc && certificate.ruc !== tenant.ruc)) {
    throw new Refusal('CERTIFICATE_INVALID', { reason: 'RUC_MISMATCH' });
  }
}

async function mirrorKeys(
  parts: PromotionDeps,
  tables: Tables,
  tenantId: string,
  now: Date,
): Promise<readonly PromotedKey[]> {
  const keys: PromotedKey[] = [];
  for (const { label, scopes, listed } of await revokeSandboxKeys(tables, tenantId, now)) {
    const apiKey = createApiToken(parts.random, parts.apiKeyBrand, 'production');
    await insertApiKey(tables, {
      id: parts.newId(now),
      tenantId,
      tokenHash: hashToken(apiKey),
      last4: apiKey.slice(-4),
      label,
      environment: 'production',
      scopes,
      listed,
      createdAt: now,
    });
    keys.push({ label, apiKey });
  }
  return keys;
}
