import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.js';

describe('isPublicAddress', () => {
  it.each(['1.1.1.1', '8.8.8.8', '190.152.0.10', '2606:4700:4700::1111', '2800:370:1::1', '::ffff:8.8.8.8'])(
    'accepts %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ['this machine', ['127.0.0.1', '127.255.255.254', '::1', '0.0.0.0', '0.1.2.3', '::']],
    ['private networks', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12::1', 'fec0::1']],
    ['the local link', ['169.254.169.254', 'fe80::1', 'fe80::1%lo', 'febf::1']],
    ['carrier networks and tests', ['100.64.0.1', '100.127.255.255', '198.18.0.1', '198.19.255.255', '2001:2::1']],
    ['documentation', ['192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff::1']],
    [
      'groups and reserves',
      ['224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', 'ff02::1', '4000::1', 'e000::1'],
    ],
    [
      'protocol assignments',
      ['192.0.0.1', '192.0.0.170', '192.88.99.1', '100::1', '2001:10::1', '2001:20::1', '5f00::1'],
    ],
    ['addresses inside addresses', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::127.0.0.1', '::7f00:1']],
    ['translated and tunnelled addresses', ['64:ff9b::7f00:1', '64:ff9b:1::7f00:1', '2002:7f00:1::', '2001:0:1::1']],
    [
      'texts that are no address',
      ['', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '[::1]', '1.1.1.1 ', '1.1.1.256'],
    ],
  ])('rejects %s', (_, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});
