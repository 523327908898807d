import { encode } from 'uqr';
import { encodeCode128, QUIET_ZONE_MODULES } from './barcode.js';
import type { Page } from './page.js';

/** A dot of a ticket printer in points: heads of 203 dpi have 8 dots a millimetre. */
export const DOT = 72 / 25.4 / 8;

/** Rounds a length up to whole dots. Bars that begin and end on dots are printed at their exact width. */
export function wholeDots(points: number): number {
  return Math.ceil(points / DOT - 1e-6) * DOT;
}

/** The width of a bar code that runs along the paper. */
export const BARS_WIDTH = 96 * DOT;

/** A code whose size is known before printing. */
export interface MeasuredCode {
  readonly height: number;
  readonly print: (page: Page, x: number, y: number) => void;
}

/**
 * The bars of an access key, along the paper. Across it, 321 modules of two dots would take 80.3 mm, and 72 mm are
 * printable. Modules of one dot (0.125 mm) are half of what readers and thermal heads need.
 *
 * @returns null for a text that is no key.
 */
export function measureBars(key: string): MeasuredCode | null {
  const widths = encodeCode128(key);
  if (!widths || key.length !== KEY_LENGTH) return null;
  const lengths = widths.map((modules) => modules * BAR_DOTS * DOT);
  const quiet = QUIET_ZONE_MODULES * BAR_DOTS * DOT;
  return {
    height: lengths.reduce((total, length) => total + length, 2 * quiet),
    print(page, x, top) {
      let y = top + quiet;
      for (const [index, height] of lengths.entries()) {
        if (index % 2 === 0) page.bars.push({ x, y: y + INSET, width: BARS_WIDTH, height: height - 2 * INSET });
        y += height;
      }
    },
  };
}

/** The QR code of an access key: its digits alone. ISO/IEC 18004, numeric mode, correction M. Null for a text that is no key. */
export function measureQr(key: string): (MeasuredCode & { readonly width: number }) | null {
  if (!/^[0-9]+$/.test(key) || key.length !== KEY_LENGTH) return null;
  const { data, size } = encode(key, { ecc: 'M', border: 0 });
  const module = QR_DOTS * DOT;
  return {
    width: size * module,
    height: size * module,
    print(page, x, y) {
      for (const [row, cells] of data.entries()) {
        for (let from = 0; from < size; from += 1) {
          if (!cells[from] || cells[from - 1]) continue;
          let to = from;
          while (cells[to]) to += 1;
          page.squares.push({ x: x + from * module, y: y + row * module, width: (to - from) * module, height: module });
        }
      }
    },
  };
}

// --- internal ---

const KEY_LENGTH = 49;
/** 0.25 mm a module, the least that GS1 allows for Code 128. */
const BAR_DOTS = 2;
/** Some drivers print every dot that a bar touches. A bar that ends on a dot's edge would get one more. */
const INSET = 0.1 * DOT;
/** A millimetre a module, for the cameras of telephones. */
const QR_DOTS = 8;
