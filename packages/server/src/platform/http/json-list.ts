import { setImmediate as turn } from 'node:timers/promises';
import type { Exchange } from './exchange.js';

/** A list that is written while it is read. */
export interface ListPieces<Row> {
  /** The JSON before its `[`, and after its `]`. */
  readonly around: readonly [before: string, after: string];
  /** How many rows it has at most. Default: all there are. */
  readonly most?: number | null;
  /** The next rows, at most `limit`. @param last the row they come after; null for the first. */
  readonly read: (last: Row | null, limit: number) => Promise<readonly Row[]>;
  readonly show: (row: Row) => object;
}

/** Rows of the first batch: one may have 15 kB. */
const FIRST_BATCH = 4;

/** Characters of a usual batch, which take about a millisecond. */
const BATCH_CHARACTERS = 32 * 1024;

/** A batch of short rows has no more of them. */
const LARGEST_BATCH = 200;

/**
 * The JSON of an object with a list that may have more rows than memory has room for. A batch is read when the one before
 * is on its way to the reader, in a place of its caller's like a request, so that others get theirs between.
 */
export async function* writeList<Row>(
  exchange: Exchange,
  { around: [before, after], most = null, read, show }: ListPieces<Row>,
): AsyncGenerator<string> {
  const { callerPlaces } = exchange.services;
  let left = most ?? Number.POSITIVE_INFINITY;
  let last: Row | null = null;
  let separator = '';
  let batch = FIRST_BATCH;
  yield `${before}[`;
  while (left > 0) {
    const limit = Math.min(left, batch);
    const from = last;
    const { rows, text } = await callerPlaces.take(exchange.caller, 'listing', () =>
      exchange.unlessGone(async () => {
        const found: readonly Row[] = await read(from, limit);
        return { rows: found, text: found.map((row) => JSON.stringify(show(row))).join() };
      }),
    );
    if (rows.length > 0) yield `${separator}${text}`;
    if (rows.length < limit) break;
    // A database and a reader that are quick would otherwise leave no turn of the event loop to others.
    await turn();
    separator = ',';
    last = rows.at(-1) ?? null;
    left -= limit;
    batch = Math.min(Math.max(1, Math.floor((BATCH_CHARACTERS * limit) / text.length)), LARGEST_BATCH);
  }
  yield `]${after}`;
}
