import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Resolves a host name. @returns addresses, IPv4 ones first; empty for an unknown name. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** The name is unknown, or one of its addresses is not public. */
export class TargetRefusedError extends Error {
  readonly fault: 'DNS' | 'BLOCKED_ADDRESS';

  constructor(fault: 'DNS' | 'BLOCKED_ADDRESS') {
    super(fault === 'DNS' ? 'The name is not known.' : 'The name leads to an address that is not public.');
    this.fault = fault;
  }

  override get name(): string {
    return 'TargetRefusedError';
  }
}

/**
 * The current addresses of a host, all of them public. One refused address refuses all: a name that mixes them is
 * hostile.
 *
 * @throws TargetRefusedError
 */
export async function findAddresses(
  host: string,
  { resolve, allowInsecure }: { readonly resolve: ResolveName; readonly allowInsecure: boolean },
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  if (addresses.length === 0) throw new TargetRefusedError('DNS');
  if (!allowInsecure && !addresses.every(isPublicAddress)) throw new TargetRefusedError('BLOCKED_ADDRESS');
  return addresses;
}

/** Resolves over the network, without the threads that signing needs, and without this machine's hosts file. */
export function createNameResolver(): ResolveName {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** Resolves like other programs on this machine. For development, with local names. */
export const resolveAsThisMachine: ResolveName = async (name) => {
  const found = await lookup(name, { all: true, order: 'ipv4first' }).catch(() => []);
  return found.map(({ address }) => address);
};
