#!/usr/bin/python3
"""Makes the font data of the RIDE (src/ride/fonts/*.ts) from two open fonts. Run by a person, seldom:

    apt-get install fonttools fonts-noto-extra fonts-dejavu-extra
    python3 packages/sri-core/scripts/make-ride-fonts.py <folder of the fonts>... && npm run format

Each subset holds at most 224 glyphs on the codes 32 to 255, so that a document writes one byte a character, and is
deflated here once, so that drawing a document only copies it. Hinting, kerning and names are left out: at print and
screen resolutions of today they change nothing that is seen, and they are half of the bytes.
"""

import base64
import io
import pathlib
import sys
import zlib

from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

OUTPUT = pathlib.Path(__file__).resolve().parent.parent / 'src' / 'ride' / 'fonts'
FIRST_CODE = 32
LAST_CODE = 255

NOTICES = {
    'Noto': 'Noto Sans, Copyright 2015-2020 Google LLC, SIL Open Font License 1.1: see LICENSE-OFL.txt.',
    'DejaVu': 'DejaVu Sans, Copyright 2003 Bitstream Inc., free: see LICENSE-DejaVu.txt.',
}


def characters(*parts):
    """Code points from ranges (pairs) and texts, in order, each once."""
    found = []
    for part in parts:
        found += [ord(c) for c in part] if isinstance(part, str) else range(part[0], part[1] + 1)
    return list(dict.fromkeys(found))


def windows_1252():
    """The everyday subset stands on the codes of Windows-1252; codes free there take what hardware shops write (inches,
    ohms, eighths), and 127 the replacement box."""
    table = {}
    for code in range(FIRST_CODE, LAST_CODE + 1):
        try:
            table[code] = ord(bytes([code]).decode('cp1252'))
        except UnicodeDecodeError:
            continue
    table.update({0x81: ord('′'), 0x8D: ord('″'), 0x8F: ord('⅝'), 0x90: ord('Ω'), 0x9D: ord('⅜')})
    table[0xAD] = ord('⅛')  # instead of the soft hyphen, which is never drawn
    table[0x7F] = 0xFFFD
    return table


LATIN = characters((0x100, 0x17F), 'ƏəƠơƯưȘșȚțẞ', (0x1EA0, 0x1EF9))
MORE = characters(
    (0x384, 0x38A), 'Ό', (0x38E, 0x3A1), (0x3A3, 0x3CE), (0x400, 0x45F), 'Ґґ',
    '′″‴⁄⁰⁴⁵⁶⁷⁸⁹ⁿ₀₁₂₃₄₅₆₇₈₉₡₣₤₦₩₪₫₱₲₴₹₺₽₿ℓ№℗℠Ω℮⅓⅔⅛⅜⅝⅞‑‒―‗',
)
SYMBOLS = characters(
    '←↑→↓↔↕⇐⇒⇔∂∅∆∈∏∑−∓∕∗∘∙√∛∝∞∟∠∥∧∨∩∪∫∴≅≈≠≡≤≥⊕⊗⊥⌀■□▪▫▬▲△▶►▼▽◀◄◆◇○●◦★☆☎☐☑☒☺♀♂♠♣♥♦♪♫⚠⚡✂✈✉✓✔✕✖✗✘➔➜℃℉ℹ',
    (0x2160, 0x216B), (0x2460, 0x2473), '─│┌┐└┘├┤┬┴┼═║█▌▐░▒▓',
)

SUBSETS = [
    # file, exported name, source, codes
    ('text-regular', 'TEXT_REGULAR', 'NotoSans-SemiCondensed.ttf', windows_1252()),
    ('text-bold', 'TEXT_BOLD', 'NotoSans-SemiCondensedBold.ttf', windows_1252()),
    ('latin', 'LATIN', 'NotoSans-SemiCondensed.ttf', LATIN),
    ('greek-cyrillic', 'GREEK_CYRILLIC', 'NotoSans-SemiCondensed.ttf', MORE),
    ('symbols', 'SYMBOLS', 'DejaVuSansCondensed.ttf', SYMBOLS),
]


def find(name, folders):
    for folder in folders:
        for path in pathlib.Path(folder).rglob(name):
            return path
    raise SystemExit(f'{name} is in none of the folders given.')


def add_box(font):
    """A thin upright box on U+FFFD: what stands for a character that no subset has."""
    pen = TTGlyphPen(None)
    for left, low, right, high, inwards in ((70, 0, 530, 714, False), (115, 45, 485, 669, True)):
        corners = [(left, low), (left, high), (right, high), (right, low)]
        if inwards:
            corners.reverse()
        pen.moveTo(corners[0])
        for corner in corners[1:]:
            pen.lineTo(corner)
        pen.closePath()
    name = font.getBestCmap()[0xFFFD]
    font['glyf'][name] = pen.glyph()
    font['hmtx'][name] = (600, 70)


def make(source, codes):
    font = TTFont(source, recalcTimestamp=False)
    cmap = font.getBestCmap()
    if not isinstance(codes, dict):
        present = [point for point in codes if point in cmap and point not in windows_1252().values()]
        if len(present) > LAST_CODE - FIRST_CODE + 1:
            raise SystemExit(f'{len(present)} characters do not fit in one subset.')
        codes = {FIRST_CODE + index: point for index, point in enumerate(present)}
    if 0xFFFD in codes.values():
        add_box(font)
    cap_height = font['glyf'][cmap[ord('H')]].yMax
    options = Options()
    options.hinting = False
    options.layout_features = []
    options.notdef_outline = True
    options.drop_tables += ['GSUB', 'GPOS', 'GDEF', 'DSIG', 'FFTM', 'gasp', 'STAT']
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=codes.values())
    subsetter.subset(font)
    cmap = font.getBestCmap()
    metrics = font['hmtx']
    scale = 1000 / font['head'].unitsPerEm
    facts = {
        'ascent': round(font['hhea'].ascent * scale),
        'descent': round(font['hhea'].descent * scale),
        'capHeight': round(cap_height * scale),
        'box': [round(getattr(font['head'], edge) * scale) for edge in ('xMin', 'yMin', 'xMax', 'yMax')],
    }
    widths = [
        round(metrics[cmap[codes[code]]][0] * scale) if code in codes else 0 for code in range(FIRST_CODE, LAST_CODE + 1)
    ]
    by_code = {code: cmap[point] for code, point in codes.items()}
    font['cmap'] = code_table(by_code)
    for table in ('OS/2', 'name', 'post'):
        if table in font:
            del font[table]
    out = io.BytesIO()
    font.save(out)
    return codes, widths, facts, out.getvalue()


def code_table(by_code):
    """Codes to glyphs for a symbolic TrueType font: Macintosh (1,0), and Microsoft symbol (3,0) for other readers."""
    table = newTable('cmap')
    table.tableVersion = 0
    table.tables = []
    for platform, encoding, form, offset in ((1, 0, 6, 0), (3, 0, 4, 0xF000)):
        subtable = CmapSubtable.newSubtable(form)
        subtable.platformID, subtable.platEncID, subtable.language = platform, encoding, 0
        subtable.cmap = {offset + code: glyph for code, glyph in by_code.items()}
        table.tables.append(subtable)
    return table


def quoted(text):
    plain = ''.join(c if 0x20 < ord(c) < 0x7F and c not in "'\\" else f'\\u{ord(c):04x}' for c in text)
    return f"'{plain}'"


def write(name, constant, source, codes, widths, facts, program):
    letters = ''.join(chr(codes.get(code, 0)) for code in range(FIRST_CODE, LAST_CODE + 1))
    packed = base64.b64encode(zlib.compress(program, 9)).decode()
    notice = NOTICES['DejaVu' if 'DejaVu' in source.name else 'Noto']
    text = f"""/*! {notice} Generated by scripts/make-ride-fonts.py. */
import type {{ FontSubset }} from '../font-subset.js';

/** {len(codes)} glyphs of {source.stem}. */
export const {constant}: FontSubset = {{
  name: '{source.stem}',
  characters:
    {quoted(letters)},
  widths: [{', '.join(map(str, widths))}],
  ascent: {facts['ascent']},
  descent: {facts['descent']},
  capHeight: {facts['capHeight']},
  box: [{', '.join(map(str, facts['box']))}],
  bold: {'true' if 'Bold' in source.stem else 'false'},
  programLength: {len(program)},
  deflatedProgram:
    '{packed}',
}};
"""
    (OUTPUT / f'{name}.ts').write_text(text)
    print(f'{name}: {len(codes)} glyphs, {len(program)} bytes, {len(packed) * 3 // 4} deflated')


def main():
    for name, constant, source, codes in SUBSETS:
        path = find(source, sys.argv[1:])
        write(name, constant, path, *make(path, codes))


main()
