import type { Environment, Language } from 'sri-core';
import type { Transitions } from '../platform/transitions.js';
import type { Tier } from './plans.js';
import type { Scope } from './scopes.js';

/** The statuses of an account. */
export const TENANT_STATUSES = ['PENDING_VERIFICATION', 'ACTIVE', 'SUSPENDED', 'PAST_DUE'] as const;

/** The status of an account. */
export type TenantStatus = (typeof TENANT_STATUSES)[number];

/**
 * The transitions of an account's status. Recovery requires a new verification, from every status; undoing it restores
 * the status. Otherwise only an active account becomes past due. A suspension ends in the status the account would have
 * without it.
 */
export const TENANT_TRANSITIONS: Transitions<TenantStatus> = {
  PENDING_VERIFICATION: ['PENDING_VERIFICATION', 'ACTIVE', 'SUSPENDED', 'PAST_DUE'],
  ACTIVE: ['PENDING_VERIFICATION', 'SUSPENDED', 'PAST_DUE'],
  SUSPENDED: ['PENDING_VERIFICATION', 'ACTIVE', 'PAST_DUE'],
  PAST_DUE: ['PENDING_VERIFICATION', 'ACTIVE', 'SUSPENDED'],
};

/** The reasons of a suspension. */
export const SUSPENSION_REASONS = [
  'PAYMENT_REVERSED',
  'FRAUD_SUSPECTED',
  'TERMS_VIOLATION',
  'VOLUNTARY_CLOSURE',
  'UNPAID_BALANCE',
  'OTHER',
] as const;

/** The reason of a suspension. */
export type SuspensionReason = (typeof SUSPENSION_REASONS)[number];

/** An account: one taxpayer with its issuers, keys and documents. */
export interface Tenant {
  readonly id: string;
  /** As it was registered; compared trimmed and in lower case. */
  readonly email: string;
  /** 13 digits; all issuers of the account carry it. */
  readonly ruc: string;
  readonly subscriptionTier: Tier;
  readonly status: TenantStatus;
  /** Null unless SUSPENDED. */
  readonly suspensionReason: SuspensionReason | null;
  /** The environment of its documents; `production` once promoted. */
  readonly environment: Environment;
  readonly language: Language;
  /** The target of links in verification mails; null for the server's own route. */
  readonly verificationRedirectUrl: string | null;
  readonly agreementAcceptedAt: Date | null;
  readonly agreementVersion: string | null;
  readonly createdAt: Date;
  /** The time of the last recovery that waits for its verification; null when none waits. */
  readonly recoveredAt: Date | null;
}

/** The kind of a route for an account with an unverified address: tests of documents, or changes of the account. */
export type UnverifiedUse = 'sandbox' | 'refused';

/**
 * Whether a request waits for the verification of the account's address. In production every such request waits. In the
 * sandbox only changes of a recovered account wait.
 */
export function awaitsVerification(
  { status, environment, recoveredAt }: Pick<Tenant, 'status' | 'environment' | 'recoveredAt'>,
  use: UnverifiedUse,
): boolean {
  if (status !== 'PENDING_VERIFICATION') return false;
  return environment === 'production' || (use === 'refused' && recoveredAt !== null);
}

/** The account for which a request acts. Every repository takes it, so that no data of another account is reachable. */
export interface TenantContext {
  readonly tenant: Tenant;
  /** The account's environment, which its keys must match. */
  readonly environment: Environment;
  /** Null when the web application acts for the account without a key. */
  readonly keyId: string | null;
  readonly scopes: readonly Scope[];
}
