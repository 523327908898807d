import { expect, it } from 'vitest';
import { isFromThisMachine } from './own-machine.js';

const LOOPBACK = '127.0.0.1';

it.each([
  { name: 'from the loopback address', address: LOOPBACK, expected: true },
  { name: 'from another loopback address', address: '127.8.9.10', expected: true },
  { name: 'from that of IPv6', address: '::1', expected: true },
  { name: 'from that of IPv4 written as IPv6', address: '::ffff:127.0.0.1', expected: true },
  { name: 'from the network', address: '192.168.1.4', expected: false },
  { name: 'from an address that only contains the digits', address: '10.127.0.1', expected: false },
  { name: 'from no address', address: null, expected: false },
  { name: 'from an invalid address', address: 'socket', expected: false },
  { name: 'by a proxy: X-Forwarded-For', address: LOOPBACK, header: 'x-forwarded-for', expected: false },
  { name: 'by a proxy: Forwarded', address: LOOPBACK, header: 'forwarded', expected: false },
  { name: 'by a proxy: Via', address: LOOPBACK, header: 'via', expected: false },
  { name: 'by a proxy: X-Real-IP', address: '::1', header: 'x-real-ip', expected: false },
  { name: 'with another header', address: '::1', header: 'x-request-id', expected: true },
  { name: 'addressed by its IP address', address: LOOPBACK, host: '127.0.0.1:3000', expected: true },
  { name: 'addressed by its IPv6 address', address: '::1', host: '[::1]:3000', expected: true },
  {
    name: 'addressed by the name of a page that points here',
    address: LOOPBACK,
    host: 'evil.example',
    expected: false,
  },
  { name: 'addressed by a name that starts like its own', address: LOOPBACK, host: 'localhost.evil', expected: false },
  { name: 'addressed without a name', address: LOOPBACK, host: null, expected: false },
])('tells whether a request is from this machine: $name', ({ address, header, host = 'LOCALHOST:3000', expected }) => {
  const headers: Readonly<Record<string, string | null>> = { host, ...(header ? { [header]: '' } : {}) };
  const exchange = { socketAddress: address, header: (name: string) => headers[name] ?? null };
  expect(isFromThisMachine(exchange)).toBe(expected);
});
