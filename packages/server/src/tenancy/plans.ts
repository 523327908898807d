import type { DocumentType, Environment } from 'sri-core';

/** The four subscription tiers, from the smallest. */
export const TIERS = ['FREE', 'STARTER', 'GROWTH', 'BUSINESS'] as const;

/** A subscription tier. */
export type Tier = (typeof TIERS)[number];

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
    monthlyPriceUsd: '230.00',
    yearlyPriceUsd: '2300.00',
    ...SEATS,
  },
};

/** Whether the quota is enforced for documents of that environment. */
export function quotaApplies(enforcement: 'production' | 'all' | 'off', environment: Environment): boolean {
  return enforcement === 'all' || (enforcement === 'production' && environment === 'production');
}
