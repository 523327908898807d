import { expect, it } from 'vitest';
import { isWritableText, normalizeText, optionalText } from './text.js';

it.each([
  ['as it is', 'as it is'],
  ['two\r\nlines', 'two lines'],
  ['many\n\n\t\r breaks', 'many  breaks'],
  ['\n outer \t', 'outer'],
  ['a  b', 'a  b'],
  ['line\u2028separator', 'line\u2028separator'],
])('normalizes the text %j to %j', (text, expected) => {
  expect(normalizeText(text)).toBe(expected);
});

it.each([
  ['', null],
  ['  \n', null],
  [null, null],
  [undefined, null],
  [' x ', 'x'],
])('normalizes the optional text %j to %j', (text, expected) => {
  expect(optionalText(text)).toBe(expected);
});

it.each([
  { name: 'accents', text: 'ÑÁÉ', writable: true },
  { name: 'line breaks and tabs', text: 'a\r\n\tb', writable: true },
  { name: 'emoji', text: '😀', writable: true },
  { name: 'right-to-left override', text: '\u202e', writable: true },
  { name: 'zero-width joiner', text: '\u200d', writable: true },
  { name: 'markup', text: ']]><!--&lt;', writable: true },
  { name: 'NUL', text: 'a\0', writable: false },
  { name: 'bell', text: '\x07', writable: false },
  { name: 'vertical tab', text: '\x0b', writable: false },
  { name: 'form feed', text: '\x0c', writable: false },
  { name: 'escape', text: '\x1b[31m', writable: false },
  { name: 'DEL', text: '\x7f', writable: false },
  { name: 'C1', text: '\x85', writable: false },
  { name: 'U+FFFE', text: '\ufffe', writable: false },
  { name: 'U+FFFF', text: '\uffff', writable: false },
  { name: 'a lone high surrogate', text: '\ud83d', writable: false },
  { name: 'a lone low surrogate', text: 'a\ude00b', writable: false },
  { name: 'surrogates the wrong way round', text: '\ude00\ud83d', writable: false },
])('a text of $name can be written: $writable', ({ text, writable }) => {
  expect(isWritableText(text)).toBe(writable);
});
