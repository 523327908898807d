import { crc32, createInflate } from 'node:zlib';
import { ImageInvalidError } from '../errors.js';
import type { PixelRow, PixelSource } from './raster.js';

/**
 * Decodes a PNG of any colour type, depth and interlacing. Text, time, colour profile and animation are skipped.
 *
 * @throws ImageInvalidError when a chunk is damaged or out of order. `rows` throws it when a pixel is damaged.
 * @see W3C PNG specification, third edition.
 */
export function openPng(bytes: Uint8Array): PixelSource {
  const png = readChunks(bytes);
  return { width: png.width, height: png.height, rows: () => decodeRows(png) };
}

/** Whether the bytes start as a PNG. */
export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, index) => bytes[index] === byte);
}

// --- internal ---

interface Png {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colour: Colour;
  readonly interlaced: boolean;
  /** Red, green, blue of each entry. */
  readonly palette: Uint8Array;
  /** As in the chunk: opacities of palette entries, or the one transparent colour in 16-bit samples. */
  readonly transparency: Uint8Array | null;
  readonly data: readonly Uint8Array[];
}

type Colour = 0 | 2 | 3 | 4 | 6;

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const DEPTHS: Readonly<Record<Colour, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const CHANNELS: Readonly<Record<Colour, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** First column and row, and their steps, of the seven passes of an interlaced picture. */
const PASSES = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
] as const;
const WHOLE = [{ x: 0, y: 0, stepX: 1, stepY: 1 }] as const;

function refuse(reason: string): never {
  throw new ImageInvalidError(`The PNG cannot be read: ${reason}.`);
}

function readChunks(bytes: Uint8Array): Png {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let head: Pick<Png, 'width' | 'height' | 'depth' | 'colour' | 'interlaced'> | null = null;
  let palette: Uint8Array = new Uint8Array();
  let transparency: Uint8Array | null = null;
  const data: Uint8Array[] = [];
  let previous = '';
  for (let at = SIGNATURE.length; previous !== 'IEND'; ) {
    if (at + 12 > bytes.length) refuse('it is cut off');
    const length = view.getUint32(at);
    if (length > bytes.length - at - 12) refuse('it is cut off');
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (view.getUint32(at + 8 + length) !== crc32(bytes.subarray(at + 4, at + 8 + length)))
      refuse('a check sum is wrong');
    if ((head === null) !== (type === 'IHDR')) refuse('its head is missing or doubled');
    if (type === 'IHDR') head = readHead(body);
    else if (type === 'PLTE' && length % 3 === 0 && length <= 768 && data.length === 0) palette = body;
    else if (type === 'tRNS' && data.length === 0) transparency = body;
    else if (type === 'IDAT' && (data.length === 0 || previous === 'IDAT')) data.push(body);
    else if (type !== 'IEND' && /^[A-Z]/.test(type)) refuse('a chunk is out of place');
    previous = type;
    at += length + 12;
  }
  if (!head || data.length === 0) refuse('it has no pixels');
  if (head.colour === 3 && palette.length === 0) refuse('its palette is missing');
  return { ...head, palette, transparency: usable(transparency, head.colour), data };
}

function readHead(body: Uint8Array): Pick<Png, 'width' | 'height' | 'depth' | 'colour' | 'interlaced'> {
  if (body.length !== 13) refuse('its head is damaged');
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = body.subarray(8);
  if (!isColour(colour) || !DEPTHS[colour].includes(depth)) refuse('its colours are of no known kind');
  if (compression !== 0 || filter !== 0 || interlace > 1) refuse('its coding is unknown');
  return { width: view.getUint32(0), height: view.getUint32(4), depth, colour, interlaced: interlace === 1 };
}

function isColour(value: number): value is Colour {
  return value in CHANNELS;
}

function usable(transparency: Uint8Array | null, colour: Colour): Uint8Array | null {
  if (colour === 3) return transparency;
  return transparency?.length === 2 * CHANNELS[colour] ? transparency : null;
}

/** Inflates no more than the picture needs, and yields each complete row. */
async function* decodeRows(png: Png): AsyncGenerator<PixelRow> {
  const pixelBytes = Math.max(1, (CHANNELS[png.colour] * png.depth) >> 3);
  const inflated = inflate(png.data);
  let rest: Uint8Array = new Uint8Array();
  for (const pass of png.interlaced ? PASSES : WHOLE) {
    const columns = Math.ceil((png.width - pass.x) / pass.stepX);
    const length = Math.ceil((columns * CHANNELS[png.colour] * png.depth) / 8);
    let above: Uint8Array = new Uint8Array(length);
    if (columns <= 0) continue;
    for (let y = pass.y; y < png.height; y += pass.stepY) {
      const line = new Uint8Array(length + 1);
      for (let filled = 0; filled < line.length; ) {
        if (rest.length === 0) {
          const next = await inflated.next();
          if (next.done) refuse('pixels are missing');
          rest = next.value;
        }
        const taken = rest.subarray(0, line.length - filled);
        line.set(taken, filled);
        filled += taken.length;
        rest = rest.subarray(taken.length);
      }
      const samples = line.subarray(1);
      unfilter(line[0] ?? 0, samples, above, pixelBytes);
      above = samples;
      yield { y, x: pass.x, step: pass.stepX, rgba: toRgba(png, samples, columns) };
    }
  }
}

async function* inflate(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  const stream = createInflate();
  stream.on('error', () => {}); // the loop below throws it
  for (const piece of pieces) stream.write(piece);
  stream.end();
  try {
    for await (const chunk of stream) yield chunk;
  } catch (error) {
    throw new ImageInvalidError('The PNG cannot be read: its pixels are damaged.', { cause: error });
  } finally {
    stream.destroy();
  }
}

/** Reverses a row's filter, from the pixels to the left (`a`), above (`b`) and above left (`c`). */
function unfilter(kind: number, line: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  if (kind > 4) refuse('a row is damaged');
  if (kind === 0) return;
  for (let index = 0; index < line.length; index += 1) {
    const a = index < pixelBytes ? 0 : (line[index - pixelBytes] ?? 0);
    const b = above[index] ?? 0;
    const c = index < pixelBytes ? 0 : (above[index - pixelBytes] ?? 0);
    line[index] = (line[index] ?? 0) + predicted(kind, a, b, c);
  }
}

function predicted(kind: number, a: number, b: number, c: number): number {
  if (kind === 1) return a;
  if (kind === 2) return b;
  if (kind === 3) return (a + b) >> 1;
  const fromA = Math.abs(b - c);
  const fromB = Math.abs(a - c);
  const fromC = Math.abs(a + b - 2 * c);
  if (fromA <= fromB && fromA <= fromC) return a;
  return fromB <= fromC ? b : c;
}

/** The samples of a row as red, green, blue and opacity. */
function toRgba(png: Png, samples: Uint8Array, columns: number): Uint8Array {
  const rgba = new Uint8Array(columns * 4);
  if (png.colour === 3) fromPalette(png, samples, rgba);
  else if (png.depth < 8) fromFewBits(png, samples, rgba);
  else fromBytes(png, samples, rgba);
  return rgba;
}

function fromPalette({ depth, palette, transparency }: Png, samples: Uint8Array, rgba: Uint8Array): void {
  for (let column = 0; column * 4 < rgba.length; column += 1) {
    const entry = sampleAt(samples, column, depth);
    if (entry * 3 >= palette.length) refuse('a colour is not in its palette');
    rgba.set(palette.subarray(entry * 3, entry * 3 + 3), column * 4);
    rgba[column * 4 + 3] = transparency?.[entry] ?? 255;
  }
}

/** Grey of 1, 2 or 4 bits. */
function fromFewBits({ depth, transparency }: Png, samples: Uint8Array, rgba: Uint8Array): void {
  const most = 2 ** depth - 1;
  const transparent = transparency ? ((transparency[0] ?? 0) << 8) | (transparency[1] ?? 0) : -1;
  for (let column = 0; column * 4 < rgba.length; column += 1) {
    const sample = sampleAt(samples, column, depth);
    rgba.fill(Math.round((sample * 255) / most), column * 4, column * 4 + 3);
    rgba[column * 4 + 3] = sample === transparent ? 0 : 255;
  }
}

/** Grey or colour of 8 or 16 bits; of 16 bits the upper half is kept. */
function fromBytes({ colour, depth, transparency }: Png, samples: Uint8Array, rgba: Uint8Array): void {
  const bytes = depth / 8;
  const channels = CHANNELS[colour];
  const isGrey = channels < 3;
  const hasOpacity = channels % 2 === 0;
  for (let from = 0, to = 0; to < rgba.length; from += channels * bytes, to += 4) {
    const red = samples[from] ?? 0;
    rgba[to] = red;
    rgba[to + 1] = isGrey ? red : (samples[from + bytes] ?? 0);
    rgba[to + 2] = isGrey ? red : (samples[from + 2 * bytes] ?? 0);
    rgba[to + 3] = hasOpacity ? (samples[from + (channels - 1) * bytes] ?? 0) : 255;
    if (transparency && isTransparent(samples, from, channels, bytes, transparency)) rgba[to + 3] = 0;
  }
}

function isTransparent(
  samples: Uint8Array,
  from: number,
  channels: number,
  bytes: number,
  transparency: Uint8Array,
): boolean {
  for (let channel = 0; channel < channels; channel += 1) {
    const at = from + channel * bytes;
    const sample = bytes === 2 ? ((samples[at] ?? 0) << 8) | (samples[at + 1] ?? 0) : (samples[at] ?? 0);
    if (sample !== (((transparency[channel * 2] ?? 0) << 8) | (transparency[channel * 2 + 1] ?? 0))) return false;
  }
  return true;
}

function sampleAt(samples: Uint8Array, column: number, depth: number): number {
  const bit = column * depth;
  return ((samples[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
}
