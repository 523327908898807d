import type { Environment } from 'sri-core';
import type { Language } from '../language.js';
import type { Tier } from './plans.js';
import type { Scope } from './scopes.js';

/** Where an account stands. */
export type TenantStatus = 'PENDING_VERIFICATION' | 'ACTIVE' | 'SUSPENDED' | 'PAST_DUE';

/** Why an account was suspended. */
export type SuspensionReason =
  | 'PAYMENT_REVERSED'
  | 'FRAUD_SUSPECTED'
  | 'TERMS_VIOLATION'
  | 'VOLUNTARY_CLOSURE'
  | 'UNPAID_BALANCE'
  | 'OTHER';

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
  /** The world its documents are made in; `production` once promoted. */
  readonly environment: Environment;
  readonly language: Language;
  /** Where the links in verification mails lead; null for the server's own route. */
  readonly verificationRedirectUrl: string | null;
  readonly agreementAcceptedAt: Date | null;
  readonly agreementVersion: string | null;
  readonly createdAt: Date;
}

/** Who a request acts for. Every repository asks for one, so that nothing of another account can be reached. */
export interface TenantContext {
  readonly tenant: Tenant;
  /** The key's environment, which is the account's. */
  readonly environment: Environment;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}
