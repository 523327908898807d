import fc from 'fast-check';

/**
 * XML documents as other software may write them: random trees whose root is `factura` with `id="comprobante"`, each written
 * in a random XML form. Only well-formedness is guaranteed, not the same infoset.
 */
export function foreignXml(): fc.Arbitrary<string> {
  return fc
    .record({ root: element(3), prolog: fc.boolean(), before: misc(), after: misc(), id: fc.nat(), blank: blanks(0) })
    .map(({ root, prolog, before, after, id, blank }) => {
      const declaration = prolog ? `<?xml version="1.0" encoding="UTF-8"?>${blank}` : '';
      return declaration + before + write({ ...root, name: 'factura', prefix: 0 }, BASE_SCOPE, id) + after;
    });
}

/** Expanded names of possible roots of {@link foreignXml}, in the form that xmlsec1 expects. */
export const FOREIGN_ROOTS = ['factura', 'urn:a:factura', 'urn:b:factura', 'urn:ab:factura', 'http://x.ec/y:factura'];

// --- internal ---

interface Piece {
  readonly text: string;
  readonly style: 'plain' | 'cdata' | 'decimal' | 'hex' | 'comment' | 'instruction';
}

interface Tree {
  readonly name: string;
  readonly prefix: number;
  readonly declares: readonly (readonly [prefix: string, uri: string])[];
  readonly attributes: readonly { readonly prefix: number; readonly name: string; readonly value: string }[];
  readonly quote: '"' | "'";
  readonly blank: string;
  readonly selfClosing: boolean;
  readonly children: readonly (Piece | Tree)[];
}

const NAMES = ['a', 'b', 'detalle', 'ñandú', '_u', 'x-1.y', 'A', '名'];
const PREFIXES = ['', 'p', 'q', 'B', 'z', 'ds', 'ñ'];
const URIS = ['urn:a', 'urn:b', 'urn:ab', 'http://x.ec/y', "http://x.ec/?a='1'"];
const BASE_SCOPE: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
]);
const BITS = [
  ...['a', '0', 'Ñandú', 'é', 'ẞ', '😀', '𝒳', ' ', '  ', '\n', '\r\n', '\r', '\t', '&', '<', '>', '"', "'", ']]>', ']'],
  ...['\u0085', '\u2028', '\u00a0', '\ufffd', '\ud7ff', '\ue000', '\u007f', '--', '?>', '$&', '\\'],
];

function text(): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...BITS), { maxLength: 6 }).map((bits) => bits.join(''));
}

function blanks(minLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(' ', '\n', '\r\n', '\t'), { minLength, maxLength: 3 }).map((bits) => bits.join(''));
}

function misc(): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom('<!-- </factura> -->', '<?nota <factura> ?>', '<?e?>', '\n', ' ', '\r\n'), { maxLength: 3 })
    .map((parts) => parts.join(''));
}

function piece(): fc.Arbitrary<Piece> {
  const style = fc.constantFrom<Piece['style']>('plain', 'cdata', 'decimal', 'hex', 'comment', 'instruction');
  return fc.record({ text: text(), style });
}

function element(depth: number): fc.Arbitrary<Tree> {
  return fc.record({
    name: fc.constantFrom(...NAMES),
    prefix: fc.nat(),
    declares: fc.array(fc.tuple(fc.constantFrom(...PREFIXES), fc.constantFrom('', ...URIS)), { maxLength: 3 }),
    attributes: fc.array(fc.record({ prefix: fc.nat(), name: fc.constantFrom(...NAMES), value: text() }), {
      maxLength: 4,
    }),
    quote: fc.constantFrom('"' as const, "'" as const),
    blank: blanks(1),
    selfClosing: fc.boolean(),
    children: fc.array(depth === 0 ? piece() : fc.oneof(piece(), element(depth - 1)), { maxLength: 4 }),
  });
}

function write(tree: Tree, outer: ReadonlyMap<string, string>, idAt: number | null = null): string {
  const { quote, blank } = tree;
  const declared = new Map(tree.declares.filter(([prefix, uri]) => prefix === '' || uri !== ''));
  const scope = new Map([...outer, ...declared]);
  const prefixes = [...scope.keys()];
  const pick = (index: number) => prefixes[index % prefixes.length] ?? '';
  const parts = [...declared].map(([prefix, uri]) => `xmlns${prefix && ':'}${prefix}=${quoted(uri, quote)}`);
  const used = new Set<string>();
  for (const { prefix: index, name, value } of tree.attributes) {
    const prefix = pick(index);
    const expanded = `${prefix && scope.get(prefix)} ${name}`;
    if (!used.has(expanded)) parts.push(`${prefix}${prefix && ':'}${name}=${quoted(value, quote)}`);
    used.add(expanded);
  }
  if (idAt !== null) parts.splice(idAt % (parts.length + 1), 0, `id=${quoted('comprobante', quote)}`);
  const prefix = idAt === null ? pick(tree.prefix).replace('xml', '') : '';
  const tag = `${prefix}${prefix && ':'}${tree.name}`;
  const start = `<${tag}${parts.map((part) => blank + part).join('')}`;
  const content = tree.children.map((child) => ('style' in child ? writePiece(child) : write(child, scope))).join('');
  if (content === '' && tree.selfClosing) return `${start}${blank}/>`;
  return `${start}${blank}>${content}</${tag}${blank}>`;
}

function writePiece({ text, style }: Piece): string {
  switch (style) {
    case 'plain':
      return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;');
    case 'cdata':
      return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
    case 'decimal':
      return [...text].map((character) => `&#${character.codePointAt(0)};`).join('');
    case 'hex':
      return [...text].map((character) => `&#x${character.codePointAt(0)?.toString(16)};`).join('');
    case 'comment':
      return `<!--${text.replaceAll('-', '')}-->`;
    case 'instruction':
      return `<?nota ${text.replaceAll('?>', '')}?>`;
  }
}

function quoted(value: string, quote: string): string {
  const escaped = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return quote + escaped.replaceAll(quote, quote === '"' ? '&#34;' : '&apos;') + quote;
}
