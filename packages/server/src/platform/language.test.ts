import { translate } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { preferredLanguage } from './language.js';

describe('the language of an answer', () => {
  it.each([
    [null, null],
    ['', null],
    ['es-EC,es;q=0.9,en;q=0.8', 'es'],
    ['en', 'en'],
    ['EN-us', 'en'],
    ['fr', null],
    ['fr, en;q=0.2', 'en'],
    ['es;q=0.1, en;q=0.9', 'en'],
    ['es;q=0', null],
    [';;,,q=', null],
  ])('the header %j requests the language %j', (header, expected) => {
    expect(preferredLanguage(header)).toBe(expected);
  });

  it('a text has its placeholders filled, and unknown ones unchanged', () => {
    expect(translate({ es: 'De {min} a {max}', en: '' }, 'es', { min: 1 })).toBe('De 1 a {max}');
  });
});
