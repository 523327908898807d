import { PAGE_HEIGHT, PAGE_WIDTH, type PrintedText } from './page.js';
import { type FontName, textOperators } from './text-operators.js';
import { CAP_HEIGHT, toGlyphs, widthOf } from './typeface.js';

/** Writes marks large across the page, below each other, rising from the lower left. */
export function drawMarks(document: PDFKit.PDFDocument, marks: readonly string[], fonts: Set<FontName>): void {
  if (marks.length === 0) return;
  document.save().rotate(-ANGLE, { origin: [PAGE_WIDTH / 2, CENTRE] });
  document.addContent(textOperators(marksAround(PAGE_WIDTH / 2, CENTRE, marks), fonts)).restore();
}

// --- internal ---

const ANGLE = 52;
const LENGTH = 640;
/** Below the middle of the page, away from the barcode. */
const CENTRE = PAGE_HEIGHT * 0.585;
const LARGEST = 104;
const LEADING = 1.3;

function marksAround(x: number, centre: number, marks: readonly string[]): readonly PrintedText[] {
  const lines = marks.map((mark) => {
    const glyphs = toGlyphs(mark);
    return { glyphs, size: Math.min(LENGTH / widthOf(glyphs, 'bold', 1), LARGEST) };
  });
  let y = centre - lines.reduce((total, { size }) => total + size * LEADING, 0) / 2;
  return lines.map(({ glyphs, size }) => {
    const baseLine = y + (size * (LEADING + CAP_HEIGHT)) / 2;
    y += size * LEADING;
    return { x: x - widthOf(glyphs, 'bold', size) / 2, y: baseLine, glyphs, weight: 'bold', size, ink: 'mark' };
  });
}
