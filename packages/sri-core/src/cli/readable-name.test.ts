import { expect, it } from 'vitest';
import { readableName } from './readable-name.js';

it.each([
  ['CN=AC Ñ\\, Uno,O=SA,C=EC', 'CN=AC Ñ\\, Uno, O=SA, C=EC'],
  [
    `2.5.4.97=#0c0d${Buffer.from('VATEC-1799999').toString('hex')},CN=AC`,
    'organizationIdentifier=VATEC-1799999, CN=AC',
  ],
  ['2.5.4.5=#1303414243,CN=AC', 'serialNumber=ABC, CN=AC'],
  // A wrong length of a value, and an attribute with an unknown OID.
  ['2.5.4.97=#0c05414243,CN=AC', 'CN=AC'],
  ['1.2.3.4=#0c03414243,CN=AC', 'CN=AC'],
])('shows %s in readable form', (name, shown) => {
  expect(readableName(name)).toBe(shown);
});
