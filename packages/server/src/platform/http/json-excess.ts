/** A limit on content that a JSON text exceeds. */
export interface JsonExcess {
  readonly rule: 'maxValues' | 'maxFieldNames' | 'depth';
  readonly max: number;
}

/** The most values of a body, members of lists and objects alike: a thousand lines with ten taxes each have 70,000. */
export const MAX_VALUES = 100_000;
/**
 * The most field names, each counted once for the names before it in its object. A parser creates a shape for each,
 * which takes a microsecond; the lines of a document all share one shape.
 */
export const MAX_FIELD_NAMES = 4_000;
export const MAX_DEPTH = 64;

/**
 * The limit that a JSON text exceeds; null if none. One pass over the bytes, which may be invalid JSON, with memory for
 * `MAX_FIELD_NAMES` numbers.
 */
export function findExcess(bytes: Uint8Array): JsonExcess | null {
  const names = new Set<number>();
  /** By depth: the names so far in the open object. */
  const shapes = new Int32Array(MAX_DEPTH + 1);
  let values = 0;
  let depth = 0;
  let start = 0;
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        start = at + 1;
        end = endOfText(bytes, start);
        at = end;
        break;
      case COMMA:
        values += 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        values += 1;
        depth += 1;
        if (depth > MAX_DEPTH) return { rule: 'depth', max: MAX_DEPTH };
        shapes[depth] = depth === 1 ? SEED : Math.imul(shapes[depth - 1] ?? 0, PRIME) ^ OPEN_BRACE;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (depth > 0) depth -= 1;
        break;
      case COLON: {
        const shape = hash(shapes[depth] ?? 0, bytes, start, end);
        shapes[depth] = shape;
        names.add(shape);
        if (names.size > MAX_FIELD_NAMES) return { rule: 'maxFieldNames', max: MAX_FIELD_NAMES };
        break;
      }
    }
    if (values > MAX_VALUES) return { rule: 'maxValues', max: MAX_VALUES };
  }
  return null;
}

// --- internal ---

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const PRIME = 16_777_619;
/** Random in each process, so that colliding names cannot be prepared. */
const SEED = crypto.getRandomValues(new Int32Array(1))[0] ?? 0;

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function hash(seed: number, bytes: Uint8Array, start: number, end: number): number {
  let value = seed;
  for (let at = start; at < end; at += 1) value = Math.imul(value ^ (bytes[at] ?? 0), PRIME);
  return Math.imul(value ^ COLON, PRIME);
}
