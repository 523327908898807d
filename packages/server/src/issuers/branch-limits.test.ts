import { describe, expect, it } from 'vitest';
import { requireRoomFor } from './branch-limits.js';

const at = (...places: string[]) =>
  places.map((place) => ({ branchCode: place.slice(0, 3), issuePointCode: place.slice(3) }));

describe('room for one more issuer', () => {
  it.each([
    { name: 'no limits', active: at('001001', '001002', '002001'), place: '003001', limits: [null, null], code: null },
    { name: 'a free branch', active: at('001001'), place: '002001', limits: [2, 1], code: null },
    { name: 'a branch too many', active: at('001001'), place: '002001', limits: [1, 2], code: 'BRANCH_LIMIT_REACHED' },
    { name: 'a point in the last branch', active: at('001001'), place: '001002', limits: [1, 2], code: null },
    {
      name: 'a point too many',
      active: at('001001'),
      place: '001002',
      limits: [1, 1],
      code: 'ISSUE_POINT_LIMIT_REACHED',
    },
    { name: 'points of other branches', active: at('001001', '001002'), place: '002001', limits: [3, 2], code: null },
  ])(
    'checks the limits of branches and points: $name',
    ({ active, place, limits: [maxBranches = null, maxIssuePointsPerBranch = null], code }) => {
      const [issuer] = at(place);
      let refused: unknown = null;
      try {
        if (issuer) requireRoomFor(issuer, active, { maxBranches, maxIssuePointsPerBranch });
      } catch (error) {
        refused = error;
      }
      expect(refused).toEqual(code === null ? null : expect.objectContaining({ code }));
    },
  );
});
