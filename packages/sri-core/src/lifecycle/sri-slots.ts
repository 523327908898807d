/** Releases a slot. */
export type Leave = () => void;

/** The slots for concurrent calls of one process to the SRI. Queued work and calls on demand share them. */
export interface SriSlots {
  /**
   * Reserves the free slots for queued work until `share`. Without a free slot, the next one is reserved, alternating with
   * calls on demand.
   *
   * @returns the number of free slots.
   */
  reserve(): number;
  /** Takes a reserved slot for a queued job. */
  take(): Leave;
  /** Takes a slot for a job that is queued right now; null when no slot is free, or when queued work waits for one. */
  takeFree(): Leave | null;
  /** Opens the remaining reserved slots to calls on demand. */
  share(): void;
  /** Whether every slot is taken. */
  isFull(): boolean;
  /**
   * Waits for a slot on demand. The owner with the fewest calls on demand goes first; among equals, the least recently
   * served.
   *
   * @returns null when the engine stops first.
   */
  wait(owner: string): Promise<Leave | null>;
  /** Ends every wait, also the wait of the queue, which stops. */
  dismiss(): void;
}

/**
 * Creates the slots. While work is queued, calls on demand get half of them, so that neither side starves.
 *
 * @param onFree called when a slot is free for queued work again.
 */
export function createSriSlots(concurrency: number, onFree: () => void): SriSlots {
  const held = new Map<string, number>();
  const lastServed = new Map<string, number>();
  const waiting: Waiting[] = [];
  let queued = 0;
  let onDemand = 0;
  let reserved = 0;
  let servings = 0;
  let isQueueWaiting = false;
  let wasOnDemand = false;

  const free = () => Math.max(0, concurrency - queued - onDemand - reserved);

  function count(owner: string, change: 1 | -1): void {
    const left = (held.get(owner) ?? 0) + change;
    if (left > 0) held.set(owner, left);
    else held.delete(owner);
  }

  /** Whether the next free slot is reserved for queued work. A single slot alternates between both sides. */
  function isForQueue(): boolean {
    const half = Math.floor(concurrency / 2);
    return isQueueWaiting && (half === 0 ? wasOnDemand : onDemand >= half);
  }

  function nextInTurn(): Waiting | undefined {
    const [first] = waiting.toSorted(
      (a, b) =>
        (held.get(a.owner) ?? 0) - (held.get(b.owner) ?? 0) ||
        (lastServed.get(a.owner) ?? 0) - (lastServed.get(b.owner) ?? 0),
    );
    return first;
  }

  function serve(): void {
    while (free() > 0 && !isForQueue()) {
      const next = nextInTurn();
      if (!next) return;
      waiting.splice(waiting.indexOf(next), 1);
      servings += 1;
      lastServed.set(next.owner, servings);
      onDemand += 1;
      wasOnDemand = true;
      count(next.owner, 1);
      next.resolve(() => {
        onDemand -= 1;
        count(next.owner, -1);
        freed();
      });
    }
  }

  function freed(): void {
    serve();
    if (onDemand === 0) lastServed.clear();
    if (free() > 0) onFree();
  }

  function hold(): Leave {
    queued += 1;
    wasOnDemand = false;
    return () => {
      queued -= 1;
      freed();
    };
  }

  return {
    reserve() {
      reserved = free();
      isQueueWaiting = reserved === 0;
      return reserved;
    },
    take() {
      reserved -= 1;
      return hold();
    },
    takeFree: () => (free() === 0 || isQueueWaiting ? null : hold()),
    share() {
      reserved = 0;
      serve();
    },
    isFull: () => free() === 0,
    wait(owner) {
      const { promise, resolve } = Promise.withResolvers<Leave | null>();
      waiting.push({ owner, resolve });
      serve();
      return promise;
    },
    dismiss() {
      isQueueWaiting = false;
      for (const { resolve } of waiting.splice(0)) resolve(null);
    },
  };
}

// --- internal ---

interface Waiting {
  readonly owner: string;
  readonly resolve: (leave: Leave | null) => void;
}
