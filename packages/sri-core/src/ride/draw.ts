import { deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { titleOf } from '../documents/parts/ride-blocks.js';
import { FIRST_CODE, type FontSubset } from './font-subset.js';
import { layoutRide } from './layout.js';
import type { Logo } from './logo.js';
import { type FontName, pageOperators } from './operators.js';
import { PAGE_HEIGHT, PAGE_WIDTH } from './page.js';
import { numberOf, type Ride, stateMarks } from './ride.js';
import { momentOf } from './timestamp.js';
import { SUBSETS } from './typeface.js';

/**
 * Draws a RIDE as PDF. The same ride gives the same bytes: the creation date is the document's own.
 *
 * pdfkit makes the file (objects, pages, images, compression); text does not go through its layout, which would make a
 * subset of each font for each document. The subsets here are ready to be copied, and were measured once.
 */
export function drawRide(ride: Ride, logo: Logo | null): Uint8Array {
  const document = new PDFDocument({
    size: [PAGE_WIDTH, PAGE_HEIGHT],
    margin: 0,
    font: '', // none of pdfkit's own
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: 'es-EC',
    displayTitle: true,
    info: properties(ride),
  });
  const marks = stateMarks(ride);
  const fonts = new Map<FontName, PDFKit.PDFKitReference>();
  for (const page of layoutRide(ride)) {
    document.addPage();
    const used = new Set<FontName>();
    const { under, over } = pageOperators(page, marks, used);
    document.addContent(bytesOf(under));
    for (const place of logo ? page.logo : []) document.image(Buffer.from(logo?.bytes ?? []), place.x, place.y, place);
    document.addContent(bytesOf(over));
    for (const name of used) {
      const font = fonts.get(name) ?? embedFont(document, name);
      fonts.set(name, font);
      document.page.fonts[name] = font;
    }
  }
  // pdfkit copies the properties into XMP, which is XML, without escaping them. It leaves XMP out of files of the oldest
  // version; the version of this file stands in its first line already.
  document.version = 1.3;
  document.end();
  return new Uint8Array(document.read() ?? []);
}

// --- internal ---

/** pdfkit turns text into bytes one character at a time, which for a long page costs more than laying it out. */
function bytesOf(operators: string): Uint8Array {
  return Buffer.from(`${operators}\n`, 'latin1');
}

function properties({ document, authorization }: Ride): PDFKit.DocumentInfo {
  const created = authorization ? momentOf(authorization.date) : null;
  return {
    Title: `${titleOf(document.documentType)} ${numberOf(document)}`,
    Author: document.issuer.businessName.slice(0, 300),
    Subject: `RIDE ${document.accessKey}`,
    Keywords: document.accessKey,
    Creator: 'sri-core',
    CreationDate: created ?? startOf(document.issueDate),
  };
}

function startOf(issueDate: string): Date {
  const [day, month, year] = issueDate.split('/');
  const moment = new Date(`${year}-${month}-${day}T00:00:00-05:00`);
  return Number.isNaN(moment.getTime()) ? new Date(0) : moment;
}

function subsetOf(name: FontName): FontSubset {
  const subset = SUBSETS[name.startsWith('B') ? 'bold' : 'regular'][Number(name.slice(1))];
  if (!subset) throw new RangeError(`There is no font ${name}.`);
  return subset;
}

/** Bytes that go into every document with the font, made once. */
interface ReadyFont {
  readonly program: Uint8Array;
  readonly toUnicode: Uint8Array;
}

const ready = new WeakMap<FontSubset, ReadyFont>();

function readyFont(subset: FontSubset): ReadyFont {
  const known = ready.get(subset);
  if (known) return known;
  const made = {
    program: new Uint8Array(Buffer.from(subset.deflatedProgram, 'base64')),
    toUnicode: new Uint8Array(deflateSync(characterMap(subset), { level: 9 })),
  };
  ready.set(subset, made);
  return made;
}

/** A simple TrueType font with codes of its own, as in PDF 32000-1, 9.6.6.4 («symbolic»). */
function embedFont(document: PDFKit.PDFDocument, fontName: FontName): PDFKit.PDFKitReference {
  const subset = subsetOf(fontName);
  const { program, toUnicode } = readyFont(subset);
  // Six capitals tell subsets of one font apart.
  const name = `RIDE${fontName.charAt(0)}${'ABCD'.charAt(Number(fontName.slice(1)))}+${subset.name}`;
  const file = document.ref({ Length1: subset.programLength, Filter: 'FlateDecode' });
  file.end(program);
  const map = document.ref({ Filter: 'FlateDecode' });
  map.end(toUnicode);
  const descriptor = document.ref({
    Type: 'FontDescriptor',
    FontName: name,
    Flags: SYMBOLIC,
    FontBBox: subset.box,
    ItalicAngle: 0,
    Ascent: subset.ascent,
    Descent: subset.descent,
    CapHeight: subset.capHeight,
    StemV: subset.bold ? 140 : 80,
    FontFile2: file,
  });
  descriptor.end(undefined);
  const font = document.ref({
    Type: 'Font',
    Subtype: 'TrueType',
    BaseFont: name,
    FirstChar: FIRST_CODE,
    LastChar: FIRST_CODE + subset.widths.length - 1,
    Widths: subset.widths,
    FontDescriptor: descriptor,
    ToUnicode: map,
  });
  font.end(undefined);
  return font;
}

const SYMBOLIC = 4;

/** What a reader copies and searches: the character behind each code. */
function characterMap({ characters }: FontSubset): string {
  const entries = Array.from(characters, (character, index) => ({ character, code: FIRST_CODE + index }))
    .filter(({ character }) => character !== '\0')
    .map(({ character, code }) => `<${hex(code, 2)}> <${hex(character.charCodeAt(0), 4)}>`);
  const blocks: string[] = [];
  for (let from = 0; from < entries.length; from += LARGEST_BLOCK) {
    const block = entries.slice(from, from + LARGEST_BLOCK);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<00> <FF>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

/** A character map may list no more in one block. */
const LARGEST_BLOCK = 100;

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
