import { describe, expect, it } from 'vitest';
import { ecuadorDate, ecuadorTimestamp, toIsoDate, toIssueDate } from './calendar.js';

describe('the day in Ecuador', () => {
  it.each([
    { name: 'is still yesterday while UTC is past midnight', utc: '2026-11-22T04:59:59Z', day: '2026-11-21' },
    { name: 'changes at 05:00 UTC', utc: '2026-11-22T05:00:00Z', day: '2026-11-22' },
    { name: 'knows leap days', utc: '2028-03-01T04:00:00Z', day: '2028-02-29' },
    { name: 'crosses a year', utc: '2027-01-01T04:00:00Z', day: '2026-12-31' },
  ])('the day in Ecuador $name', ({ utc, day }) => {
    expect(ecuadorDate(new Date(utc))).toBe(day);
  });

  it('computes the day in Ecuador as the time zone database does, in any process time zone', () => {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Guayaquil' });
    for (let hour = 0; hour < 24 * 400; hour += 7) {
      const now = new Date(Date.UTC(2026, 0, 1, hour));
      expect(ecuadorDate(now)).toBe(format.format(now));
    }
  });
});

it('writes a timestamp with its offset and no fraction', () => {
  expect(ecuadorTimestamp(new Date('2026-11-21T12:30:00.987Z'))).toBe('2026-11-21T07:30:00-05:00');
});

describe('issue dates', () => {
  it.each([
    ['21/11/2026', '2026-11-21'],
    ['29/02/2024', '2024-02-29'],
    ['31/12/1999', '1999-12-31'],
  ])('reads the issue date %s as %s', (written, iso) => {
    expect(toIsoDate(written)).toBe(iso);
    expect(toIssueDate(iso)).toBe(written);
  });

  it.each([
    '31/02/2026',
    '29/02/2025',
    '00/01/2026',
    '01/00/2026',
    '01/13/2026',
    '32/01/2026',
    '1/1/2026',
    '21/11/26',
    '2026-11-21',
    '21-11-2026',
    '21/11/2026 ',
    ' 21/11/2026',
    '21/11/2026\n',
    '٢١/١١/٢٠٢٦',
    '',
    'hoy',
  ])('rejects %j as an issue date', (written) => {
    expect(toIsoDate(written)).toBeNull();
  });
});
