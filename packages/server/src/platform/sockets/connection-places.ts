import type { Destroyable } from './pending-answers.js';

/** How many connections there may be. */
export interface ConnectionLimits {
  readonly overall: number;
  /** Of one client's address. */
  readonly perAddress: number;
}

/** The place that one connection takes. */
export interface ConnectionPlace {
  /** Whether its client waits for an answer, or has begun to ask. A connection that is new does not. */
  setBusy(isBusy: boolean): void;
  leave(): void;
}

/** The places of connections, over all and by address. */
export interface ConnectionPlaces {
  /**
   * Takes a place. Where none is left, the connection closes that has been idle for longest.
   *
   * @param address what counts as one client; null for one that is not counted by address, such as a trusted proxy.
   * @returns null when every place is busy.
   */
  take(connection: Destroyable, address: string | null): ConnectionPlace | null;
}

/** Makes places for connections. */
export function createConnectionPlaces(limits: ConnectionLimits): ConnectionPlaces {
  const overall: Group = { count: 0, idle: new Set() };
  const byAddress = new Map<string, Group>();

  return {
    take(connection, address) {
      const own: Group = (address !== null && byAddress.get(address)) || { count: 0, idle: new Set() };
      if (own.count >= limits.perAddress && !closeOne(own)) return null;
      if (overall.count >= limits.overall && !closeOne(overall)) return null;
      const groups = address === null ? [overall] : [overall, own];
      if (address !== null) byAddress.set(address, own);
      const entry: Entry = { close: () => connection.destroy(), leave };
      for (const group of groups) {
        group.count += 1;
        group.idle.add(entry);
      }
      let isGone = false;
      function leave(): void {
        if (isGone) return;
        isGone = true;
        for (const group of groups) {
          group.count -= 1;
          group.idle.delete(entry);
        }
        if (address !== null && own.count === 0 && byAddress.get(address) === own) byAddress.delete(address);
      }
      return {
        leave,
        setBusy(isBusy) {
          for (const group of groups) {
            if (isBusy) group.idle.delete(entry);
            else if (!isGone) group.idle.add(entry);
          }
        },
      };
    },
  };
}

// --- internal ---

interface Entry {
  readonly close: () => void;
  readonly leave: () => void;
}

interface Group {
  count: number;
  /** The one that has been idle for longest comes first. */
  readonly idle: Set<Entry>;
}

function closeOne(group: Group): boolean {
  const [longest] = group.idle;
  if (!longest) return false;
  longest.leave();
  longest.close();
  return true;
}
