import { titleOf } from '../documents/parts/ride-blocks.js';
import { BOTTOM, blankPage, LEFT, linesOf, type Page, print, RIGHT, type Style, TOP, WIDTH } from './page.js';
import { numberOf, type Ride } from './ride.js';
import { clampLines } from './wrap.js';

/** The pages of a RIDE during layout: the current page, and the top of its free space. */
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

/** Starts another page, which repeats the issuer and the document number. @param about what continues on it. */
export function nextSheet(sheets: Sheets, ride: Ride, about: string | null = null): void {
  const page = blankPage();
  sheets.pages.push(page);
  sheets.page = page;
  const { issuer } = ride.document;
  const title = `${titleOf(ride.document.documentType)} No. ${numberOf(ride.document)}`;
  const left = `${about ? `${about} · ` : ''}R.U.C. ${issuer.ruc} · ${issuer.businessName}`;
  print(page, clampLines(linesOf(left, STRIP, WIDTH * 0.5), 1), STRIP, { x: LEFT, y: TOP });
  const bold: Style = { ...STRIP, weight: 'bold' };
  const lines = clampLines(linesOf(title, bold, WIDTH * 0.48), 1);
  print(page, lines, bold, { x: LEFT, y: TOP, width: RIGHT - LEFT, align: 'right' });
  sheets.y = CONTINUED_TOP;
}

/** The top of the free space on every page but the first. */
const CONTINUED_TOP = TOP + 18;

/** The free height of a page after the first. */
export const WHOLE_SHEET = BOTTOM - CONTINUED_TOP;

/** The free height of the current page. */
export function spaceLeft(sheets: Sheets): number {
  return BOTTOM - sheets.y;
}

// --- internal ---

const STRIP: Style = { size: 8 };
