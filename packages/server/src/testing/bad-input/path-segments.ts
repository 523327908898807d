import { type Expected, invalidField } from './refusal.js';
import type { PathPart } from './route-inputs.js';

const KEY = '2111202601179001234500110010010000000011234567810';
const ID = '0190a8b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b';

/** Invalid values of a path parameter, as written in an address. */
export const BAD_SEGMENTS: Readonly<Record<string, string>> = {
  'a word': 'me',
  undefined: 'undefined',
  null: 'null',
  'minus one': '-1',
  'a star': '*',
  'a colon': ':x',
  'a semicolon': `${ID};x=1`,
  'a matrix parameter alone': ';x',
  SQL: "'%20OR%201=1--",
  'a percent sign': '%25',
  'a bare percent sign': '%',
  'half an escape': '%2',
  'no escape': '%zz',
  NUL: '%00',
  'an id and NUL': `${ID}%00`,
  'a key and NUL': `${KEY}%00`,
  'a line break': '%0d%0aSet-Cookie:%20a=b',
  'an id and a line break': `${ID}%0a`,
  'a key and a line break': `${KEY}%0a`,
  'a blank': '%20',
  'an id after a blank': `%20${ID}`,
  'a key before a blank': `${KEY}%20`,
  'two dots and a slash': '..%2f..%2fetc%2fpasswd',
  'a slash twice escaped': '%252e%252e%252f',
  'a backslash': '..%5c..',
  'an overlong slash': '%c0%af',
  'a byte that is no UTF-8': '%ff',
  'an encoded surrogate': '%ed%a0%80',
  'an id in braces': `%7B${ID}%7D`,
  'an id without dashes': ID.replaceAll('-', ''),
  'an id of a digit less': ID.slice(0, -1),
  'an id of a digit more': `${ID}0`,
  'an id as a URN': `urn:uuid:${ID}`,
  'two ids': `${ID},${ID}`,
  'a key of 48 digits': KEY.slice(1),
  'a key of 50 digits': `${KEY}0`,
  'a key with a letter': `${KEY.slice(1)}O`,
  'a key in Arabic digits': encodeURIComponent('١'.repeat(49)),
  'a key in full-width digits': encodeURIComponent('１'.repeat(49)),
  'a minus before a key': `-${KEY.slice(1)}`,
  '02': '02',
  '1': '1',
  '001': '001',
  '01 and a blank': '01%20',
  __proto__: '__proto__',
  constructor: 'constructor',
  emoji: '%F0%9F%98%80',
  'a tag': '%3Cscript%3E',
  '8 000 letters': 'a'.repeat(8000),
};

/** The expected refusal of a request with an invalid path parameter. */
export function refusalOf(part: PathPart, name: string): Expected {
  if (part.endsWith('OrNone')) return { status: 404, code: 'NOT_FOUND' };
  return invalidField(`path:${name}`);
}
