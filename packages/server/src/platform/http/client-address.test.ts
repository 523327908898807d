import { describe, expect, it } from 'vitest';
import { ConfigComplaint } from '../config-values.js';
import {
  addressBucket,
  clientAddress,
  isTrustedProxy,
  type TrustedProxies,
  toTrustedProxies,
} from './client-address.js';

function trusted(text: string): TrustedProxies {
  const proxies = toTrustedProxies(text);
  if (!('hops' in proxies) && !('networks' in proxies)) throw new Error(proxies.texts.en);
  return proxies;
}

describe('the address of a client', () => {
  it.each([
    { name: 'no trusted proxy', trust: '0', chain: '1.1.1.1', expected: '10.0.0.9' },
    { name: 'one hop', trust: '1', chain: '6.6.6.6, 1.1.1.1', expected: '1.1.1.1' },
    { name: 'two hops', trust: '2', chain: '6.6.6.6, 1.1.1.1, 10.0.0.1', expected: '1.1.1.1' },
    { name: 'more hops than entries', trust: '3', chain: '1.1.1.1', expected: '1.1.1.1' },
    { name: 'no header', trust: '1', chain: null, expected: '10.0.0.9' },
    { name: 'a network', trust: '10.0.0.0/8', chain: '6.6.6.6, 1.1.1.1, 10.2.3.4', expected: '1.1.1.1' },
    { name: 'a network that is not the socket', trust: '192.168.0.0/16', chain: '1.1.1.1', expected: '10.0.0.9' },
    { name: 'nonsense in the chain', trust: '1', chain: 'for=1.1.1.1;x', expected: '10.0.0.9' },
    { name: 'an entry with its port', trust: '1', chain: '1.1.1.1:443', expected: '1.1.1.1' },
    { name: 'IPv4 in IPv6 form', trust: '1', chain: '::ffff:be01:203', expected: '190.1.2.3' },
    { name: 'IPv6 written out', trust: '1', chain: '2001:DB8:0:0:0:0:0:1%eth0', expected: '2001:db8::1' },
    { name: 'IPv6 in brackets', trust: '1', chain: '[2001:db8::1]:443', expected: '2001:db8::1' },
  ])('the address of a client is $expected with $name', ({ trust, chain, expected }) => {
    expect(clientAddress('::ffff:10.0.0.9', chain, trusted(trust))).toBe(expected);
  });

  it.each(['10.0.0.0/', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0', 'all', '-1', '1.5'])(
    'rejects %s as a list of proxies',
    (text) => {
      expect(toTrustedProxies(text)).toBeInstanceOf(ConfigComplaint);
    },
  );

  it.each([
    ['190.1.2.3', '190.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:0::/56'],
    ['2001:db8:1:2ff:ffff::1', '2001:db8:1:200::/56'],
    ['2001:db8::1', '2001:db8:0:0::/56'],
    ['::1', '0:0:0:0::/56'],
  ])('counts the address %s in the bucket %s', (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket);
  });

  it.each([
    { name: 'of no proxy', trust: '0', address: '10.0.0.9', expected: false },
    { name: 'of one hop', trust: '1', address: '203.0.113.9', expected: true },
    { name: 'in a network', trust: '10.0.0.0/8', address: '::ffff:10.0.0.9', expected: true },
    { name: 'outside the network', trust: '10.0.0.0/8', address: '203.0.113.9', expected: false },
    { name: 'without an address', trust: '10.0.0.0/8', address: '', expected: false },
  ])('recognizes a trusted proxy: $name', ({ trust, address, expected }) => {
    expect(isTrustedProxy(address, trusted(trust))).toBe(expected);
  });
});
