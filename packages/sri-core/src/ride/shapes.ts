import type { Ground, Page, Rectangle } from './page.js';

/** Fills the tinted grounds, below everything else. */
export function fillGrounds(document: PDFKit.PDFDocument, { grounds }: Page): void {
  if (grounds.length === 0) return;
  for (const ground of grounds) roundedPath(document, ground, radiiOf(ground));
  document.fill(SHADE.ground);
}

/** Draws hairlines, frames and the codes. */
export function drawLines(
  document: PDFKit.PDFDocument,
  { lines, frames, barcodeGround, bars, rules, squares }: Page,
): void {
  if (lines.length > 0) {
    for (const { x, y, width, height } of lines) document.moveTo(x, y).lineTo(x + width, y + height);
    document.lineWidth(HAIR_LINE).stroke(SHADE.line);
  }
  if (frames.length > 0) {
    for (const frame of frames) roundedPath(document, frame, [CORNER, CORNER, CORNER, CORNER]);
    document.lineWidth(FRAME_LINE).stroke(SHADE.frame);
  }
  fillRectangles(document, barcodeGround, '#fff');
  for (const black of [bars, rules, squares]) fillRectangles(document, black, '#000');
}

// --- internal ---

/** Greys that a photocopy keeps distinct. */
const SHADE = { ground: '#ececec', line: '#bdbdbd', frame: '#808080' } as const;
const HAIR_LINE = 0.35;
const FRAME_LINE = 0.7;
const CORNER = 3;

/** Radii of the four corners: top left, top right, bottom right, bottom left. */
type Radii = readonly [number, number, number, number];

function radiiOf({ round }: Ground): Radii {
  const [above, below] = [round === 'top' ? CORNER : 0, round === 'bottom' ? CORNER : 0];
  return [above, above, below, below];
}

function roundedPath(document: PDFKit.PDFDocument, { x, y, width, height }: Rectangle, radii: Radii): void {
  // pdfkit accepts a radius per corner; its types allow only one for all.
  document.roundedRect(x, y, width, height, radii as unknown as number);
}

function fillRectangles(document: PDFKit.PDFDocument, rectangles: readonly Rectangle[], color: string): void {
  if (rectangles.length === 0) return;
  for (const { x, y, width, height } of rectangles) document.rect(x, y, width, height);
  document.fill(color);
}
