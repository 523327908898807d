/**
 * The time before which this process has seen every ready job; the next look begins there. While an old snapshot
 * stands, such as that of a backup, the index keeps each earlier entry of a job. A look from the start of the index
 * would read more and more entries.
 */
export interface DueMark {
  /** The time from which a look reads the index; null for all of it. */
  readonly from: () => number | null;
  /**
   * Looks for ready jobs.
   *
   * @param work reads the ready jobs from a time on, or all of them. It returns its result and the time of the oldest
   * job that it found and left.
   */
  look<T>(now: Date, work: (from: number | null) => Promise<Looked<T>>): Promise<T>;
  /** Records that this process stored a job that is due then. */
  stored(dueAt: Date | null | undefined): void;
}

/** The result of a look. */
export interface Looked<T> {
  readonly result: T;
  /** Null when no ready job was left. */
  readonly oldestLeft: number | null;
}

/** Creates the mark of one process on one queue. Its first look reads everything. */
export function createDueMark(): DueMark {
  let mark: number | null = null;
  let lastLook = Number.NEGATIVE_INFINITY;
  let lastWide = Number.NEGATIVE_INFINITY;
  let lastFull = Number.NEGATIVE_INFINITY;
  /** The oldest job stored during each look: the look may not have seen it. */
  const looks = new Set<{ oldest: number }>();

  return {
    from: () => mark,
    async look(now, work) {
      const time = now.getTime();
      const isFull = mark === null || time < lastLook || time - lastFull >= FULL_MS;
      const isWide = isFull || time - lastWide >= WIDE_MS;
      const look = { oldest: time };
      looks.add(look);
      try {
        const { result, oldestLeft } = await work(isFull || mark === null ? null : mark - (isWide ? MARGIN_MS : 0));
        mark = Math.min(look.oldest, oldestLeft ?? time);
        lastLook = time;
        if (isWide) lastWide = time;
        if (isFull) lastFull = time;
        return result;
      } finally {
        looks.delete(look);
      }
    },
    stored(dueAt) {
      if (!dueAt) return;
      const time = dueAt.getTime();
      if (mark !== null) mark = Math.min(mark, time);
      for (const look of looks) look.oldest = Math.min(look.oldest, time);
    },
  };
}

// --- internal ---

/** At this interval a look begins `MARGIN_MS` before the mark: another process may have committed a job late. */
const WIDE_MS = 1_000;
const MARGIN_MS = 3_000;

/** At this interval a look reads everything: a clock may be behind, or a commit may have taken long. */
const FULL_MS = 120_000;
