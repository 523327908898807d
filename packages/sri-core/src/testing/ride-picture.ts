import { expect } from 'vitest';
import { readComprobante } from '../documents/read-comprobante.js';
import { layoutRide } from '../ride/layout.js';
import type { Page, Rectangle } from '../ride/page.js';
import { widthOf } from '../ride/typeface.js';
import { escapeText } from '../xml/writer.js';

/** The pages of a RIDE as one SVG, from top to bottom, for a browser and for a line-by-line comparison. */
export function pictureOf(pages: readonly Page[]): string {
  let height = 0;
  const sheets = pages.map((page) => {
    const top = height;
    height += page.height;
    const parts = [
      rectangle({ x: 0, y: 0, width: page.width, height: page.height }, 'fill="white" stroke="silver"'),
      ...page.grounds.map((each) => rectangle(each, 'fill="#eee"')),
      ...page.frames.map((each) => rectangle(each, 'fill="none" stroke="gray" rx="4"')),
      ...page.lines.map((each) => rectangle(each, 'stroke="gray"')),
      ...page.logo.map((each) => rectangle(each, 'fill="#def"')),
      ...page.rules.map((each) => rectangle(each, 'fill="black"')),
      ...code(page.bars),
      ...code(page.squares),
      ...page.texts.map(
        ({ x, y, size, weight, glyphs }) =>
          `<text x="${short(x)}" y="${short(y)}" font-size="${size}"${weight === 'bold' ? ' font-weight="bold"' : ''}>${escapeText(glyphs)}</text>`,
      ),
    ];
    return `<g transform="translate(0 ${short(top)})">\n${parts.join('\n')}\n</g>`;
  });
  const size = `viewBox="0 0 ${short(Math.max(...pages.map(({ width }) => width)))} ${short(height)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif">\n${sheets.join('\n')}\n</svg>\n`;
}

/** The pages of the RIDE of an XML, without its authorization. */
export function pagesOf(xml: string): readonly Page[] {
  return layoutRide({ document: readComprobante(xml), authorization: null, voided: false, logo: null });
}

/** The texts of a page, in order. */
export function textsOf({ texts }: Page): readonly string[] {
  return texts.map(({ glyphs }) => String(glyphs));
}

/** Expects every element within the margins of its page, in points, and no text over another or over the logo. */
export function expectSound(pages: readonly Page[], margin = 20): void {
  for (const page of pages) {
    for (const { x, y, width, height } of [
      ...page.frames,
      ...page.grounds,
      ...page.lines,
      ...page.bars,
      ...page.rules,
      ...page.squares,
      ...page.logo,
    ]) {
      expect(x).toBeGreaterThanOrEqual(margin);
      expect(x + width).toBeLessThanOrEqual(page.width - margin);
      expect(y).toBeGreaterThanOrEqual(margin);
      expect(y + height).toBeLessThanOrEqual(page.height - margin);
      expect(width >= 0 && height >= 0).toBe(true);
    }
    const boxes = page.texts.map(({ glyphs, weight, size, x, y }) => ({
      glyphs,
      left: x,
      right: x + widthOf(glyphs, weight, size),
      top: y - size * 0.7,
      bottom: y,
    }));
    for (const [index, box] of boxes.entries()) {
      expect(box.left, box.glyphs).toBeGreaterThanOrEqual(margin);
      expect(box.right, box.glyphs).toBeLessThanOrEqual(page.width - margin);
      expect(box.bottom, box.glyphs).toBeLessThanOrEqual(page.height - margin + 2);
      const isBeside = page.logo.every(
        ({ x, y, width, height }) =>
          box.right <= x || box.left >= x + width || box.bottom <= y || box.top >= y + height,
      );
      expect(isBeside, box.glyphs).toBe(true);
      for (const other of boxes.slice(index + 1)) {
        const apart = box.right <= other.left + 0.01 || other.right <= box.left + 0.01;
        const below = box.bottom <= other.top || other.bottom <= box.top;
        if (!apart && !below) expect.fail(`«${box.glyphs}» runs over «${other.glyphs}»`);
      }
    }
  }
}

// --- internal ---

function rectangle({ x, y, width, height }: Rectangle, style: string): string {
  return `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" ${style}/>`;
}

/** A code as one element: it has its own tests. */
function code(parts: readonly Rectangle[]): readonly string[] {
  if (parts.length === 0) return [];
  const [x, y] = [Math.min(...parts.map((each) => each.x)), Math.min(...parts.map((each) => each.y))];
  const width = Math.max(...parts.map((each) => each.x + each.width)) - x;
  const height = Math.max(...parts.map((each) => each.y + each.height)) - y;
  return [rectangle({ x, y, width, height }, `fill="black" opacity="0.5"`)];
}

function short(length: number): string {
  return String(Math.round(length * 100) / 100);
}
