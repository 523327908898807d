import { describe, expect, it } from 'vitest';
import { newMasterKey, parseMasterKeys } from './master-keys.js';

describe('master keys', () => {
  const text = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;

  it('parses master keys in order, with the current one first', () => {
    expect(parseMasterKeys(` ${text('b'.repeat(32), 1)} ,${text('a-1_x', 2)}`)).toEqual({
      currentId: 'b'.repeat(32),
      byId: new Map([
        ['b'.repeat(32), Buffer.alloc(32, 1)],
        ['a-1_x', Buffer.alloc(32, 2)],
      ]),
    });
  });

  it('creates a different master key each time, in a form that it can parse', () => {
    const made = newMasterKey();
    const key = Buffer.from(made.slice('k1:'.length), 'base64');
    expect(parseMasterKeys(made)).toEqual({ currentId: 'k1', byId: new Map([['k1', key]]) });
    expect(newMasterKey()).not.toBe(made);
  });

  it.each([
    '',
    'k1',
    text('', 1),
    text('k 1', 1),
    text('k'.repeat(33), 1),
    `k1:${Buffer.alloc(31).toString('base64')}`,
    `k1:${Buffer.alloc(33).toString('base64')}`,
    `${text('k1', 1)},`,
    `${text('k1', 1)},${text('k1', 2)}`,
    `${text('k1', 1)}x`,
    `x,${text('k1', 1)}`,
    `k1:${Buffer.alloc(32).toString('base64').replace('=', '')}`,
  ])('rejects invalid master keys: %j', (wrong) => {
    expect(parseMasterKeys(wrong)).toHaveProperty('texts.en', expect.stringContaining('32 bytes'));
  });
});
