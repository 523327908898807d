import PDFDocument from 'pdfkit';
import { describe, expect, it } from 'vitest';
import { blankPage, type Page } from './page.js';
import { endPdf } from './pdf-bytes.js';
import { drawLines, fillGrounds } from './shapes.js';

/** The operators of a painter on a page; the first one in the stream is pdfkit's. */
function operatorsOf(paint: (document: PDFKit.PDFDocument, page: Page) => void, parts: Partial<Page>): string[] {
  const document = new PDFDocument({ compress: false, font: '', margin: 0, autoFirstPage: false });
  document.addPage();
  paint(document, { ...blankPage(), ...parts });
  const stream = /stream\n([\s\S]*?)\nendstream/.exec(Buffer.from(endPdf(document)).toString('latin1'))?.[1] ?? '';
  return stream.split('\n').slice(1).filter(Boolean);
}

/** The ends of a path's curves: its round corners. */
function roundCorners(operators: readonly string[]): string[] {
  return operators.filter((line) => line.endsWith(' c')).map((line) => line.split(' ').slice(4, 6).join(' '));
}

const box = { x: 10, y: 20, width: 100, height: 50 };

describe('fillGrounds', () => {
  it.each([
    { round: 'top' as const, corners: ['110 23', '13 20'] },
    { round: 'bottom' as const, corners: ['107 70', '10 67'] },
    { round: undefined, corners: [] },
  ])('fillGrounds rounds only the edge that lies in the corners of a frame: $round', ({ round, corners }) => {
    const operators = operatorsOf(fillGrounds, { grounds: [round ? { ...box, round } : box] });
    expect(roundCorners(operators)).toEqual(corners);
    expect(operators.at(-1)).toBe('f');
  });
});

describe('drawLines', () => {
  it('drawLines rounds all corners of a frame', () => {
    expect(roundCorners(operatorsOf(drawLines, { frames: [box] }))).toHaveLength(4);
  });

  it('drawLines fills the bars over their white ground', () => {
    const bar = { x: 12, y: 22, width: 1, height: 40 };
    const operators = operatorsOf(drawLines, { barcodeGround: [box], bars: [bar] });
    expect(operators.filter((line) => / (re|scn)$|^f$/.test(line))).toEqual([
      '10 20 100 50 re',
      '1 1 1 scn',
      'f',
      '12 22 1 40 re',
      '0 0 0 scn',
      'f',
    ]);
  });

  it('drawLines writes no operator for an empty page', () => {
    expect(operatorsOf(drawLines, {})).toEqual([]);
    expect(operatorsOf(fillGrounds, {})).toEqual([]);
  });
});
