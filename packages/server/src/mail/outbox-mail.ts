import type { Language, Scope } from 'sri-core';
import type { JobLease } from '../platform/jobs/job-rows.js';
import type { SealedSecret } from '../platform/secrets/vault.js';

/** Kinds of mail about an account's billing. */
export const BILLING_MAIL_KINDS = [
  'PAYMENT_VERIFIED',
  'PAYMENT_REJECTED',
  'PAYMENT_REFUNDED',
  'RENEWAL_DUE',
  'PAST_DUE_WARNING',
  'EXPIRED',
  'PRICE_CHANGE',
  'PRICE_WITHDRAWN',
] as const;

/** A kind of mail about an account's billing. */
export type BillingMailKind = (typeof BILLING_MAIL_KINDS)[number];

/** Kinds of mail about a refusal by the SRI. */
export const REFUSAL_MAIL_KINDS = ['DOCUMENT_RETURNED', 'DOCUMENT_NOT_AUTHORIZED'] as const;

/** A kind of mail about a refusal by the SRI. */
export type RefusalMailKind = (typeof REFUSAL_MAIL_KINDS)[number];

/** The kind of a mail; each has its own text. */
export type MailKind = 'VERIFICATION' | 'RECOVERY' | 'AUTHORIZED' | BillingMailKind | RefusalMailKind;

/** The document of a mail. */
export interface MailedDocument extends Scope {
  readonly id: string;
  readonly accessKey: string;
  /** True for a mail that the authorization caused; false for a copy that a caller requested. */
  readonly automatic: boolean;
  /** True once a caller requested the mail, which is then sent even if mails to buyers are off. */
  readonly requested: boolean;
}

/** A mail in the outbox. It commits with its cause. */
export interface OutboxMail {
  /** UUIDv7; the Message-ID is derived from it, so that a mail sent twice is recognized. */
  readonly id: string;
  readonly tenantId: string;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly language: Language;
  /** The values of the text, except the secret. */
  readonly data: Readonly<Record<string, string | null>>;
  /** The token of the link, sealed for this mail; null once it is sent. */
  readonly token: SealedSecret | null;
  /** With AUTHORIZED. */
  readonly document?: MailedDocument;
  readonly createdAt: Date;
}

/** Why a document mail waits: for the verification of its account's address, or for the next day. */
export type HeldFor = 'UNVERIFIED' | 'OVER_LIMIT';

/** The decision about a claimed mail: send, skip, or hold. */
export type Admission = 'GO' | 'SKIP' | HeldFor;

/** A mail claimed by a worker. */
export interface ClaimedMail {
  readonly lease: JobLease;
  readonly mail: OutboxMail;
  /** Finished attempts. */
  readonly attemptCount: number;
}

/** A claimed mail with its admission. */
export interface AdmittedMail extends ClaimedMail {
  readonly admission: Admission;
}

/** Waits after each failed attempt; after the last one the mail is given up. */
export const MAIL_RETRY_DELAYS_MS: readonly number[] = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000];
