import { ImageInvalidError } from '../errors.js';
import type { PixelRow, PixelSource } from './raster.js';

/**
 * Decodes the first picture of a GIF, on the full screen that the file declares. Later pictures, texts and loops are
 * skipped.
 *
 * @throws ImageInvalidError when the file is cut off or damaged before the first picture ends.
 * @see GIF89a specification, 1990.
 */
export function openGif(bytes: Uint8Array): PixelSource {
  const gif = readFrame(bytes);
  return { width: gif.screen.width, height: gif.screen.height, rows: () => decodeRows(gif) };
}

/** Whether the bytes start as a GIF. */
export function isGif(bytes: Uint8Array): boolean {
  return /^GIF8[79]a$/.test(String.fromCharCode(...bytes.subarray(0, 6)));
}

// --- internal ---

interface Frame {
  readonly screen: { readonly width: number; readonly height: number };
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly interlaced: boolean;
  /** Red, green, blue of each entry. */
  readonly palette: Uint8Array;
  /** The transparent entry; -1 without one. */
  readonly transparent: number;
  readonly codeSize: number;
  readonly data: Uint8Array;
}

const EXTENSION = 0x21;
const GRAPHIC_CONTROL = 0xf9;
const IMAGE = 0x2c;
/** First row and step of the four passes of an interlaced picture. */
const PASSES = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const;
const WHOLE = [[0, 1]] as const;
const MOST_CODES = 4096;
const LONGEST_CODE = 12;

function refuse(reason: string): never {
  throw new ImageInvalidError(`The GIF cannot be read: ${reason}.`);
}

function readFrame(bytes: Uint8Array): Frame {
  const byte = (at: number) => bytes[at] ?? refuse('it is cut off');
  const short = (at: number) => byte(at) | (byte(at + 1) << 8);
  const tableAt = (at: number, flags: number) => {
    const length = flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
    return bytes.subarray(at, at + length); // the byte behind it is read next
  };
  const screen = { width: short(6), height: short(8) };
  const shared = tableAt(13, byte(10));
  let transparent = -1;
  let at = 13 + shared.length;
  while (byte(at) === EXTENSION) {
    if (byte(at + 1) === GRAPHIC_CONTROL && byte(at + 2) === 4) transparent = byte(at + 3) & 1 ? byte(at + 6) : -1;
    at += 2;
    while (byte(at) !== 0) at += byte(at) + 1;
    at += 1;
  }
  if (byte(at) !== IMAGE) refuse('it has no picture');
  const flags = byte(at + 9);
  const own = tableAt(at + 10, flags);
  const [left, top, width, height] = [short(at + 1), short(at + 3), short(at + 5), short(at + 7)];
  if (width === 0 || height === 0 || left + width > screen.width || top + height > screen.height) {
    refuse('its picture does not lie on its screen');
  }
  at += 10 + own.length;
  const codeSize = byte(at);
  if (codeSize < 1 || codeSize > 8) refuse('its coding is unknown');
  const palette = own.length > 0 ? own : shared;
  if (palette.length === 0) refuse('it has no colours');
  const data = joinBlocks(bytes, at + 1);
  return { screen, left, top, width, height, interlaced: (flags & 0x40) !== 0, palette, transparent, codeSize, data };
}

/** The blocks of picture data joined. A file cut off after the last pixel is still complete. */
function joinBlocks(bytes: Uint8Array, start: number): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let at = start; (bytes[at] ?? 0) !== 0; at += (bytes[at] ?? 0) + 1) {
    blocks.push(bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0)));
  }
  return Buffer.concat(blocks);
}

function* decodeRows(frame: Frame): Generator<PixelRow> {
  const { left, top, width, height, palette, transparent } = frame;
  const fill = decompressor(frame);
  const entries = new Uint8Array(width);
  for (const [first, step] of frame.interlaced ? PASSES : WHOLE) {
    for (let y = first; y < height; y += step) {
      if (!fill(entries)) refuse('pixels are missing');
      const rgba = new Uint8Array(width * 4);
      for (let x = 0; x < width; x += 1) {
        const entry = entries[x] ?? 0;
        if (entry === transparent) continue;
        if (entry * 3 >= palette.length) refuse('a colour is not in its palette');
        rgba[x * 4] = palette[entry * 3] ?? 0;
        rgba[x * 4 + 1] = palette[entry * 3 + 1] ?? 0;
        rgba[x * 4 + 2] = palette[entry * 3 + 2] ?? 0;
        rgba[x * 4 + 3] = 255;
      }
      yield { y: top + y, x: left, step: 1, rgba };
    }
  }
}

/**
 * LZW as in GIF: codes from the lowest bit up, which grow from `codeSize + 1` to 12 bits.
 *
 * @returns a function that fills a row; false when the data ends before the row does.
 */
function decompressor({ data, codeSize }: Frame): (row: Uint8Array) => boolean {
  const clear = 1 << codeSize;
  const end = clear + 1;
  const prefixes = new Uint16Array(MOST_CODES);
  const suffixes = new Uint8Array(MOST_CODES);
  /** The expansion of the last code, from its end to its start. */
  const waiting = new Uint8Array(MOST_CODES + 1);
  let waitingCount = 0;
  let at = 0;
  let bits = 0;
  let bitCount = 0;
  let size = codeSize + 1;
  let next = end + 1;
  let previous = -1;
  let first = 0;

  function read(): number {
    while (bitCount < size) {
      if (at === data.length) return end;
      bits |= (data[at] ?? 0) << bitCount;
      at += 1;
      bitCount += 8;
    }
    const code = bits & ((1 << size) - 1);
    bits >>>= size;
    bitCount -= size;
    return code;
  }

  function expand(code: number): void {
    let rest = code;
    if (code > next || (previous < 0 && code >= clear)) refuse('a code is unknown');
    if (code === next) {
      waiting[waitingCount++] = first;
      rest = previous;
    }
    for (; rest >= clear; rest = prefixes[rest] ?? 0) waiting[waitingCount++] = suffixes[rest] ?? 0;
    first = rest;
    waiting[waitingCount++] = first;
    if (previous >= 0 && next < MOST_CODES) {
      prefixes[next] = previous;
      suffixes[next] = first;
      next += 1;
      if (next === 1 << size && size < LONGEST_CODE) size += 1;
    }
    previous = code;
  }

  return (row) => {
    for (let filled = 0; filled < row.length; ) {
      if (waitingCount > 0) {
        waitingCount -= 1;
        row[filled] = waiting[waitingCount] ?? 0;
        filled += 1;
        continue;
      }
      const code = read();
      if (code === end) return false;
      if (code === clear) {
        size = codeSize + 1;
        next = end + 1;
        previous = -1;
      } else {
        expand(code);
      }
    }
    return true;
  };
}
