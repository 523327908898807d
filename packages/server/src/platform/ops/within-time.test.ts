import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withinTime } from './within-time.js';

it('gives up on work that never ends', async () => {
  await expect(withinTime(50, new Promise(() => {}))).rejects.toThrow('No answer within 50 ms.');
});

it('does not count the time in which the process was blocked', async () => {
  // The answer is in time, but the blocked process takes it late.
  const answer = nextTurn()
    .then(nextTurn)
    .then(() => 'here');
  const waited = withinTime(50, answer);
  const until = performance.now() + 200;
  while (performance.now() < until);
  expect(await waited).toBe('here');
});
