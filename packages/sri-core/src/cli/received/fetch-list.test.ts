import { describe, expect, it } from 'vitest';
import { SriUnavailableError } from '../../errors.js';
import { parseReceivedList } from '../../received/received-list.js';
import type { AuthorizationAnswer } from '../../sri/authorization.js';
import { magicKey } from '../../sri/simulator/magic-keys.js';
import { createTestClock } from '../../testing/test-clock.js';
import { fetchList } from './fetch-list.js';
import type { ReceivedVerdict } from './outcome.js';
import { createPace } from './pace.js';

const NOTHING = { outcome: 'pending', status: 'SIN_RESPUESTA', messages: null, known: false, problem: null } as const;

const AUTHORIZED_WITHOUT_DOCUMENT: AuthorizationAnswer = {
  outcome: 'authorized',
  status: 'AUTORIZADO',
  number: '1',
  date: '2026-11-05T12:00:00-05:00',
  environment: 'production',
  comprobante: null,
  messages: null,
};

/** A fetch from an SRI that knows nothing, or gives one answer. @param failures how many of its first calls fail */
function setUp(keys: number, failures = 0, answer: AuthorizationAnswer = NOTHING) {
  const clock = createTestClock('2026-11-25T17:00:00Z');
  const list = Array.from({ length: keys }, (_, index) =>
    magicKey({ state: 'authorized', issueDate: '05/11/2026', sequential: index + 1 }),
  );
  const calledAt: number[] = [];
  const verdicts: ReceivedVerdict[] = [];
  const stop = new AbortController();
  const pace = createPace(clock, 4);
  const run = fetchList(parseReceivedList(list.join('\n')).rows, {
    sri: {
      async authorization() {
        calledAt.push(clock.now().getTime());
        if (calledAt.length > failures) return answer;
        throw new SriUnavailableError('HTTP 503', { httpStatus: 'HTTP_503', mayHaveArrived: true, network: false });
      },
      consultation: () => expect.fail('Nothing was found.'),
    },
    pace,
    folder: { saveDocument: async () => {}, note: async () => {} },
    signal: stop.signal,
    onVerdict: (verdict) => verdicts.push(verdict),
  });
  /** Moves the time until the fetch ends. */
  const finish = async () => {
    let over = false;
    run.finally(() => {
      over = true;
    });
    while (!over) await clock.advance(50);
  };
  const gaps = () => calledAt.slice(1).map((time, index) => time - (calledAt[index] ?? 0));
  return { calledAt, verdicts, pace, stop, finish, gaps };
}

describe('fetchList', () => {
  it('calls the SRI at the given rate', async () => {
    const { verdicts, finish, gaps } = setUp(12);
    await finish();
    expect(verdicts.map(({ status }) => status)).toEqual(Array(12).fill('NOT_FOUND'));
    expect(gaps()).toEqual(Array(11).fill(250));
  });

  it('waits longer after each failure, and continues when the SRI answers', async () => {
    const { verdicts, pace, finish, gaps } = setUp(1, 2);
    await finish();
    expect(pace.failuresInRow).toBe(0);
    expect(verdicts).toMatchObject([{ status: 'NOT_FOUND', reason: null }]);
    expect(gaps()).toEqual([2_000, 4_000]);
  });

  it('gives up a key after three failures, and the list after six in a row', async () => {
    const { verdicts, finish, gaps } = setUp(50, Number.POSITIVE_INFINITY);
    await finish();
    expect(gaps()).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 64_000]);
    expect(verdicts.map(({ status }) => status)).toEqual(['FAILED', 'FAILED', 'FAILED']);
  });

  it('counts a useless document as the fault of its key, and not of the SRI', async () => {
    const { calledAt, verdicts, finish, gaps } = setUp(20, 0, AUTHORIZED_WITHOUT_DOCUMENT);
    await finish();
    expect(calledAt).toHaveLength(20);
    expect(gaps()).toEqual(Array(19).fill(250));
    expect(verdicts.map(({ status }) => status)).toEqual(Array(20).fill('FAILED'));
    expect(verdicts[0]?.reason).toMatch(/^No llegó una respuesta útil del SRI .* without the document\.$/);
  });

  it('stops between two keys', async () => {
    const { calledAt, verdicts, stop, finish } = setUp(50);
    stop.abort();
    await finish();
    expect(calledAt.length).toBeLessThanOrEqual(2);
    expect(verdicts.length).toBeLessThanOrEqual(2);
  });
});
