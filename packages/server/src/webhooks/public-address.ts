import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to the public internet. Any other could be a machine of the internal network: private,
 * loopback, link-local, shared, reserved and documentation ranges, and every form that embeds one of them.
 *
 * @param address an IPv4 address in four decimal parts, or an IPv6 address without brackets.
 * @see IANA IPv4 and IPv6 Special-Purpose Address Registries; IPv6 Global Unicast is 2000::/3.
 */
export function isPublicAddress(address: string): boolean {
  // A zone names an interface of this machine, so no public address has one.
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST);
}

// --- internal ---

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
