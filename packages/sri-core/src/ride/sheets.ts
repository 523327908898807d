import { titleOf } from '../documents/parts/ride-blocks.js';
import { BOTTOM, blankPage, LEFT, linesOf, type Page, print, RIGHT, type Style, TOP, WIDTH } from './page.js';
import { numberOf, type Ride } from './ride.js';
import { clampLines } from './wrap.js';

/** The pages of a RIDE while it is laid out: the one in hand, and where its free space begins. */
export interface Sheets {
  readonly pages: Page[];
  page: Page;
  y: number;
}

/** The first page, empty. */
export function openSheets(): Sheets {
  const page = blankPage();
  return { pages: [page], page, y: TOP };
}

/** Goes on to another page, which says whose it is and of what. */
export function nextSheet(sheets: Sheets, ride: Ride): void {
  const page = blankPage();
  sheets.pages.push(page);
  sheets.page = page;
  const { issuer } = ride.document;
  const title = `${titleOf(ride.document.documentType)} No. ${numberOf(ride.document)}`;
  const name = clampLines(linesOf(`R.U.C. ${issuer.ruc} · ${issuer.businessName}`, STRIP, WIDTH * 0.62), 1);
  print(page, name, STRIP, { x: LEFT, y: TOP });
  const bold: Style = { ...STRIP, weight: 'bold' };
  const lines = clampLines(linesOf(title, bold, WIDTH * 0.36), 1);
  print(page, lines, bold, { x: LEFT, y: TOP, width: RIGHT - LEFT, align: 'right' });
  sheets.y = CONTINUED_TOP;
}

/** Where the free space of every page but the first begins. */
export const CONTINUED_TOP = TOP + 18;

/** How much fits on a page that is not the first. */
export const WHOLE_SHEET = BOTTOM - CONTINUED_TOP;

/** How much still fits on the page in hand. */
export function spaceLeft(sheets: Sheets): number {
  return BOTTOM - sheets.y;
}

// --- internal ---

const STRIP: Style = { size: 8 };
