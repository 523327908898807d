import { BlockList, isIP } from 'node:net';
import { ConfigComplaint } from '../config-values.js';

/** The trusted proxies for `X-Forwarded-For`: a number of proxies in front of us, or proxies in these networks. */
export type TrustedProxies = { readonly hops: number } | { readonly networks: BlockList };

/** Reads `TRUST_PROXY`: a number of hops, or a comma list of addresses and networks. */
export function toTrustedProxies(text: string): TrustedProxies | ConfigComplaint {
  if (/^\d{1,2}$/.test(text)) return { hops: Number(text) };
  const networks = new BlockList();
  for (const entry of text.split(',')) {
    const [address = '', prefix, ...rest] = entry.trim().split('/');
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    const length = prefix === undefined ? bits : Number(prefix);
    if (version === 0 || rest.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) || length > bits) {
      return new ConfigComplaint({
        es: 'escriba el número de proxies, o una lista con comas como 10.0.0.0/8,::1.',
        en: 'give the number of proxies, or a comma list such as 10.0.0.0/8,::1.',
      });
    }
    networks.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6');
  }
  return { networks };
}

/**
 * The client's address: the socket's own, or the rightmost one in `X-Forwarded-For` that no trusted proxy wrote.
 * @param socketAddress null if the request came without a socket (an embedder's call).
 */
export function clientAddress(
  socketAddress: string | null,
  forwardedFor: string | null,
  trusted: TrustedProxies,
): string {
  const chain = (forwardedFor ?? '').split(',').slice(-MAX_HOPS).map(toPlainAddress);
  let address = toPlainAddress(socketAddress ?? '') ?? UNKNOWN_ADDRESS;
  for (let hop = 0; ; hop += 1) {
    const isTrusted = 'hops' in trusted ? hop < trusted.hops : contains(trusted.networks, address);
    const next = chain.pop();
    if (!isTrusted || !next) return address;
    address = next;
  }
}

/** Whether the peer of a connection is a trusted proxy, which acts for many clients. */
export function isTrustedProxy(address: string, trusted: TrustedProxies): boolean {
  if ('hops' in trusted) return trusted.hops > 0;
  const plain = toPlainAddress(address);
  return plain !== null && contains(trusted.networks, plain);
}

/**
 * The key of address limits: an IPv4 address, or the /56 network of an IPv6 one, since one customer may have the whole
 * network.
 */
export function addressBucket(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = (tail ?? '').split(':').filter((group) => group !== '');
  const middle =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...middle, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16));
  groups[3] = (groups[3] ?? 0) & 0xff00;
  return `${groups.map((group) => group.toString(16)).join(':')}::/56`;
}

/**
 * An address in a form to compare: the shortest form without brackets, zone or port, IPv4 unwrapped from IPv6; null if
 * it is invalid.
 */
export function toPlainAddress(text: string): string | null {
  const bare = text.trim().replace(/^\[([^\]]+)\](?::\d+)?$/, '$1');
  const withoutPort = /^\d+\.\d+\.\d+\.\d+:\d+$/.test(bare) ? bare.slice(0, bare.lastIndexOf(':')) : bare;
  const address = withoutPort.replace(/%.*$/, '');
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : null;
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(shortest) ?? [];
  return high && low ? [...toBytes(high), ...toBytes(low)].join('.') : shortest;
}

// --- internal ---

/** Requests through `app.request()` have no socket; they share one bucket. */
const UNKNOWN_ADDRESS = '0.0.0.0';
const MAX_HOPS = 20;

/** The two bytes of a group of an IPv6 address. */
function toBytes(group: string): readonly [number, number] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
}

function contains(networks: BlockList, address: string): boolean {
  return networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
