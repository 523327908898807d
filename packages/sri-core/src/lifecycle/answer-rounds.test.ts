import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../access-key.js';
import type { IssuingCalls } from '../sri/soap-client.js';
import { createTestClock } from '../testing/test-clock.js';
import { inRounds } from './answer-rounds.js';

const KEY = '2111202601176001321000110010010000000011234567811' as AccessKey;

/** An SRI without any known state, or an SRI that is down. */
function answering(isAway = false): IssuingCalls {
  return {
    submit: () => Promise.reject(new Error('not asked')),
    authorization: async () => {
      if (isAway) throw new Error('away');
      return { outcome: 'pending', known: false, status: 'SIN_RESPUESTA', messages: [], problem: null };
    },
  };
}

describe('answers of the SRI', () => {
  it('an answer of the SRI passes at once while few calls are under way', async () => {
    const clock = createTestClock('2026-11-21T15:00:00Z');
    const sri = inRounds(answering(), clock, () => 31);
    await expect(sri.authorization('sandbox', KEY)).resolves.toMatchObject({ outcome: 'pending' });
  });

  it('answers of the SRI pass together, failures included, while many calls are under way', async () => {
    const clock = createTestClock('2026-11-21T15:00:00Z');
    const through: string[] = [];
    const good = inRounds(answering(), clock, () => 32);
    const away = inRounds(answering(true), clock, () => 32);
    const calls = [
      good.authorization('sandbox', KEY).then(() => through.push('first')),
      good.authorization('sandbox', KEY).then(() => through.push('second')),
      away.authorization('sandbox', KEY).catch((error: Error) => through.push(error.message)),
    ];
    await clock.advance(39);
    expect(through).toEqual([]);
    await clock.advance(1);
    await Promise.all(calls);
    expect(through.toSorted()).toEqual(['away', 'first', 'second']);
    const later = good.authorization('sandbox', KEY).then(() => through.push('later'));
    await clock.advance(39);
    expect(through).not.toContain('later');
    await clock.advance(1);
    await later;
  });
});
