import { randomInt } from 'node:crypto';
import type { Occupancy } from 'sri-core';

/**
 * Chooses the part of a figure that an update adds to. A figure is the sum of its parts.
 *
 * While an old snapshot stands, such as that of a backup, PostgreSQL keeps every version of a row. An update reads all
 * of these versions. A figure that is updated often therefore moves to its next part before a part has many versions.
 */
export interface FigureParts {
  of(figure: string): FigurePart;
  /** The figures whose updates are counted. */
  occupancy(): Occupancy;
}

/** Where an update adds to. */
export interface FigurePart {
  readonly part: number;
  /** The previous part, which takes no more updates. Set by the first update of a part; else null. */
  readonly full: number | null;
}

/** @param parts the most parts of a figure. Figures that are updated rarely have one. */
export function createFigureParts(parts: number): FigureParts {
  if (parts === 1) return { of: () => FIRST, occupancy: () => ({ used: 0, limit: MOST_FIGURES }) };
  const frequent = parts - 1;
  // Processes add to different parts, and so wait less for each other.
  const first = randomInt(frequent);
  const partOf = (turn: number) => 1 + ((first + turn) % frequent);
  /** The updates of each figure by this process; the figure updated last stands last. */
  const updates = new Map<string, number>();
  return {
    of(figure) {
      const before = updates.get(figure) ?? 0;
      updates.delete(figure);
      updates.set(figure, before + 1);
      const [oldest] = updates.keys();
      if (updates.size > MOST_FIGURES && oldest !== undefined) updates.delete(oldest);
      const turn = Math.floor(before / UPDATES_PER_PART);
      if (turn === 0) return FIRST;
      const full = turn > 1 && before % UPDATES_PER_PART === 0 ? partOf(turn - 1) : null;
      return { part: partOf(turn), full };
    },
    occupancy: () => ({ used: updates.size, limit: MOST_FIGURES }),
  };
}

// --- internal ---

/** Each figure has it. */
const FIRST: FigurePart = { part: 0, full: null };

/** Updates before a figure goes on to its next part. */
const UPDATES_PER_PART = 64;

/** Figures whose updates are counted. A figure that is forgotten begins with its first part. */
const MOST_FIGURES = 10_000;
