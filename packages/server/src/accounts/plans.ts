import { DOCUMENT_TYPES, type DocumentType, type Environment } from 'sri-core';

/** The four subscription tiers, from the smallest: those that are offered. */
export const TIERS = ['FREE', 'STARTER', 'GROWTH', 'BUSINESS'] as const;

/** A subscription tier that is offered. */
export type OfferedTier = (typeof TIERS)[number];

/** Every plan an account may have: the tiers, and OWN, which has no limits, no price and is given by the operator alone. */
export const PLAN_NAMES = [...TIERS, 'OWN'] as const;

/** The plan of an account. */
export type Tier = (typeof PLAN_NAMES)[number];

/** What a tier allows and costs. Prices are dollars before IVA as exact decimal text; null where it is not offered. */
export interface PlanLimits {
  /** Documents a calendar month. */
  readonly documentQuota: number;
  /** Keys an account may have at one time, the one of its registration among them. */
  readonly maxApiKeys: number;
  readonly maxWebhookEndpoints: number;
  readonly documentTypes: readonly DocumentType[];
  /** Branches of an account; null for any number, as for the points. */
  readonly maxBranches: number | null;
  readonly maxIssuePointsPerBranch: number | null;
  /** Reads of one key in a minute. Only counted where limits follow the tier, as the writes. */
  readonly readsPerMinute: number;
  readonly writesPerMinute: number;
  /** Mails of documents in production in a day of Ecuador; null for any number. */
  readonly mailsPerDay: number | null;
  readonly monthlyPriceUsd: string | null;
  readonly yearlyPriceUsd: string | null;
  /** One more seat in the web application. */
  readonly extraSeatMonthlyUsd: string | null;
  readonly extraSeatYearlyUsd: string | null;
}

/** Every tier with what it allows. */
export type Plans = Readonly<Record<Tier, PlanLimits>>;

const WITHOUT_BRANCH_LIMITS = { maxBranches: null, maxIssuePointsPerBranch: null } as const;
const SEATS = { extraSeatMonthlyUsd: '5.00', extraSeatYearlyUsd: '50.00' } as const;

/** The plans of a server that is not configured otherwise. */
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
    documentTypes: ['01', '04'],
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
    documentTypes: ['01', '04'],
    ...WITHOUT_BRANCH_LIMITS,
    readsPerMinute: 1500,
    writesPerMinute: 300,
    mailsPerDay: 20_000,
    monthlyPriceUsd: '230.00',
    yearlyPriceUsd: '2300.00',
    ...SEATS,
  },
  OWN: {
    // More than all numbers of a counter: the fields that clients read stay whole numbers, and no quota is ever reached.
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
