import { measureFoot } from './foot.js';
import { printHeader } from './header.js';
import { printItems } from './items.js';
import { BOTTOM, LEFT, linesOf, type Page, print, RIGHT, type Style, WIDTH } from './page.js';
import { measurePanel } from './panel.js';
import { partyPanels } from './parties.js';
import { type Ride, stateMarks } from './ride.js';
import { nextSheet, openSheets, spaceLeft } from './sheets.js';

/** Lays a RIDE out on A4 pages: head, parties, lines, foot, and below each page its number. */
export function layoutRide(ride: Ride): readonly Page[] {
  const sheets = openSheets();
  sheets.y = printHeader(sheets.page, ride) + GAP;
  for (const panel of partyPanels(ride.document)) {
    const measured = measurePanel(panel);
    if (!measured) continue;
    if (measured.height > spaceLeft(sheets)) nextSheet(sheets, ride);
    measured.print(sheets.page, sheets.y);
    sheets.y += measured.height + GAP;
  }
  const foot = measureFoot(ride.document);
  printItems(sheets, ride, foot.together);
  foot.print(sheets, ride);
  for (const [index, page] of sheets.pages.entries()) printPageFoot(page, ride, index + 1, sheets.pages.length);
  return sheets.pages;
}

// --- internal ---

const GAP = 7;
const NUMBER: Style = { size: 7, ink: 'quiet' };
const STATE: Style = { size: 7, weight: 'bold', ink: 'warning' };

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
