import { setImmediate as turn } from 'node:timers/promises';
import type { Exchange } from './exchange.js';

/** A list that is streamed during its read. */
export interface ListPieces<Row> {
  /** The JSON before its `[`, and after its `]`. */
  readonly around: readonly [before: string, after: string];
  /** The most rows to return. Default: all. */
  readonly most?: number | null;
  /** The next rows, at most `limit`. @param last the preceding row; null for the first batch. */
  readonly read: (last: Row | null, limit: number) => Promise<readonly Row[]>;
  readonly show: (row: Row) => object;
}

/** Rows of the first batch: one may have 15 kB. */
const FIRST_BATCH = 4;

/** Characters of a usual batch, which take about a millisecond. */
const BATCH_CHARACTERS = 32 * 1024;

/** The most rows of a batch, even if they are short. */
const LARGEST_BATCH = 200;

/**
 * The JSON of an object with a list that may have more rows than fit in memory. A batch is read once the one before is
 * on its way to the reader. It takes a place of its caller like a request, so that other requests run between batches.
 */
export async function* writeList<Row>(
  exchange: Exchange,
  { around: [before, after], most = null, read, show }: ListPieces<Row>,
): AsyncGenerator<string> {
  const { callerSlots } = exchange.services;
  let left = most ?? Number.POSITIVE_INFINITY;
  let last: Row | null = null;
  let separator = '';
  let batch = FIRST_BATCH;
  yield `${before}[`;
  while (left > 0) {
    const limit = Math.min(left, batch);
    const from = last;
    const { rows, text } = await callerSlots.take(exchange.caller, 'listing', () =>
      exchange.unlessGone(async () => {
        const found: readonly Row[] = await read(from, limit);
        return { rows: found, text: found.map((row) => JSON.stringify(show(row))).join() };
      }),
    );
    if (rows.length > 0) yield `${separator}${text}`;
    if (rows.length < limit) break;
    // With a fast database and a fast reader, the event loop would not serve other requests.
    await turn();
    separator = ',';
    last = rows.at(-1) ?? null;
    left -= limit;
    batch = Math.min(Math.max(1, Math.floor((BATCH_CHARACTERS * limit) / text.length)), LARGEST_BATCH);
  }
  yield `]${after}`;
}
