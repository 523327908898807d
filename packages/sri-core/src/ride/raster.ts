/** An opaque picture: three bytes (red, green, blue) per pixel, row by row. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Pixels of one row: four bytes each (the fourth is opacity), the first at column `x`, then every `step` columns. */
export interface PixelRow {
  readonly y: number;
  readonly x: number;
  readonly step: number;
  readonly rgba: Uint8Array;
}

/** A picture decoded row by row. Rows come in any order, as interlacing requires. */
export interface PixelSource {
  readonly width: number;
  readonly height: number;
  readonly rows: () => Iterable<PixelRow> | AsyncIterable<PixelRow>;
}

/** Collects the rows of a picture on white and shrinks it at the same time. */
export interface RasterBuilder {
  readonly add: (row: PixelRow) => void;
  readonly finish: () => Raster;
}

/**
 * A builder that holds only the smaller picture. Each pixel is added to its cell of the result, and a cell is the mean of
 * its pixels. A picture within the limits keeps its size.
 */
export function createRasterBuilder(
  source: { readonly width: number; readonly height: number },
  limits: { readonly width: number; readonly height: number },
): RasterBuilder {
  const scale = Math.min(limits.width / source.width, limits.height / source.height, 1);
  const width = Math.max(1, Math.round(source.width * scale));
  const height = Math.max(1, Math.round(source.height * scale));
  const columns = Uint32Array.from({ length: source.width }, (_, x) => 3 * Math.floor((x * width) / source.width));
  const sums = new Uint32Array(width * height * 3);
  const counts = new Uint32Array(width * height);
  return {
    add: ({ y, x, step, rgba }) => {
      const row = Math.floor((y * height) / source.height) * width;
      const rowStart = row * 3;
      for (let from = 0, column = x; from < rgba.length; from += 4, column += step) {
        const opacity = rgba[from + 3] ?? 0;
        const paper = 255 - opacity;
        const offset = columns[column] ?? 0;
        const cell = rowStart + offset;
        sums[cell] = (sums[cell] ?? 0) + onPaper(rgba[from] ?? 0, opacity, paper);
        sums[cell + 1] = (sums[cell + 1] ?? 0) + onPaper(rgba[from + 1] ?? 0, opacity, paper);
        sums[cell + 2] = (sums[cell + 2] ?? 0) + onPaper(rgba[from + 2] ?? 0, opacity, paper);
        const counted = row + offset / 3;
        counts[counted] = (counts[counted] ?? 0) + 1;
      }
    },
    finish: () => {
      const pixels = new Uint8Array(sums.length);
      for (let index = 0; index < sums.length; index += 1) {
        const count = counts[Math.floor(index / 3)] ?? 0;
        pixels[index] = count === 0 ? 255 : Math.round((sums[index] ?? 0) / count);
      }
      return { width, height, pixels };
    },
  };
}

/** The rows of a finished picture, for a further reduction. */
export function* rowsOf({ width, height, pixels }: Raster): Generator<PixelRow> {
  for (let y = 0; y < height; y += 1) {
    const rgba = new Uint8Array(width * 4).fill(255);
    for (let x = 0; x < width; x += 1) rgba.set(pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3), x * 4);
    yield { y, x: 0, step: 1, rgba };
  }
}

// --- internal ---

/** A colour of a pixel, blended on white. */
function onPaper(value: number, opacity: number, paper: number): number {
  if (paper === 0) return value;
  return Math.round((value * opacity + 255 * paper) / 255);
}
