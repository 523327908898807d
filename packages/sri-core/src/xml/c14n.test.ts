import { DOMImplementation } from '@xmldom/xmldom';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { C14nCanonicalizationWithComments, ExclusiveCanonicalization } from 'xml-crypto';
import { XmlError } from '../errors.js';
import { foreignXml } from '../testing/xml-arbitrary.js';
import { hasTool, xmllintCanonical } from '../testing/xml-tools.js';
import { canonicalize } from './c14n.js';
import { elementAt, elementsOf } from './elements.js';
import { parseDom } from './reader.js';

const hasXmllint = hasTool('xmllint');

/** The canonical form of many ways to write XML. `xmlCrypto: false` marks a different result of xml-crypto. */
const FORMS: readonly { name: string; xml: string; canonical: string; xmlCrypto?: false }[] = [
  { name: 'CDATA becomes text', xml: '<a><![CDATA[a<b&c]]>x<![CDATA[]]></a>', canonical: '<a>a&lt;b&amp;cx</a>' },
  { name: 'comments stay when asked', xml: '<a>x<!-- y --></a>', canonical: '<a>x<!-- y --></a>' },
  { name: 'numeric references', xml: '<a>&#233;&#xE9;&#128512;&#10;</a>', canonical: '<a>éé😀\n</a>' },
  { name: 'a carriage return by reference', xml: '<a x="&#13;">&#13;</a>', canonical: '<a x="&#xD;">&#xD;</a>' },
  { name: 'CR and CRLF line ends', xml: '<a>\r\n<b>1\r2</b>\r\n</a>', canonical: '<a>\n<b>1\n2</b>\n</a>' },
  { name: 'line ends in attributes', xml: '<a x="1\r\n2\t3\r4"></a>', canonical: '<a x="1 2 3 4"></a>' },
  { name: 'white space by reference', xml: '<a x="&#9;&#10;"></a>', canonical: '<a x="&#x9;&#xA;"></a>' },
  { name: 'quotes', xml: `<a x='say "hi"' y="it's"></a>`, canonical: `<a x="say &quot;hi&quot;" y="it's"></a>` },
  { name: 'a raw greater-than sign', xml: '<a x="a>b">a>b</a>', canonical: '<a x="a>b">a&gt;b</a>' },
  { name: 'empty elements', xml: '<a><b/><d /></a>', canonical: '<a><b></b><d></d></a>' },
  { name: 'white space in tags', xml: '<a\n x = "1" ><b >x</b\n></a >', canonical: '<a x="1"><b>x</b></a>' },
  { name: 'accents and astral characters', xml: '<año ñ="é">𝒳</año>', canonical: '<año ñ="é">𝒳</año>' },
  {
    name: 'attributes in any order',
    xml: '<a z="1" a="2" M="3" _="4"/>',
    canonical: '<a M="3" _="4" a="2" z="1"></a>',
  },
  {
    name: 'xml:lang and xml:space',
    xml: '<a xml:space="preserve" xml:lang="es" b="1"/>',
    canonical: '<a b="1" xml:lang="es" xml:space="preserve"></a>',
  },
  {
    name: 'a redundant declaration',
    xml: '<a xmlns:p="urn:p"><b xmlns:p="urn:p"/></a>',
    canonical: '<a xmlns:p="urn:p"><b></b></a>',
  },
  {
    name: 'a prefix that changes',
    xml: '<a xmlns:p="urn:p"><b xmlns:p="urn:q"/><p:c/></a>',
    canonical: '<a xmlns:p="urn:p"><b xmlns:p="urn:q"></b><p:c></p:c></a>',
  },
  {
    name: 'default namespaces',
    xml: '<a xmlns="urn:d"><b/><c xmlns=""><d xmlns=""/></c></a>',
    canonical: '<a xmlns="urn:d"><b></b><c xmlns=""><d></d></c></a>',
  },
  { name: 'an empty default namespace on the root', xml: '<a xmlns=""><b/></a>', canonical: '<a><b></b></a>' },
  {
    name: 'prefixes sort by code point',
    xml: '<a xmlns:b="urn:1" xmlns:B="urn:2"/>',
    canonical: '<a xmlns:B="urn:2" xmlns:b="urn:1"></a>',
    xmlCrypto: false,
  },
  {
    name: 'attributes sort by namespace, then name',
    xml: '<a xmlns:p="urn:a" xmlns:q="urn:ab" p:z="1" q:c="2"/>',
    canonical: '<a xmlns:p="urn:a" xmlns:q="urn:ab" p:z="1" q:c="2"></a>',
    xmlCrypto: false,
  },
  {
    name: 'attributes without a namespace come first, whatever the names of others',
    xml: '<a xmlns:p="A:b" p:x="1" y="2"/>',
    canonical: '<a xmlns:p="A:b" y="2" p:x="1"></a>',
  },
  {
    name: 'attributes of one namespace sort by name, ignoring their prefix',
    xml: '<a xmlns:p="urn:a" xmlns:q="urn:a" p:z="1" q:c="2" d="3"/>',
    canonical: '<a xmlns:p="urn:a" xmlns:q="urn:a" d="3" q:c="2" p:z="1"></a>',
  },
  {
    name: 'attributes whose name starts with xmlns',
    xml: '<a xmlns_x="2" xmlnsfoo="1"/>',
    canonical: '<a xmlns_x="2" xmlnsfoo="1"></a>',
    xmlCrypto: false,
  },
  {
    name: 'processing instructions',
    xml: '<a><?in   some data ?><?e?></a>',
    canonical: '<a><?in some data ?><?e?></a>',
    xmlCrypto: false,
  },
  {
    name: 'the xml prefix declared',
    xml: '<a xmlns:xml="http://www.w3.org/XML/1998/namespace" xml:lang="es"/>',
    canonical: '<a xml:lang="es"></a>',
    xmlCrypto: false,
  },
  {
    name: 'NEL and LINE SEPARATOR are not line ends',
    xml: '<a>x\u0085y\u2028z</a>',
    canonical: '<a>x\u0085y\u2028z</a>',
  },
  { name: 'the replacement character', xml: '<a>\ufffd</a>', canonical: '<a>\ufffd</a>' },
  {
    name: 'names beyond the basic plane sort by code point',
    xml: '<a 𐐷="2" \ufa0e="1"/>',
    canonical: '<a \ufa0e="1" 𐐷="2"></a>',
    xmlCrypto: false,
  },
];

describe('the canonical form', () => {
  it.each(FORMS)('canonicalizes $name', ({ xml, canonical, xmlCrypto = true }) => {
    const root = parseDom(xml, 1000);
    expect(canonicalize(root, { comments: true })).toBe(canonical);
    if (hasXmllint) expect(xmllintCanonical(xml)).toBe(canonical);
    // The reason for this module: if xml-crypto ever agrees, this test fails.
    expect(xmlCryptoForm(xml) === canonical).toBe(xmlCrypto);
  });

  it('canonicalization drops comments by default, and joins the text around them', () => {
    expect(canonicalize(parseDom('<a>x<!-- y -->z</a>', 100))).toBe('<a>xz</a>');
  });

  it.skipIf(!hasXmllint)('the canonical form equals that of libxml2 for random documents', () => {
    fc.assert(
      fc.property(fc.array(foreignXml(), { minLength: 30, maxLength: 30 }), (documents) => {
        let rest = xmllintCanonical(...documents);
        for (const xml of documents) {
          const form = canonicalize(parseDom(xml, 100_000), { comments: true });
          expect(rest).toContain(form);
          rest = rest.slice(rest.indexOf(form) + form.length);
        }
      }),
      { numRuns: 5 },
    );
  });

  it('the canonical form is stable when computed again', () => {
    fc.assert(
      fc.property(foreignXml(), (xml) => {
        const once = canonicalize(parseDom(xml, 100_000));
        expect(canonicalize(parseDom(once, 100_000))).toBe(once);
      }),
    );
  });
});

describe('the canonical form of a part', () => {
  const root = parseDom(
    '<a xmlns="urn:d" xmlns:q="urn:q" xml:lang="es" xml:id="r" n="1"><b xmlns:p="urn:p" xml:lang="en"><c i="1"> <d/></c></b></a>',
    1000,
  );
  const part = elementAt(root, 'urn:d', 'b', 'c');
  if (!part) throw new Error('no part');

  it('the canonical form of a part carries the namespaces and xml: attributes it inherits', () => {
    expect(canonicalize(part)).toBe(
      '<c xmlns="urn:d" xmlns:p="urn:p" xmlns:q="urn:q" i="1" xml:id="r" xml:lang="en"> <d></d></c>',
    );
  });

  it('the canonical form of a part can leave out inherited declarations, and blank texts', () => {
    expect(canonicalize(part, { inherit: false })).toBe('<c i="1"> <d></d></c>');
    expect(canonicalize(part, { inherit: false, blanks: false })).toBe('<c i="1"><d></d></c>');
  });

  it.each([
    {
      name: 'a namespace stands where a name first uses it, and again beside it',
      xml: '<a xmlns="urn:d" xmlns:p="urn:p" xmlns:q="urn:q"><p:b><p:c q:x="1"/></p:b><p:e/></a>',
      canonical:
        '<a xmlns="urn:d"><p:b xmlns:p="urn:p"><p:c xmlns:q="urn:q" q:x="1"></p:c></p:b><p:e xmlns:p="urn:p"></p:e></a>',
    },
    {
      name: 'a default namespace is taken back, and declared again',
      xml: '<a xmlns="urn:d"><b xmlns=""><c xmlns="urn:d" xml:lang="es"/></b></a>',
      canonical: '<a xmlns="urn:d"><b xmlns=""><c xmlns="urn:d" xml:lang="es"></c></b></a>',
    },
    {
      name: 'a prefix that changes its namespace',
      xml: '<p:a xmlns:p="urn:1"><p:b xmlns:p="urn:2"><p:c/></p:b><p:d/></p:a>',
      canonical: '<p:a xmlns:p="urn:1"><p:b xmlns:p="urn:2"><p:c></p:c></p:b><p:d></p:d></p:a>',
    },
  ])('the exclusive canonical form of a part: $name', ({ xml, canonical }) => {
    expect(canonicalize(parseDom(xml, 1e4), { exclusive: true })).toBe(canonical);
    expect(new ExclusiveCanonicalization().process(parseDom(xml, 1e4) as never, {})).toBe(canonical);
  });

  it('the exclusive canonical form inherits nothing unused', () => {
    const root = parseDom('<a xmlns="urn:d" xmlns:p="urn:p" xml:lang="es"><p:b><c/></p:b></a>', 1e4);
    const inner = [...elementsOf(root)].find(({ tagName }) => tagName === 'p:b');
    expect(inner && canonicalize(inner, { exclusive: true })).toBe('<p:b xmlns:p="urn:p"><c xmlns="urn:d"></c></p:b>');
  });

  it('the canonical form can leave out one element with its content', () => {
    const whole = canonicalize(root);
    expect(canonicalize(root, { omit: part })).toBe(whole.replace('<c i="1"> <d></d></c>', ''));
  });

  it.each([
    {
      name: 'own xml: attributes and namespaces come before inherited ones',
      xml: '<a xmlns:p="urn:p" xmlns:q="urn:q" xml:lang="es" xml:space="preserve"><c xmlns:p="urn:o" xml:lang="en"/></a>',
      canonical: '<c xmlns:p="urn:o" xmlns:q="urn:q" xml:lang="en" xml:space="preserve"></c>',
    },
    {
      name: 'an element without own attributes inherits',
      xml: '<a xmlns:p="urn:p" xml:lang="es"><c><d/></c></a>',
      canonical: '<c xmlns:p="urn:p" xml:lang="es"><d></d></c>',
      alone: '<c><d></d></c>',
    },
    {
      name: 'an undone default namespace is omitted',
      xml: '<a xmlns="urn:d"><b xmlns=""><c/></b></a>',
      canonical: '<c></c>',
    },
    {
      name: 'the xml prefix is never declared',
      xml: '<a xmlns:xml="http://www.w3.org/XML/1998/namespace"><c/></a>',
      canonical: '<c></c>',
    },
    {
      name: 'a prefix from outside',
      xml: '<a xmlns:p="urn:p" xmlns:q="urn:q"><p:c q:i="1"><p:d/></p:c></a>',
      canonical: '<p:c xmlns:p="urn:p" xmlns:q="urn:q" q:i="1"><p:d></p:d></p:c>',
      alone: '<p:c q:i="1"><p:d></p:d></p:c>',
    },
  ])('the canonical form of a part in its place: $name', ({ xml, canonical, alone }) => {
    const [inner] = [...elementsOf(parseDom(xml, 1000))].filter(({ localName }) => localName === 'c');
    expect(inner && canonicalize(inner)).toBe(canonical);
    if (alone) expect(inner && canonicalize(inner, { inherit: false })).toBe(alone);
  });

  it('the canonical form without blank texts has every other text', () => {
    const texts = parseDom('<a> x <b>\t\n&#13; </b><b>&#160;</b> y<b> <![CDATA[ ]]></b></a>', 1000);
    expect(canonicalize(texts, { blanks: false })).toBe('<a> x <b></b><b>\u00a0</b> y<b></b></a>');
  });
});

it.each(['urn:a', 'URN:', 'http://x.ec:80/~y/?z=(1)#f', 'x+y.z-1:%20'])('accepts the namespace %s', (uri) => {
  expect(canonicalize(parseDom(`<a xmlns:p="${uri}"/>`, 1000))).toBe(`<a xmlns:p="${uri}"></a>`);
});

it.each(['p', '//host/p', ':p', '1:p', 'urn:ñ', 'a b:c', ' urn:a', 'urn:a b', 'urn:a ', 'urn:a&amp;b'])(
  'rejects the namespace %s',
  (uri) => {
    expect(() => canonicalize(parseDom(`<a xmlns:p="${uri}"/>`, 1000))).toThrow(XmlError);
  },
);

it.each(['<p:a/>', '<a><p:b/></a>', '<a p:x="1"/>', '<a x="1"><b xmlns:p="urn:p"/><p:c/></a>'])(
  'rejects an undeclared prefix: %s',
  (xml) => {
    expect(() => canonicalize(parseDom(xml, 1000))).toThrow(XmlError);
  },
);

describe('trees that no parser produces', () => {
  it.each([
    { name: 'an element', tag: 'p:b', attributes: [] },
    { name: 'an element that has attributes', tag: 'p:b', attributes: ['x'] },
    { name: 'an attribute', tag: 'b', attributes: ['p:x'] },
  ])('rejects $name with an undeclared prefix in a tree that no parser produces', ({ tag, attributes }) => {
    const made = new DOMImplementation().createDocument(null, 'a');
    const inner = made.createElement(tag);
    for (const attribute of attributes) inner.setAttribute(attribute, '1');
    made.documentElement?.appendChild(inner);
    expect(() => canonicalize(inner)).toThrow(XmlError);
  });
});

it('canonicalization uses no stack for nesting', () => {
  const deep = (levels: number) => parseDom('<a>'.repeat(levels) + '</a>'.repeat(levels), 1e6, { maxDepth: levels });
  expect(canonicalize(deep(20_000))).toHaveLength(140_000);
});

function xmlCryptoForm(xml: string): string | null {
  try {
    return new C14nCanonicalizationWithComments().process(parseDom(xml, 1000) as never, {});
  } catch {
    return null;
  }
}
