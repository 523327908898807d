import { describe, expect, it } from 'vitest';
import { ConfigComplaint } from '../platform/config-values.js';
import { findAdminToken, parseAdminTokens } from './admin-tokens.js';

describe('the tokens of the operator', () => {
  it('ADMIN_TOKEN is one token, or several with labels', () => {
    expect(parseAdminTokens('0123456789abcdef')).toEqual([{ label: 'admin', token: '0123456789abcdef' }]);
    expect(parseAdminTokens('ana:0123456789abcdef, luis:fedcba9876543210')).toEqual([
      { label: 'ana', token: '0123456789abcdef' },
      { label: 'luis', token: 'fedcba9876543210' },
    ]);
  });

  it.each(['short', 'ana:short', '0123456789abcdef,fedcba9876543210', 'ana:0123456789abcdef,', '0123456789 abcdef'])(
    'rejects ADMIN_TOKEN=%s',
    (text) => {
      expect(parseAdminTokens(text)).toBeInstanceOf(ConfigComplaint);
    },
  );

  it.each([
    { text: `ana:${'a'.repeat(16)},ana:${'b'.repeat(16)}`, reported: /label of its own/ },
    { text: `${'a'.repeat(16)}\n${'b'.repeat(16)}`, reported: /at least 16/ },
    { text: `Ana:${'a'.repeat(16)}`, reported: null },
    { text: 'a'.repeat(512), reported: null },
    { text: 'a'.repeat(513), reported: /at least 16/ },
    { text: `x${'é'.repeat(16)}`, reported: /at least 16/ },
  ])('reports the error of a token, or null: $reported', ({ text, reported }) => {
    const parsed = parseAdminTokens(text);
    if (reported) expect(parsed).toMatchObject({ texts: { en: expect.stringMatching(reported) } });
    else expect(parsed).toEqual([{ label: 'admin', token: text }]);
  });

  it('finds a token with its label', () => {
    const tokens = parseAdminTokens(`ana:${'a'.repeat(16)}, luis.b-2_x:${'b'.repeat(16)}`);
    if (tokens instanceof ConfigComplaint) throw tokens;
    expect(['a', 'b', 'c'].map((letter) => findAdminToken(tokens, letter.repeat(16))?.label ?? null)).toEqual([
      'ana',
      'luis.b-2_x',
      null,
    ]);
  });

  it('a token matches only as a whole', () => {
    const tokens = [{ label: 'ana', token: '0123456789abcdef' }];
    expect(findAdminToken(tokens, '0123456789abcdef')?.label).toBe('ana');
    for (const wrong of ['', '0123456789abcde', '0123456789abcdef0', '0123456789ABCDEF']) {
      expect(findAdminToken(tokens, wrong)).toBeNull();
    }
  });
});
