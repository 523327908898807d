import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Asks what a name stands for. @returns addresses, IPv4 ones first; none when the name is not known. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** The name is not known, or one of the addresses behind it is none of the public internet. */
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
 * The addresses a host stands for right now, each of them public. One that is not refuses all: a name that mixes them
 * is made to deceive.
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

/**
 * Resolves over the network, without the threads that signing needs, and without this machine's own list of hosts.
 *
 * @param timeoutMs for one question to one server.
 */
export function createNameResolver(timeoutMs = 2_000): ResolveName {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** Resolves as every program on this machine does. For development, where names of its own are wanted. */
export const resolveAsThisMachine: ResolveName = async (name) => {
  const found = await lookup(name, { all: true, order: 'ipv4first' }).catch(() => []);
  return found.map(({ address }) => address);
};
