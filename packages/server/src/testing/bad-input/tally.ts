import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** The results of the requests of one test file. `npm run bad-input` adds them up. */
export interface Tally {
  /** Requests that were sent and answered. */
  readonly cases: number;
  /** Answers of 500 and above. */
  readonly failures: number;
  /** The answers of 503: the server or its database was too busy. */
  readonly busy: number;
  /** Answers that took longer than `LONGEST_MS`. */
  readonly slow: number;
  /** The time of the slowest answer. */
  readonly slowestMs: number;
  /** Answers that show a stack, a statement or a path. */
  readonly insides: number;
}

/** The longest acceptable time of an answer. */
export const LONGEST_MS = 5_000;

const counts = { cases: 0, failures: 0, busy: 0, slow: 0, slowestMs: 0, insides: 0 };

/** Counts a case. */
export function countCase(seen: { readonly status: number; readonly ms: number; readonly showsInside: boolean }): void {
  counts.cases += 1;
  if (seen.status >= 500) counts.failures += 1;
  if (seen.status === 503) counts.busy += 1;
  if (seen.ms > LONGEST_MS) counts.slow += 1;
  counts.slowestMs = Math.max(counts.slowestMs, Math.round(seen.ms));
  if (seen.showsInside) counts.insides += 1;
}

/** The counts of this file so far. */
export function tally(): Tally {
  return { ...counts };
}

const folder = process.env['BAD_INPUT_TALLY'];
if (folder) {
  afterAll(() => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(counts));
  });
}
