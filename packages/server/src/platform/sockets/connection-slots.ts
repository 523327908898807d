import type { Occupancy } from 'sri-core';
import type { Destroyable } from './pending-answers.js';

/** The limits on connections. */
export interface ConnectionLimits {
  readonly overall: number;
  /** Of one client's address. */
  readonly perAddress: number;
}

/** The slot of one connection. */
export interface ConnectionSlot {
  /** Whether its client waits for an answer, or has started a request. A new connection does not. */
  setBusy(isBusy: boolean): void;
  leave(): void;
}

/** The slots of connections, in total and by address. */
export interface ConnectionSlots {
  /**
   * Takes a slot. If none is free, the connection that has been idle longest is closed.
   * @param address of one client; null if it is not counted by address, such as a trusted proxy.
   * @returns null if every slot is busy.
   */
  take(connection: Destroyable, address: string | null): ConnectionSlot | null;
  /** All connections. */
  occupancy(): Occupancy;
}

/** Creates slots for connections. */
export function createConnectionSlots(limits: ConnectionLimits): ConnectionSlots {
  const overall: Group = { count: 0, idle: new Set() };
  const byAddress = new Map<string, Group>();

  return {
    occupancy: () => ({ used: overall.count, limit: limits.overall }),
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
  /** The connection that has been idle longest comes first. */
  readonly idle: Set<Entry>;
}

function closeOne(group: Group): boolean {
  const [longest] = group.idle;
  if (!longest) return false;
  longest.leave();
  longest.close();
  return true;
}
