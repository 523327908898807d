import { deflateSync } from 'node:zlib';
import { FIRST_CODE, type FontSubset } from './font-subset.js';
import type { FontName } from './text-operators.js';
import { SUBSETS } from './typeface.js';

/** A simple TrueType font with a custom encoding, as in PDF 32000-1, 9.6.6.4 («symbolic»). */
export function embedFont(document: PDFKit.PDFDocument, fontName: FontName): PDFKit.PDFKitReference {
  const subset = subsetOf(fontName);
  const { program, toUnicode } = readyFont(subset);
  // Six capitals distinguish the subsets of one font.
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

// --- internal ---

function subsetOf(name: FontName): FontSubset {
  const subset = SUBSETS[name.startsWith('B') ? 'bold' : 'regular'][Number(name.slice(1))];
  if (!subset) throw new RangeError(`There is no font ${name}.`);
  return subset;
}

/** Bytes that every document with the font contains; computed once. */
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

const SYMBOLIC = 4;

/** The character of each code, for a reader that copies or searches text. */
function characterMap({ characters }: FontSubset): string {
  const units = Array.from(characters, (character) => `<${hex(character.charCodeAt(0), 4)}>`);
  const lastCode = FIRST_CODE + units.length - 1;
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<00> <FF>
endcodespacerange
1 beginbfrange
<${hex(FIRST_CODE, 2)}> <${hex(lastCode, 2)}> [${units.join(' ')}]
endbfrange
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
