import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import type { Raster } from './raster.js';

/**
 * Writes a picture as a PNG without metadata: with a palette up to 256 colours, as logos have, else in true colour. The
 * compression runs on the thread pool.
 */
export async function writePng(raster: Raster): Promise<Uint8Array> {
  const indexed = toPalette(raster);
  const lines = indexed ? plainLines(indexed.entries, raster.width) : predictedLines(raster);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(raster.width, 0);
  head.writeUInt32BE(raster.height, 4);
  head.set([8, indexed ? 3 : 2], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    ...(indexed ? [chunk('PLTE', indexed.palette)] : []),
    chunk('IDAT', await compress(lines, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ]);
}

// --- internal ---

const compress = promisify<Uint8Array, { level: number }, Buffer>(deflate);

function chunk(type: string, body: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(body.length + 12);
  bytes.writeUInt32BE(body.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(body, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, body.length + 8)), body.length + 8);
  return bytes;
}

/** Null for more than 256 colours. */
function toPalette({ pixels }: Raster): { palette: Uint8Array; entries: Uint8Array } | null {
  const known = new Map<number, number>();
  const entries = new Uint8Array(pixels.length / 3);
  for (let pixel = 0; pixel < entries.length; pixel += 1) {
    const at = pixel * 3;
    const colour = ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
    let entry = known.get(colour);
    if (entry === undefined) {
      if (known.size === 256) return null;
      entry = known.size;
      known.set(colour, entry);
    }
    entries[pixel] = entry;
  }
  return { entries, palette: Uint8Array.from([...known.keys()].flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255])) };
}

function plainLines(entries: Uint8Array, width: number): Uint8Array {
  const height = entries.length / width;
  const lines = new Uint8Array(entries.length + height);
  for (let y = 0; y < height; y += 1) lines.set(entries.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return lines;
}

/** Filters each row by the row above or the pixel to the left, whichever gives the smaller numbers. */
function predictedLines({ width, height, pixels }: Raster): Uint8Array {
  const length = width * 3;
  const lines = new Uint8Array((length + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const line = pixels.subarray(y * length, (y + 1) * length);
    const fromAbove = line.map((value, index) => value - (y === 0 ? 0 : (pixels[(y - 1) * length + index] ?? 0)));
    const fromLeft = line.map((value, index) => value - (index < 3 ? 0 : (line[index - 3] ?? 0)));
    const isUpBetter = weight(fromAbove) <= weight(fromLeft);
    lines[y * (length + 1)] = isUpBetter ? 2 : 1;
    lines.set(isUpBetter ? fromAbove : fromLeft, y * (length + 1) + 1);
  }
  return lines;
}

function weight(differences: Uint8Array): number {
  let total = 0;
  for (const difference of differences) total += difference < 128 ? difference : 256 - difference;
  return total;
}
