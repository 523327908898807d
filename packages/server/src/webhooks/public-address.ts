import ipaddr from 'ipaddr.js';

/**
 * Whether an address is one of the public internet's. Everything else could be a machine behind ours: private,
 * loopback, link-local, shared, reserved and documentation ranges, and every form that carries such a one inside.
 *
 * @param address an IPv4 address in four decimal parts, or an IPv6 address without brackets.
 * @see IANA IPv4 and IPv6 Special-Purpose Address Registries; IPv6 Global Unicast is 2000::/3.
 */
export function isPublicAddress(address: string): boolean {
  // A zone names an interface of this machine, so nothing public has one.
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST);
}

// --- internal ---

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
