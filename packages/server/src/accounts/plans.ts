import { DOCUMENT_TYPES, type DocumentType, type Environment } from 'sri-core';

/** The four subscription tiers on offer, smallest first. */
export const TIERS = ['FREE', 'STARTER', 'GROWTH', 'BUSINESS'] as const;

/** A subscription tier on offer. */
export type OfferedTier = (typeof TIERS)[number];

/** Every plan of an account: the tiers, and OWN. OWN has no limits and no price, and only the operator assigns it. */
export const PLAN_NAMES = [...TIERS, 'OWN'] as const;

/** The plan of an account. */
export type Tier = (typeof PLAN_NAMES)[number];

/**
 * The limits and prices of a tier. Prices are dollars before IVA as exact decimal text; null where it is not offered.
 */
export interface PlanLimits {
  /** Documents per calendar month. */
  readonly documentQuota: number;
  /** Keys that an account may have at one time, including the key of its registration. */
  readonly maxApiKeys: number;
  readonly maxWebhookEndpoints: number;
  readonly documentTypes: readonly DocumentType[];
  /** Branches of an account; null for no limit, as for the points. */
  readonly maxBranches: number | null;
  readonly maxIssuePointsPerBranch: number | null;
  /** Reads of one key per minute. Counted only where limits follow the tier, like the writes. */
  readonly readsPerMinute: number;
  readonly writesPerMinute: number;
  /** Mails of documents in production per day of Ecuador; null for no limit. */
  readonly mailsPerDay: number | null;
  readonly monthlyPriceUsd: string | null;
  readonly yearlyPriceUsd: string | null;
  /** One more seat in the web application. */
  readonly extraSeatMonthlyUsd: string | null;
  readonly extraSeatYearlyUsd: string | null;
}

/** Every tier with its limits and prices. */
export type Plans = Readonly<Record<Tier, PlanLimits>>;

const WITHOUT_BRANCH_LIMITS = { maxBranches: null, maxIssuePointsPerBranch: null } as const;
const SEATS = { extraSeatMonthlyUsd: '5.00', extraSeatYearlyUsd: '50.00' } as const;

/** The default plans of a server. */
export const PLAN_LIMITS: Plans = {
  FREE: {
    documentQuota: 100,
    maxApiKeys: 0,
    maxWebhookEndpoints: 1,
    documentTypes: ['01'],
    ...WITHOUT_BRANCH_LIMITS,
    readsPerMinute: 60,
    writesPerMinute: 10,
    mailsPerDay: 200,
    monthlyPriceUsd: '0.00',
    yearlyPriceUsd: null,
    extraSeatMonthlyUsd: null,
    extraSeatYearlyUsd: null,
  },
  STARTER: {
    documentQuota: 200,
    maxApiKeys: 5,
    maxWebhookEndpoints: 2,
    documentTypes: ['01'],
    ...WITHOUT_BRANCH_LIMITS,
    readsPerMinute: 300,
    writesPerMinute: 60,
    mailsPerDay: 1000,
    monthlyPriceUsd: '20.00',
    yearlyPriceUsd: '200.00',
    ...SEATS,
  },
  GROWTH: {
    documentQuota: 1000,
    maxApiKeys: 10,
    maxWebhookEndpoints: 5,
    documentTypes: ['01', '04', '05', '07'],
    ...WITHOUT_BRANCH_LIMITS,
    readsPerMinute: 600,
    writesPerMinute: 120,
    mailsPerDay: 5000,
    monthlyPriceUsd: '90.00',
    yearlyPriceUsd: '900.00',
    ...SEATS,
  },
  BUSINESS: {
    documentQuota: 4000,
    maxApiKeys: 20,
    maxWebhookEndpoints: 10,
    documentTypes: DOCUMENT_TYPES,
    ...WITHOUT_BRANCH_LIMITS,
    readsPerMinute: 1500,
    writesPerMinute: 300,
    mailsPerDay: 20_000,
    monthlyPriceUsd: '230.00',
    yearlyPriceUsd: '2300.00',
    ...SEATS,
  },
  OWN: {
    // Above the capacity of a counter: the fields that clients read stay whole numbers, and no account reaches the
    // quota.
    documentQuota: 1_000_000_000,
    maxApiKeys: 100_000,
    maxWebhookEndpoints: 1_000,
    documentTypes: DOCUMENT_TYPES,
    mailsPerDay: null,
    ...WITHOUT_BRANCH_LIMITS,
    readsPerMinute: 100_000,
    writesPerMinute: 100_000,
    monthlyPriceUsd: null,
    yearlyPriceUsd: null,
    extraSeatMonthlyUsd: null,
    extraSeatYearlyUsd: null,
  },
};

/** Whether the quota is enforced for documents of that environment. */
export function quotaApplies(enforcement: 'production' | 'all' | 'off', environment: Environment): boolean {
  return enforcement === 'all' || (enforcement === 'production' && environment === 'production');
}
