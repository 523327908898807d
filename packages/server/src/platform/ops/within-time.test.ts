import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withinTime } from './within-time.js';

it('gives up work that never ends', async () => {
  await expect(withinTime(50, new Promise(() => {}))).rejects.toThrow('No answer within 50 ms.');
});

it('does not blame others for the time in which this process itself was held up', async () => {
  // An answer that would have been here in time, had anybody been there to take it.
  const answer = nextTurn()
    .then(nextTurn)
    .then(() => 'here');
  const waited = withinTime(50, answer);
  const until = performance.now() + 200;
  while (performance.now() < until);
  expect(await waited).toBe('here');
});
