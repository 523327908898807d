import type { SentValue } from './values.js';

/** The values that a field accepts, as documented. Deliberately not derived from the code that checks it. */
export interface FieldKind {
  takes(sent: SentValue): boolean;
  /** Edge values of this kind, tried in addition to the common values. */
  readonly edges: readonly SentValue[];
}

interface Optional {
  /** Whether it may be absent, null or blank. */
  readonly optional?: boolean;
}

/** A text of 1 to `max` code points after runs of blanks become one; `blank` allows an empty one. */
export function textOf(
  max: number,
  { optional = false, blank = optional }: Optional & { blank?: boolean } = {},
): FieldKind {
  return {
    takes: ({ sort, value }) => {
      if (sort === 'absent' || value === null) return optional;
      if (sort === 'blank') return blank;
      if (sort !== 'text' || typeof value !== 'string') return false;
      return [...asWritten(value)].length <= max;
    },
    edges: [
      { name: `${max} letters`, sort: 'text', value: 'x'.repeat(max) },
      { name: `${max + 1} letters`, sort: 'text', value: 'x'.repeat(max + 1) },
      { name: `${max * 10} letters`, sort: 'text', value: 'x'.repeat(max * 10) },
      { name: `${max} emoji`, sort: 'text', value: '😀'.repeat(max) },
      { name: `${max + 1} emoji`, sort: 'text', value: '😀'.repeat(max + 1) },
      { name: `${max} letters between blanks`, sort: 'text', value: ` \t${'ñ'.repeat(max)}\r\n` },
      { name: 'a letter between blanks', sort: 'text', value: ' x ' },
    ],
  };
}

/** The same for a text of a document, which counts in UTF-16 units, as Java does: an emoji is two. */
export function documentText(max: number, options: Parameters<typeof textOf>[1] = {}): FieldKind {
  const { takes, edges } = textOf(max, options);
  return {
    takes: (sent) => takes(sent) && !(typeof sent.value === 'string' && asWritten(sent.value).length > max),
    edges: [...edges, { name: `${max} units, an emoji among them`, sort: 'text', value: `${'x'.repeat(max - 2)}😀` }],
  };
}

/** One of the listed texts, exactly. */
export function exactly(
  taken: readonly string[],
  { optional = false, trimmed = false, blank = optional }: Optional & { trimmed?: boolean; blank?: boolean } = {},
): FieldKind {
  const good = taken[0] ?? '';
  return {
    takes: ({ sort, value }) => {
      if (sort === 'absent' || value === null) return optional;
      if (sort === 'blank') return blank;
      return typeof value === 'string' && taken.includes(trimmed ? value.trim() : value);
    },
    edges: [
      ...taken.map((value): SentValue => ({ name: `«${value.slice(0, 60)}»`, sort: 'text', value })),
      { name: 'a good value after a blank', sort: 'text', value: ` ${good}` },
      { name: 'a good value before a blank', sort: 'text', value: `${good} ` },
      { name: 'a good value before a line break', sort: 'text', value: `${good}\n` },
      { name: 'a good value with NUL', sort: 'unwritable', value: `${good}\0` },
      { name: 'two good values', sort: 'text', value: `${good},${good}` },
      { name: 'a good value in a list', sort: 'other', value: [good] },
    ],
  };
}

/** A JSON number that the predicate accepts. */
export function numberWhere(takes: (value: number) => boolean, { optional = false }: Optional = {}): FieldKind {
  return {
    takes: ({ sort, value }) =>
      sort === 'absent' || value === null ? optional : typeof value === 'number' && takes(value),
    edges: [
      { name: 'the number 999999999', sort: 'other', value: 999_999_999 },
      { name: 'the number 1000000000', sort: 'other', value: 1_000_000_000 },
      { name: 'the number 1e-7', sort: 'other', value: 1e-7 },
      { name: 'the number 1e308', sort: 'other', value: 1e308 },
    ],
  };
}

/** True or false. */
export function flag({ optional = false }: Optional = {}): FieldKind {
  return {
    takes: ({ sort, value }) => (sort === 'absent' || value === null ? optional : typeof value === 'boolean'),
    edges: [],
  };
}

/** A list or an object. No tried value is valid, except an empty list if `emptyList` is set. */
export function part({ optional = false, emptyList = false }: Optional & { emptyList?: boolean } = {}): FieldKind {
  return {
    takes: ({ sort, value }) => {
      if (sort === 'absent' || value === null) return optional;
      return emptyList && Array.isArray(value) && value.length === 0;
    },
    edges: [],
  };
}

/** A list of words, in any order and with repeats. */
export function listOf(
  words: readonly string[],
  { optional = false, emptyList = false }: Optional & { emptyList?: boolean } = {},
): FieldKind {
  const good = words[0] ?? '';
  return alsoTried(
    {
      takes: ({ sort, value }) => {
        if (sort === 'absent' || value === null) return optional;
        if (!Array.isArray(value)) return false;
        return value.length === 0 ? emptyList : value.every((entry) => words.includes(entry));
      },
      edges: [],
    },
    {
      'every word': words,
      'every word from the last on': words.toReversed(),
      'a word twice': [good, good],
      'a hundred times a word': Array.from({ length: 100 }, () => good),
      'a word that is in no list': good,
      'words in one text': words.join(','),
      'a word and an unknown one': [good, `${good}x`],
      'a word and an empty one': [good, ''],
      'a word and null': [good, null],
      'a word and a number': [good, 1],
      'a word in a list of its own': [good, [good]],
      'a word in an object': [{ value: good }],
      'an object that looks like a list': { 0: good, length: 1 },
      'a word in other letters': [good === good.toLowerCase() ? good.toUpperCase() : good.toLowerCase()],
      'a word after a blank': [` ${good}`],
      'a word before a line break': [`${good}\n`],
      'a word with NUL': [`${good}\0`],
      'a name every object has': ['toString'],
    },
  );
}

/** The kind with additional rejected or accepted values. */
export function but(
  kind: FieldKind,
  exceptions: { readonly refuses?: readonly unknown[]; readonly takes?: readonly unknown[] },
): FieldKind {
  const { refuses = [], takes = [] } = exceptions;
  return {
    takes: (sent) => !refuses.includes(sent.value) && (takes.includes(sent.value) || kind.takes(sent)),
    edges: kind.edges,
  };
}

/** A kind with further values to try. */
export function alsoTried(kind: FieldKind, values: Readonly<Record<string, unknown>>): FieldKind {
  const more = Object.entries(values).map(
    ([name, value]): SentValue => ({ name, sort: typeof value === 'string' ? 'text' : 'other', value }),
  );
  return { takes: kind.takes, edges: [...kind.edges, ...more] };
}

/** One plain address, `local@domain`. */
export function emailAddress(options: Optional & { trimmed?: boolean } = {}): FieldKind {
  const label = `${'d'.repeat(60)}.`;
  const good = [
    'maria@ejemplo.ec',
    'MARIA@EJEMPLO.EC',
    'a+b@c.ec',
    "o'neil@ejemplo.ec",
    '#{7*7}@ejemplo.ec',
    'a@b.c-d.ec',
    `${'l'.repeat(64)}@ejemplo.ec`,
    `a@${label.repeat(4)}${'e'.repeat(8)}`,
  ];
  return alsoTried(exactly(good, options), {
    'no domain': 'maria',
    'no local part': '@ejemplo.ec',
    'two signs': 'a@@ejemplo.ec',
    'two addresses': 'a@ejemplo.ec;b@ejemplo.ec',
    'a name before it': 'María <maria@ejemplo.ec>',
    'angle brackets': '<maria@ejemplo.ec>',
    quotes: '"a b"@ejemplo.ec',
    'a remark': 'maria(x)@ejemplo.ec',
    'a blank inside': 'ma ria@ejemplo.ec',
    'a header after it': 'maria@ejemplo.ec\r\nBcc: victima@ejemplo.ec',
    'a header after a bare line feed': 'maria@ejemplo.ec\nBcc: victima@ejemplo.ec',
    'a literal address': 'maria@[127.0.0.1]',
    'a number for a domain': 'maria@127.0.0.1',
    'a dot at the end': 'maria.@ejemplo.ec',
    'a dot at the beginning': '.maria@ejemplo.ec',
    'two dots': 'ma..ria@ejemplo.ec',
    'a letter outside ASCII': 'maría@ejemplo.ec',
    'a domain outside ASCII': 'maria@ñandú.ec',
    'a dash before the domain': 'maria@-ejemplo.ec',
    'a dash after a label': 'maria@ejemplo-.ec',
    'an underscore in the domain': 'maria@a_b.ec',
    'a domain without a dot': 'maria@localhost',
    'a domain of one letter': 'maria@ejemplo.e',
    'a dot after the domain': 'maria@ejemplo.ec.',
    'a percent route': 'a%b@c@ejemplo.ec',
    '65 letters before the sign': `${'l'.repeat(65)}@ejemplo.ec`,
    '255 letters': `a@${label.repeat(4)}${'e'.repeat(9)}`,
    'an address of 10 000 letters': `${'a.'.repeat(5000)}a@ejemplo.ec`,
    'a domain of 10 000 labels': `a@${'b.'.repeat(5000)}ec`,
    'a look-alike sign': 'maria＠ejemplo.ec',
  });
}

/** A UUID in any letter case. */
export function uuid(good: string, options: Optional & { trimmed?: boolean; blank?: boolean } = {}): FieldKind {
  return alsoTried(exactly([good, good.toUpperCase()], options), {
    braces: `{${good}}`,
    'a URN': `urn:uuid:${good}`,
    'no dashes': good.replaceAll('-', ''),
    'a digit less': good.slice(0, -1),
    'a digit more': `${good}0`,
    'a letter that is no digit': `${good.slice(0, -1)}g`,
    'full-width digits in it': `${good.slice(0, -1)}０`,
  });
}

/** Exactly `count` ASCII digits; blanks around them are ignored. */
export function digits(count: number): FieldKind {
  const good = '1790012345001'.slice(0, count);
  return alsoTried(exactly([good, '0'.repeat(count)], { trimmed: true }), {
    'a digit less': good.slice(1),
    'a digit more': `${good}0`,
    'full-width digits': '１'.repeat(count),
    'Arabic digits': '١'.repeat(count),
    'a letter among them': `${good.slice(1)}O`,
    'a minus': `-${good.slice(1)}`,
  });
}

/** An optional text of at most `max` UTF-16 units, taken unchanged, such as a password. */
export function anyText(max: number): FieldKind {
  return {
    takes: ({ sort, value }) =>
      sort === 'absent' || value === null || (typeof value === 'string' && value.length <= max),
    edges: [
      { name: `${max} letters`, sort: 'text', value: 'x'.repeat(max) },
      { name: `${max + 1} letters`, sort: 'text', value: 'x'.repeat(max + 1) },
    ],
  };
}

/** An optional file as base64; its content is checked elsewhere. */
export function base64(): FieldKind {
  return {
    takes: ({ sort, value }) => sort === 'absent' || value === null || (typeof value === 'string' && isBase64(value)),
    edges: [
      { name: 'one byte', sort: 'text', value: 'AA==' },
      { name: 'two bytes', sort: 'text', value: 'AAA=' },
      { name: 'cut off', sort: 'text', value: 'AAAAA' },
      { name: 'without its padding', sort: 'text', value: 'AAA' },
      { name: 'too much padding', sort: 'text', value: 'A===' },
      { name: 'padding inside', sort: 'text', value: 'AA==AAAA' },
      { name: 'the letters of addresses', sort: 'text', value: 'AA-_' },
      { name: 'a line break inside', sort: 'text', value: 'AAAA\r\nAAAA' },
      { name: 'a data address', sort: 'text', value: 'data:image/png;base64,AAAA' },
      { name: 'a blank before', sort: 'text', value: ' AAAA' },
    ],
  };
}

/** Words of a query: 1 to `max` code points, not blank, without control characters. */
export function queryWords(max: number): FieldKind {
  return {
    takes: ({ sort, value }) => {
      if (sort === 'absent') return true;
      if (sort === 'blank' || typeof value !== 'string' || [...value].length > max) return false;
      return sort === 'text' ? !/[\t\r\n]/.test(value) : /^a[\ufffe\uffff]b$/.test(value);
    },
    edges: [
      { name: 'a percent sign', sort: 'text', value: '%' },
      { name: 'an underscore', sort: 'text', value: '_' },
      { name: 'a backslash', sort: 'text', value: '\\' },
      { name: 'two backslashes and a quote', sort: 'text', value: "\\\\'" },
      { name: 'a star and a quote', sort: 'text', value: '"*' },
      { name: 'operators of a search', sort: 'text', value: 'a AND NOT b OR NEAR("c", 2)' },
      { name: 'a question mark', sort: 'text', value: '?1 $1 :x' },
      { name: `${max} letters`, sort: 'text', value: 'x'.repeat(max) },
      { name: `${max + 1} letters`, sort: 'text', value: 'x'.repeat(max + 1) },
      { name: `${max} emoji`, sort: 'text', value: '😀'.repeat(max) },
      { name: `${max + 1} emoji`, sort: 'text', value: '😀'.repeat(max + 1) },
    ],
  };
}

// --- internal ---

function asWritten(text: string): string {
  return text.trim().replace(/[\t\r\n]+/g, ' ');
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
