import type { Logger } from '../logger.js';
import type { Occupancy } from '../occupancy.js';

/** The order in which owners of issuers are served. */
export interface OwnerTurns {
  /** The issuers in turns: the first of each owner before the second of any; the least recently served owner first. */
  readonly order: (issuerIds: readonly string[]) => Promise<readonly string[]>;
  /** Records the owners of served issuers. */
  readonly served: (issuerIds: readonly string[]) => void;
  /** The issuers whose owner is known. */
  readonly occupancy: () => Occupancy;
}

/**
 * Creates the turns of one process. Its memory of owners is bounded; a forgotten owner costs one turn at most. An issuer
 * whose owner cannot be looked up is its own owner for this time, so that the others are served.
 */
export function createOwnerTurns(ownerOf: (issuerId: string) => string | Promise<string>, logger: Logger): OwnerTurns {
  const owners = new Map<string, string>();
  const lastServed = new Map<string, number>();
  let servings = 0;

  async function withOwner(issuerId: string) {
    try {
      const owner = owners.get(issuerId) ?? (await ownerOf(issuerId));
      owners.set(issuerId, owner);
      return { issuerId, owner };
    } catch (error) {
      logger.warn({ issuerId, error: String(error) }, 'the owner of an issuer could not be looked up');
      return { issuerId, owner: issuerId };
    }
  }

  return {
    async order(issuerIds) {
      if (owners.size + issuerIds.length > MOST_REMEMBERED) {
        owners.clear();
        lastServed.clear();
      }
      const owned = await Promise.all(issuerIds.map(withOwner));
      const lines = [...Map.groupBy(owned, ({ owner }) => owner)]
        .toSorted(([a], [b]) => (lastServed.get(a) ?? 0) - (lastServed.get(b) ?? 0))
        .map(([, line]) => line.map(({ issuerId }) => issuerId));
      const rounds = Math.max(0, ...lines.map((line) => line.length));
      return Array.from({ length: rounds }, (_, round) => lines.flatMap((line) => line.slice(round, round + 1))).flat();
    },
    served(issuerIds) {
      for (const issuerId of issuerIds) {
        servings += 1;
        lastServed.set(owners.get(issuerId) ?? issuerId, servings);
      }
    },
    occupancy: () => ({ used: owners.size, limit: MOST_REMEMBERED }),
  };
}

// --- internal ---

const MOST_REMEMBERED = 10_000;
