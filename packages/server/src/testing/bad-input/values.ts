/**
 * The kinds of values: `text` fits into a document, `blank` has only blanks, `unwritable` has characters that XML does
 * not allow, `other` is not a text, `absent` omits the field.
 */
export type ValueSort = 'text' | 'blank' | 'unwritable' | 'other' | 'absent';

/** A value that a client may send for a field. */
export interface SentValue {
  /** Its name in a test's output. */
  readonly name: string;
  readonly sort: ValueSort;
  readonly value: unknown;
}

/** Unusual texts that a document may contain. */
const TEXTS: Readonly<Record<string, string>> = {
  'one letter': 'x',
  'XML specials': '& < > " \'',
  'the end of a CDATA section': ']]>',
  'a comment': '<!-- x',
  'an XML declaration': '<?xml version="1.0"?>',
  'entity references': '&amp;&#0;&x;',
  'a document type': '<!DOCTYPE x [<!ENTITY e SYSTEM "/etc/passwd">]>',
  'a tag': '<script>alert(1)</script>',
  'a line break inside': 'a\r\nb',
  'a tab inside': 'a\tb',
  'U+2028 inside': 'a\u2028b',
  'a byte order mark inside': 'a\ufeffb',
  'right-to-left override': 'a\u202eb',
  'a zero-width space': 'a\u200bb',
  'a soft hyphen': 'a\u00adb',
  'a tower of accents': `e${'\u0301'.repeat(20)}`,
  'a family of emoji': '👨‍👩‍👧‍👦',
  'a flag': '🇪🇨',
  NFC: '\u00f1',
  NFD: 'n\u0303',
  'an astral letter': '𐐷',
  'a private letter': '\ue000',
  'a mail header': 'x\r\nBcc: victima@ejemplo.ec',
  'a HTTP header': 'x\r\nSet-Cookie: a=b',
  SQL: "'; DROP TABLE documents; --",
  'SQL that is always true': "' OR 1=1--",
  'a spreadsheet formula': '=cmd|1',
  'PDF operators': '(\\) Tj ET',
  'a PDF': '%PDF-1.7',
  'a template': '#{7*7}{{7}}',
  'a place to fill in': '{max}',
  'a shell command': '$(reboot)',
  'a replacement pattern': '$&',
  'a folder above': '../../etc',
  __proto__: '__proto__',
  constructor: 'constructor',
  toString: 'toString',
  hasOwnProperty: 'hasOwnProperty',
  'null as text': 'null',
  'true as text': 'true',
  zero: '0',
  'two zeros': '00',
  one: '1',
  twelve: '12',
  '01': '01',
  '04': '04',
  '05': '05',
  '07': '07',
  '20': '20',
  'one decimal': '1.5',
  'two decimals': '1.25',
  'three decimals': '1.125',
  'six decimals': '1.123456',
  'seven decimals': '1.1234567',
  'no decimals after the point': '1.',
  'nothing before the point': '.5',
  'a comma': '1,5',
  'an exponent': '1e5',
  'a plus': '+1',
  'a minus': '-1',
  'minus zero': '-0',
  hexadecimal: '0x1',
  'an underscore': '1_0',
  'a thousands space': '1 000',
  'Arabic digits': '١٢',
  'full-width digits': '１２',
  'superscript digits': '¹²',
  NaN: 'NaN',
  Infinity: 'Infinity',
  today: '21/11/2026',
  tomorrow: '22/11/2026',
  yesterday: '20/11/2026',
  'the 31st of February': '31/02/2026',
  'the 29th of February': '29/02/2024',
  'a 29th of February that never was': '29/02/2025',
  'the year in two digits': '21/11/26',
  'a date in ISO form': '2026-11-21',
  'a date in American form': '11/21/2026',
  'a date with dashes': '21-11-2026',
  'a date in Arabic digits': '٢١/١١/٢٠٢٦',
  'a date before all': '00/00/0000',
  'a date with a time': '21/11/2026 00:00',
};

/** Texts of blanks only. */
const BLANKS: Readonly<Record<string, string>> = {
  'an empty text': '',
  'a blank': ' ',
  'a no-break space': '\u00a0',
  'only line breaks': '\t\r\n',
  'an em space': '\u2003',
};

/** Texts with characters that XML 1.0 forbids or discourages. */
const UNWRITABLE: Readonly<Record<string, string>> = {
  NUL: 'a\0b',
  BEL: 'a\x07b',
  'vertical tab': 'a\x0bb',
  escape: 'a\x1b[31mb',
  DEL: 'a\x7fb',
  'a C1 control': 'a\x85b',
  'another C1 control': 'a\x9fb',
  'U+FFFE': 'a\ufffeb',
  'U+FFFF': 'a\uffffb',
  'half a surrogate pair': 'a\ud800b',
  'the other half': 'a\udc00b',
  'two first halves': '\ud83d\ud83d',
};

/** JSON values that are not texts. */
const OTHERS: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  false: false,
  'the number 0': 0,
  'the number 1': 1,
  'the number -1': -1,
  'the number 1.5': 1.5,
  'the number 1.125': 1.125,
  'the number 1e21': 1e21,
  'the number 2^53': 2 ** 53,
  'a list': [],
  'a list of a list': [[]],
  'a list of null': [null],
  'a list of a text': ['01'],
  'an object': {},
  'an object with a length': { length: 1, 0: 'x' },
  'an object with a value': { value: '1' },
};

/** All values that are tried in every field. */
export const SENT_VALUES: readonly SentValue[] = [
  { name: 'left out', sort: 'absent', value: undefined },
  ...toValues(OTHERS, 'other'),
  ...toValues(BLANKS, 'blank'),
  ...toValues(TEXTS, 'text'),
  ...toValues(UNWRITABLE, 'unwritable'),
  { name: '400 digits', sort: 'text', value: '9'.repeat(400) },
  { name: '10 000 letters', sort: 'text', value: 'x'.repeat(10_000) },
];

/** The values that a form can contain: only texts, without lone surrogates. */
export const SENT_TEXTS: readonly SentValue[] = SENT_VALUES.filter(
  ({ sort, value }) => sort === 'absent' || (typeof value === 'string' && value.isWellFormed()),
);

// --- internal ---

function toValues(table: Readonly<Record<string, unknown>>, sort: ValueSort): SentValue[] {
  return Object.entries(table).map(([name, value]) => ({ name, sort, value }));
}
