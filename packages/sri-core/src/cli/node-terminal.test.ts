import { PassThrough } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { nodeTerminal } from './node-terminal.js';

afterEach(() => vi.restoreAllMocks());

it.each([
  ['yes\r', 'yes'],
  ['\u0003', ''],
  ['\u0004', ''],
])('a question takes a line, and Ctrl-C or Ctrl-D as no answer: %j', async (typed, answer) => {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true });
  const screen = Object.assign(new PassThrough(), { isTTY: true });
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(keyboard as never);
  vi.spyOn(process, 'stderr', 'get').mockReturnValue(screen as never);
  keyboard.write(typed);
  const asked = nodeTerminal().askLine?.('Sure? ');
  expect(await asked).toBe(answer);
});
