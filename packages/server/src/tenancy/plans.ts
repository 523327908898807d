import type { Environment } from 'sri-core';

/** The four subscription tiers. */
export const TIERS = ['FREE', 'STARTER', 'GROWTH', 'BUSINESS'] as const;

/** A subscription tier. */
export type Tier = (typeof TIERS)[number];

/** What a tier allows. */
export interface PlanLimits {
  /** Documents a period. */
  readonly documentQuota: number;
  readonly maxApiKeys: number;
  readonly maxWebhookEndpoints: number;
  readonly documentTypes: readonly string[];
  /** Branches of an account; null for any number, as for the points. */
  readonly maxBranches: number | null;
  readonly maxIssuePointsPerBranch: number | null;
}

const NO_BRANCH_LIMITS = { maxBranches: null, maxIssuePointsPerBranch: null } as const;

/** The limits of each tier, in one table. */
export const PLAN_LIMITS: Readonly<Record<Tier, PlanLimits>> = {
  FREE: { documentQuota: 100, maxApiKeys: 0, maxWebhookEndpoints: 1, documentTypes: ['01'], ...NO_BRANCH_LIMITS },
  STARTER: { documentQuota: 200, maxApiKeys: 5, maxWebhookEndpoints: 2, documentTypes: ['01'], ...NO_BRANCH_LIMITS },
  GROWTH: {
    documentQuota: 1000,
    maxApiKeys: 10,
    maxWebhookEndpoints: 5,
    documentTypes: ['01', '04'],
    ...NO_BRANCH_LIMITS,
  },
  BUSINESS: {
    documentQuota: 4000,
    maxApiKeys: 20,
    maxWebhookEndpoints: 10,
    documentTypes: ['01', '04'],
    ...NO_BRANCH_LIMITS,
  },
};

/** Whether the quota is enforced for documents of that environment. */
export function quotaApplies(enforcement: 'production' | 'all' | 'off', environment: Environment): boolean {
  return enforcement === 'all' || (enforcement === 'production' && environment === 'production');
}
