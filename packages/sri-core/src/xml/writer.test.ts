import { describe, expect, it } from 'vitest';
import { element, escapeAttribute, escapeText, optionalElement } from './writer.js';

describe('escaping, as in canonical XML', () => {
  it.each([
    ['plain ñ 😀', 'plain ñ 😀'],
    [`& < > " ' \r\n\t`, `&amp; &lt; &gt; " ' &#xD;\n\t`],
    [']]>', ']]&gt;'],
    ['&amp;', '&amp;amp;'],
  ])('escapes the text %j', (text, expected) => {
    expect(escapeText(text)).toBe(expected);
  });

  it.each([
    ['plain ñ 😀', 'plain ñ 😀'],
    [`& < > " ' \r\n\t`, `&amp; &lt; > &quot; ' &#xD;&#xA;&#x9;`],
  ])('escapes the attribute %j', (text, expected) => {
    expect(escapeAttribute(text)).toBe(expected);
  });
});

it('leaves out an optional element without text', () => {
  expect(element('a', '')).toBe('<a></a>');
  expect(optionalElement('a', '')).toBe('');
  expect(optionalElement('a', null)).toBe('');
  expect(optionalElement('a', '<')).toBe('<a>&lt;</a>');
});
