import { documentTypeOf } from '../documents/registry.js';
import type { RideContent, RidePanel } from '../documents/ride-content.js';
import { measureFoot } from './foot.js';
import { printHeader } from './header.js';
import { printTable, tableStartHeight } from './items.js';
import { BOTTOM, LEFT, linesOf, type Page, print, RIGHT, type Style, WIDTH } from './page.js';
import { measurePanel } from './panel.js';
import { type Ride, stateMarks } from './ride.js';
import { nextSheet, openSheets, type Sheets, spaceLeft, WHOLE_SHEET } from './sheets.js';

/** Lays out a RIDE on A4 pages: head, panels and tables, foot, and a number below each page. */
export function layoutRide(ride: Ride): readonly Page[] {
  const sheets = openSheets();
  sheets.y = printHeader(sheets.page, ride) + GAP;
  const content = documentTypeOf(ride.document.documentType).ride(ride.document);
  const foot = measureFoot(content, ride.document.additionalInfo);
  for (const [index, block] of content.blocks.entries()) {
    const isLast = index === content.blocks.length - 1;
    const start = startHeight(content.blocks, index);
    if (start > spaceLeft(sheets) && start <= WHOLE_SHEET) nextSheet(sheets, ride);
    if (!('rows' in block)) {
      printPanel(sheets, block, ride);
      continue;
    }
    printTable(sheets, block, ride, isLast ? foot.together : 0);
    if (!isLast) sheets.y += GAP;
  }
  foot.print(sheets, ride);
  for (const [index, page] of sheets.pages.entries()) printPageFoot(page, ride, index + 1, sheets.pages.length);
  return sheets.pages;
}

// --- internal ---

const GAP = 7;
const NUMBER: Style = { size: 7, ink: 'quiet' };
const STATE: Style = { size: 7, weight: 'bold', ink: 'warning' };

/** The height that stays on one page: panels with the start of the table below them. */
function startHeight(blocks: RideContent['blocks'], index: number): number {
  const block = blocks[index];
  if (!block) return 0;
  if ('rows' in block) return tableStartHeight(block);
  const panel = measurePanel(block);
  return (panel ? panel.height + GAP : 0) + startHeight(blocks, index + 1);
}

function printPanel(sheets: Sheets, panel: RidePanel, ride: Ride): void {
  const measured = measurePanel(panel);
  if (!measured) return;
  if (measured.height > spaceLeft(sheets)) nextSheet(sheets, ride);
  measured.print(sheets.page, sheets.y);
  sheets.y += measured.height + GAP;
}

function printPageFoot(page: Page, ride: Ride, number: number, count: number): void {
  const y = BOTTOM + 8;
  page.lines.push({ x: LEFT, y, width: WIDTH, height: 0 });
  print(page, linesOf(`Clave de acceso ${ride.document.accessKey}`, NUMBER, WIDTH / 2).slice(0, 1), NUMBER, {
    x: LEFT,
    y: y + 3,
  });
  print(page, linesOf(`Página ${number} de ${count}`, NUMBER, WIDTH), NUMBER, {
    x: LEFT,
    y: y + 3,
    width: RIGHT - LEFT,
    align: 'right',
  });
  const marks = stateMarks(ride).join('  ·  ');
  print(page, linesOf(marks, STATE, WIDTH), STATE, { x: LEFT, y: y + 13, width: WIDTH, align: 'center' });
}
