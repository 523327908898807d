import { expect } from 'vitest';
import { PAGE_HEIGHT, PAGE_WIDTH, type Page, type Rectangle } from '../ride/page.js';
import { widthOf } from '../ride/typeface.js';
import { escapeText } from '../xml/writer.js';

/** The pages of a RIDE as one SVG, from top to bottom, for a browser and for a line-by-line comparison. */
export function pictureOf(pages: readonly Page[]): string {
  const sheets = pages.map((page, index) => {
    const parts = [
      rectangle({ x: 0, y: 0, width: PAGE_WIDTH, height: PAGE_HEIGHT }, 'fill="white" stroke="silver"'),
      ...page.grounds.map((each) => rectangle(each, 'fill="#eee"')),
      ...page.frames.map((each) => rectangle(each, 'fill="none" stroke="gray" rx="4"')),
      ...page.lines.map((each) => rectangle(each, 'stroke="gray"')),
      ...page.logo.map((each) => rectangle(each, 'fill="#def"')),
      ...barcode(page.bars),
      ...page.texts.map(
        ({ x, y, size, weight, glyphs }) =>
          `<text x="${short(x)}" y="${short(y)}" font-size="${size}"${weight === 'bold' ? ' font-weight="bold"' : ''}>${escapeText(glyphs)}</text>`,
      ),
    ];
    return `<g transform="translate(0 ${short(index * PAGE_HEIGHT)})">\n${parts.join('\n')}\n</g>`;
  });
  const size = `viewBox="0 0 ${PAGE_WIDTH} ${short(pages.length * PAGE_HEIGHT)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif">\n${sheets.join('\n')}\n</svg>\n`;
}

/** Expects every element within its page, and no text over another. */
export function expectSound(pages: readonly Page[]): void {
  for (const page of pages) {
    for (const { x, y, width, height } of [
      ...page.frames,
      ...page.grounds,
      ...page.lines,
      ...page.bars,
      ...page.logo,
    ]) {
      expect(x).toBeGreaterThanOrEqual(20);
      expect(x + width).toBeLessThanOrEqual(PAGE_WIDTH - 20);
      expect(y).toBeGreaterThanOrEqual(20);
      expect(y + height).toBeLessThanOrEqual(PAGE_HEIGHT - 20);
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
      expect(box.left, box.glyphs).toBeGreaterThanOrEqual(20);
      expect(box.right, box.glyphs).toBeLessThanOrEqual(PAGE_WIDTH - 20);
      expect(box.bottom, box.glyphs).toBeLessThanOrEqual(PAGE_HEIGHT - 18);
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

/** The bars as one element: the barcode has its own tests. */
function barcode(bars: readonly Rectangle[]): readonly string[] {
  const [first] = bars;
  const last = bars.at(-1);
  if (!first || !last) return [];
  return [rectangle({ ...first, width: last.x + last.width - first.x }, `fill="black" opacity="0.5"`)];
}

function short(length: number): string {
  return String(Math.round(length * 100) / 100);
}
