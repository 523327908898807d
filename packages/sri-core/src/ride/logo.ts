import { setImmediate } from 'node:timers/promises';
import { ImageInvalidError } from '../errors.js';
import { isGif, openGif } from './gif-reader.js';
import { cleanJpeg, isJpeg } from './jpeg-cleaner.js';
import { isPng, openPng } from './png-reader.js';
import { writePng } from './png-writer.js';
import { createRasterBuilder, type PixelSource, type Raster, rowsOf } from './raster.js';

/** A logo that is safe to keep and quick to print. */
export interface Logo {
  readonly format: 'png' | 'jpeg';
  /** Pixels, after the camera's orientation. */
  readonly width: number;
  readonly height: number;
  /** At most `LOGO_MAX_BYTES`, without metadata. `readLogo` accepts them again. */
  readonly bytes: Uint8Array;
}

/** The maximum size of a logo in bytes. */
export const LOGO_MAX_BYTES = 500 * 1024;
/** The maximum pixels per side. The check runs before a pixel is decoded. */
export const LOGO_MAX_SIDE = 4096;

/**
 * Checks and re-encodes a logo. Metadata, later frames and trailing bytes are dropped; transparency becomes white. A PNG
 * or GIF returns as PNG of at most 1200 × 600 pixels, which is finer than a RIDE prints. The largest picture takes about
 * a second and 30 MB, and the event loop runs in between.
 *
 * The decoders read row by row and inflate no more than the picture needs. This bound is why they are our own. Common
 * JavaScript libraries hold the whole picture (500 MB for the largest) or inflate without a limit.
 *
 * @param bytes a PNG, JPEG or GIF, recognized by its first bytes.
 * @throws ImageInvalidError when it has another format, is too large in bytes or pixels, or is damaged.
 */
export async function readLogo(bytes: Uint8Array): Promise<Logo> {
  if (!(bytes instanceof Uint8Array)) throw new ImageInvalidError('A logo is its bytes, a Uint8Array or a Buffer.');
  if (bytes.length > LOGO_MAX_BYTES) throw new ImageInvalidError(`A logo has at most ${LOGO_MAX_BYTES} bytes.`);
  if (isJpeg(bytes)) {
    const jpeg = cleanJpeg(bytes);
    checkSides(jpeg);
    return { format: 'jpeg', ...jpeg };
  }
  if (!isPng(bytes) && !isGif(bytes)) throw new ImageInvalidError('A logo is a PNG, JPEG or GIF image.');
  const source = isPng(bytes) ? openPng(bytes) : openGif(bytes);
  checkSides(source);
  return encode(await shrink(source, LARGEST));
}

// --- internal ---

const LARGEST = { width: 1200, height: 600 };
/** Pixels decoded before the event loop runs again. */
const PIXELS_A_TURN = 100_000;

function checkSides({ width, height }: { readonly width: number; readonly height: number }): void {
  if (width < 1 || height < 1 || width > LOGO_MAX_SIDE || height > LOGO_MAX_SIDE) {
    throw new ImageInvalidError(`A logo has 1 to ${LOGO_MAX_SIDE} pixels on each side.`);
  }
}

async function shrink(
  source: PixelSource,
  limits: { readonly width: number; readonly height: number },
): Promise<Raster> {
  const builder = createRasterBuilder(source, limits);
  let pixels = 0;
  for await (const row of source.rows()) {
    builder.add(row);
    pixels += row.rgba.length / 4;
    if (pixels < PIXELS_A_TURN) continue;
    pixels = 0;
    await setImmediate();
  }
  return builder.finish();
}

/** A photograph as PNG may exceed the byte limit. It shrinks until it fits. */
async function encode(raster: Raster): Promise<Logo> {
  const { width, height } = raster;
  const bytes = await writePng(raster);
  if (bytes.length <= LOGO_MAX_BYTES) return { format: 'png', width, height, bytes };
  const source = { width, height, rows: () => rowsOf(raster) };
  return encode(await shrink(source, { width: Math.ceil(width * 0.7), height: Math.ceil(height * 0.7) }));
}
