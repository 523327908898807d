import type { PlanLimits } from '../accounts/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { IssuerRecord } from './issuer-record.js';

/** The key of a branch and point. */
type IssuePoint = Pick<IssuerRecord, 'branchCode' | 'issuePointCode'>;

/**
 * Checks whether a plan has room for another branch, or another point in a branch.
 *
 * @param active the account's active issuers, without the new one.
 * @throws Refusal BRANCH_LIMIT_REACHED, ISSUE_POINT_LIMIT_REACHED
 */
export function requireRoomFor(
  place: IssuePoint,
  active: readonly IssuePoint[],
  { maxBranches, maxIssuePointsPerBranch }: Pick<PlanLimits, 'maxBranches' | 'maxIssuePointsPerBranch'>,
): void {
  const branches = new Set(active.map((issuer) => issuer.branchCode));
  if (maxBranches !== null && !branches.has(place.branchCode) && branches.size >= maxBranches) {
    throw new Refusal('BRANCH_LIMIT_REACHED');
  }
  const points = active.filter((issuer) => issuer.branchCode === place.branchCode).length;
  if (maxIssuePointsPerBranch !== null && points >= maxIssuePointsPerBranch) {
    throw new Refusal('ISSUE_POINT_LIMIT_REACHED');
  }
}
