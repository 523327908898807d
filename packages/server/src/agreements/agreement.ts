import type { Language } from 'sri-core';

/** The kinds of agreement, in the order in which they are listed. */
export const AGREEMENT_TYPES = ['TERMS', 'PRIVACY', 'DPA'] as const;

/** A kind of agreement: terms of service, privacy policy, data processing agreement. */
export type AgreementType = (typeof AGREEMENT_TYPES)[number];

/** A version of an agreement, without its text. */
export interface PublishedAgreement {
  readonly id: string;
  readonly documentType: AgreementType;
  /** An opaque name: versions are compared, never ordered. */
  readonly version: string;
}

/** The status of an account's copy. `SUPERSEDED`: another version was published before this one was accepted. */
export type AgreementStatus = 'PENDING' | 'ACCEPTED' | 'SUPERSEDED';

/** An account's own copy of an agreement, without its text. */
export interface TenantAgreement {
  readonly id: string;
  readonly documentType: AgreementType;
  readonly templateVersion: string;
  readonly language: Language;
  readonly status: AgreementStatus;
  /** SHA-256 of its Markdown in UTF-8, lower-case hex. */
  readonly contentSha256: string;
  readonly generatedAt: Date;
  readonly acceptedAt: Date | null;
}

/** Whether the text names a kind of agreement. */
export function isAgreementType(text: string): text is AgreementType {
  return (AGREEMENT_TYPES as readonly string[]).includes(text);
}
