import { describe, expect, it } from 'vitest';
import { addMonths, periodAround, periodEnd, periodStart } from './billing-period.js';

/** Noon in Ecuador. */
const noon = (date: string) => new Date(`${date}T12:00:00-05:00`);

describe('addMonths', () => {
  it.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2028-02-29', 12, '2029-02-28'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-11-30', 3, '2027-02-28'],
  ])('the date %s plus %d months is %s', (from, months, to) => {
    expect(addMonths(noon(from), months)).toEqual(noon(to));
  });

  it('counts by the days of Ecuador, not of Greenwich', () => {
    expect(addMonths(new Date('2026-01-31T23:30:00-05:00'), 1)).toEqual(new Date('2026-02-28T23:30:00-05:00'));
    expect(addMonths(new Date('2026-02-01T01:00:00Z'), 1)).toEqual(new Date('2026-03-01T01:00:00Z'));
  });
});

describe('periods', () => {
  it('periods return to the day of the anchor', () => {
    const anchor = noon('2026-01-31');
    let start = anchor;
    const ends = Array.from({ length: 4 }, () => {
      start = periodEnd(anchor, start, 'MONTHLY');
      return start;
    });
    expect(ends).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'].map(noon));
    expect(periodStart(anchor, noon('2026-03-31'), 'MONTHLY')).toEqual(noon('2026-02-28'));
    expect(periodEnd(anchor, noon('2026-02-28'), 'YEARLY')).toEqual(noon('2027-02-28'));
  });

  it.each([
    ['MONTHLY', '2026-01-31', '2026-01-31', '2026-01-31', '2026-01-31', '2026-02-28'],
    ['MONTHLY', '2026-01-31', '2026-01-31', '2026-02-27', '2026-01-31', '2026-02-28'],
    ['MONTHLY', '2026-01-31', '2026-02-28', '2026-02-28', '2026-02-28', '2026-03-31'],
    ['MONTHLY', '2026-01-15', '2026-02-15', '2027-03-14', '2027-02-15', '2027-03-15'],
    ['YEARLY', '2028-02-29', '2028-02-29', '2029-02-27', '2028-02-29', '2029-02-28'],
    ['YEARLY', '2028-02-29', '2028-02-29', '2029-02-28', '2029-02-28', '2030-02-28'],
    ['YEARLY', '2026-01-31', '2026-05-31', '2027-05-30', '2026-05-31', '2027-05-31'],
  ] as const)(
    'a %s period anchored at %s with the current start %s is, around %s, %s to %s',
    (interval, anchor, from, now, start, end) => {
      const periods = { anchor: noon(anchor), currentPeriodStart: noon(from), billingInterval: interval };
      expect(periodAround(periods, noon(now))).toEqual({ start: noon(start), end: noon(end) });
    },
  );
});
