import { fullTitleOf } from '../documents/parts/ride-blocks.js';
import { encodeCode128, modulesOf, QUIET_ZONE_MODULES } from './barcode.js';
import { authorizationText, emissionText, environmentText, issuerFacts } from './facts.js';
import { heightOf, LEFT, linesOf, type Page, print, type Rectangle, RIGHT, type Style, TOP } from './page.js';
import { paragraphs, stack } from './panel.js';
import { isPreview, numberOf, type Ride } from './ride.js';
import { printedTimestamp } from './timestamp.js';
import { clampLines } from './wrap.js';

/**
 * Prints the head of the first page: the issuer with the logo on the left, the document and its access key on the right.
 *
 * @returns the `y` below it.
 */
export function printHeader(page: Page, ride: Ride): number {
  const right = printDocumentBox(page, ride);
  const logoBottom = ride.logo ? placeLogo(page, ride.logo) : TOP;
  const left = printIssuer(page, ride, logoBottom);
  const bottom = Math.max(left, right);
  page.frames.push({ x: LEFT, y: logoBottom, width: ISSUER_WIDTH, height: bottom - logoBottom });
  page.frames.push({ x: BOX_LEFT, y: TOP, width: BOX_WIDTH, height: bottom - TOP });
  return bottom;
}

// --- internal ---

const BOX_WIDTH = 292;
const BOX_LEFT = RIGHT - BOX_WIDTH;
const ISSUER_WIDTH = BOX_LEFT - 8 - LEFT;
const PADDING = 10;
const LOGO_HEIGHT = 72;
const NAME_HEIGHT = 44;

/** 321 modules of an access key are 265 points, still legible in a scan of 150 dpi. */
const MODULE = 0.825;
const BAR_HEIGHT = 42;

const CAPTION: Style = { size: 6.5, weight: 'bold', ink: 'quiet' };
const DIGITS: Style = { size: 8.8 };
/** Text beyond the 300 characters of the schema is cut: the head must leave room for the lines. */
const MOST_LINES = 12;

function printDocumentBox(page: Page, ride: Ride): number {
  const { document, authorization } = ride;
  const at = { x: BOX_LEFT + PADDING };
  const width = BOX_WIDTH - 2 * PADDING;
  const line = (text: string, style: Style, y: number) =>
    print(page, clampLines(linesOf(text, style, width), 3), style, { ...at, y });
  let y = line(`R.U.C.: ${document.issuer.ruc}`, { size: 11, weight: 'bold' }, TOP + 7);
  y = line(fullTitleOf(document.documentType), { size: 16, weight: 'bold' }, y);
  y = line(`No. ${numberOf(document)}`, { size: 11.5 }, y) + 4;
  y = line('NÚMERO DE AUTORIZACIÓN', CAPTION, y);
  y = line(authorizationText(ride), DIGITS, y) + 2;
  y = line('FECHA Y HORA DE AUTORIZACIÓN', CAPTION, y);
  y = line(authorization ? printedTimestamp(authorization.date) : '—', DIGITS, y) + 2;
  const halves = { left: at.x, right: at.x + width / 2 };
  print(page, linesOf('AMBIENTE', CAPTION, width), CAPTION, { x: halves.left, y });
  y = print(page, linesOf('EMISIÓN', CAPTION, width), CAPTION, { x: halves.right, y });
  print(page, linesOf(environmentText(ride), DIGITS, width), DIGITS, { x: halves.left, y });
  y = print(page, linesOf(emissionText(ride), DIGITS, width / 2), DIGITS, { x: halves.right, y }) + 2;
  y = line('CLAVE DE ACCESO', CAPTION, y) + 3;
  return printBarcode(page, ride, y);
}

/** Bars over the readable digits; only the text in a preview, or when the key has other characters than digits. */
function printBarcode(page: Page, ride: Ride, top: number): number {
  const { accessKey } = ride.document;
  const widths = isPreview(ride) ? null : encodeCode128(accessKey);
  const total = widths ? modulesOf(widths) * MODULE : 0;
  const quiet = QUIET_ZONE_MODULES * MODULE;
  let y = top;
  if (widths && total + 2 * quiet <= BOX_WIDTH) {
    let x = BOX_LEFT + (BOX_WIDTH - total) / 2;
    page.barcodeGround.push({ x: x - quiet, y: y - 1, width: total + 2 * quiet, height: BAR_HEIGHT + 2 });
    for (const [index, modules] of widths.entries()) {
      if (index % 2 === 0) page.bars.push({ x, y, width: modules * MODULE, height: BAR_HEIGHT });
      x += modules * MODULE;
    }
    y += BAR_HEIGHT + 2;
  }
  const lines = clampLines(linesOf(accessKey, DIGITS, BOX_WIDTH - 2 * PADDING), 3);
  return print(page, lines, DIGITS, { x: BOX_LEFT, y, width: BOX_WIDTH, align: 'center' }) + 6;
}

/** As large as the place allows, up to one pixel per point; a larger logo would look coarse. */
function placeLogo(page: Page, logo: { readonly width: number; readonly height: number }): number {
  const scale = Math.min(ISSUER_WIDTH / logo.width, LOGO_HEIGHT / logo.height, 1);
  const place: Rectangle = { x: LEFT, y: TOP, width: logo.width * scale, height: logo.height * scale };
  page.logo.push(place);
  return TOP + place.height + 8;
}

function printIssuer(page: Page, { document: { issuer }, logo }: Ride, top: number): number {
  const x = LEFT + PADDING;
  const width = ISSUER_WIDTH - 2 * PADDING;
  const style = nameStyle(issuer.businessName, width, logo ? 11 : 13);
  const name = clampLines(linesOf(issuer.businessName, style, width), MOST_LINES);
  let y = print(page, name, style, { x, y: top + 8 }) + 1;
  if (issuer.tradeName !== null && issuer.tradeName !== issuer.businessName) {
    const style: Style = { size: 9 };
    y = print(page, clampLines(linesOf(issuer.tradeName, style, width), MOST_LINES), style, { x, y });
  }
  y = stack(page, paragraphs(issuerFacts(issuer), width, { size: 7.8 }), x, y + 5);
  if (issuer.rimpe !== null) {
    const style: Style = { size: 7.8, weight: 'bold' };
    y = print(page, clampLines(linesOf(issuer.rimpe, style, width), MOST_LINES), style, { x, y: y + 1 });
  }
  return y + 7;
}

/** Smaller for a long name: three lines of the largest size are the height limit. */
function nameStyle(name: string, width: number, largest: number): Style {
  const styles = [largest, largest - 2].map((size): Style => ({ size, weight: 'bold', leading: 1.18 }));
  const fits = (style: Style) => heightOf(linesOf(name, style, width).length, style) <= NAME_HEIGHT;
  return styles.find(fits) ?? { size: 8.5, weight: 'bold', leading: 1.18 };
}
