import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { XmlError } from '../errors.js';
import { foreignXml } from '../testing/xml-arbitrary.js';
import { readDocument } from './document.js';

const LIMIT = 100_000;

describe('parsing for signatures', () => {
  it('parseDom accepts any well-formed XML', () => {
    fc.assert(
      fc.property(foreignXml(), (xml) => {
        const { root, outline } = readDocument(xml, LIMIT);
        expect(root.tagName).toBe(outline.rootName);
        expect(xml.slice(outline.rootEndTag ?? outline.rootTagEnd - 2)).toMatch(/^(<\/factura|\/>)/);
      }),
    );
  });

  it.each([
    { name: 'a declared encoding', xml: '<?xml version="1.0" encoding=\'latin1\'?><a/>', encoding: 'latin1' },
    { name: 'no declared encoding', xml: '<?xml version="1.0"?><a/>', encoding: null },
    { name: 'no declaration', xml: '\ufeff<a/>', encoding: null },
  ])('parseDom returns $name', ({ xml, encoding }) => {
    expect(readDocument(xml, LIMIT).outline.encoding).toBe(encoding);
  });

  it('parseDom accepts what the limits allow', () => {
    const attributes = Array.from({ length: 256 }, (_, n) => (n < 64 ? `xmlns:p${n}="urn:u"` : `a${n}=""`)).join(' ');
    const xml = `${'<!---->'.repeat(64)}<a ${attributes}>${'<b>'.repeat(63)}${'<!---->'.repeat(65)}${'</b>'.repeat(63)}</a>`;
    expect(readDocument(xml, xml.length).outline.attributeCount).toBe(256);
  });

  it.each([
    { name: 'nothing', xml: '' },
    { name: 'a bare ampersand', xml: '<a>A & B</a>' },
    { name: 'a bare ampersand in an attribute', xml: '<a x="A & B"/>' },
    { name: 'an entity that is not one of the five', xml: '<a>&nbsp;</a>' },
    { name: 'the end of CDATA in text', xml: '<a>]]></a>' },
    { name: 'a control character', xml: '<a>\u0001</a>' },
    { name: 'a reference to a control character', xml: '<a>&#1;</a>' },
    { name: 'a reference to a surrogate', xml: '<a>&#xD800;</a>' },
    { name: 'a reference beyond Unicode', xml: '<a>&#x110000;</a>' },
    { name: 'a lone surrogate', xml: '<a>\ud800</a>' },
    { name: 'U+FFFE', xml: '<a>\ufffe</a>' },
    { name: 'a capital X in a reference', xml: '<a>&#X41;</a>' },
    { name: 'a prefix that is not declared', xml: '<p:a/>' },
    { name: 'an attribute prefix that is not declared', xml: '<a p:x="1"/>' },
    { name: 'an attribute twice', xml: '<a x="1" x="2"/>' },
    { name: 'an attribute twice by namespace', xml: '<a xmlns:p="urn:u" xmlns:q="urn:u" p:x="1" q:x="2"/>' },
    { name: 'less-than in an attribute', xml: '<a x="<"/>' },
    { name: 'no blank between attributes', xml: '<a x="1"y="2"/>' },
    { name: 'an attribute without quotes', xml: '<a x=1/>' },
    { name: 'an attribute without value', xml: '<a x/>' },
    { name: 'two hyphens in a comment', xml: '<a><!-- a -- b --></a>' },
    { name: 'three hyphens at the end of a comment', xml: '<a><!-- a ---></a>' },
    { name: 'two roots', xml: '<a/><b/>' },
    { name: 'text after the root', xml: '<a/>x' },
    { name: 'text before the root', xml: 'x<a/>' },
    { name: 'a no-break space before the root', xml: '\u00a0<a/>' },
    { name: 'CDATA outside the root', xml: '<![CDATA[x]]><a/>' },
    { name: 'a processing instruction named xml', xml: '<a><?XML x?></a>' },
    { name: 'a processing instruction without name', xml: '<a><??></a>' },
    { name: 'a declaration that does not come first', xml: ' <?xml version="1.0"?><a/>' },
    { name: 'a declaration in another order', xml: '<?xml encoding="UTF-8" version="1.0"?><a/>' },
    { name: 'XML 1.1, which has other line ends', xml: '<?xml version="1.1"?><a/>' },
    { name: 'a DOCTYPE', xml: '<!DOCTYPE a><a/>' },
    { name: 'a prefix bound to nothing', xml: '<a xmlns:p=""/>' },
    { name: 'the prefix xmlns bound', xml: '<a xmlns:xmlns="urn:u"/>' },
    { name: 'the prefix xml bound otherwise', xml: '<a xmlns:xml="urn:u"/>' },
    { name: 'a prefix for the namespace of xmlns', xml: '<a xmlns:p="http://www.w3.org/2000/xmlns/"/>' },
    { name: 'the namespace of xml by default', xml: '<a xmlns="http://www.w3.org/XML/1998/namespace"/>' },
    { name: 'another prefix for the namespace of xml', xml: '<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>' },
    { name: 'two colons in a name', xml: '<a:b:c xmlns:a="urn:u"/>' },
    { name: 'a name that starts with a digit', xml: '<1a/>' },
    { name: 'a blank after the slash', xml: '<a / >' },
    { name: 'an attribute in an end tag', xml: '<a></a x="1">' },
    { name: 'tags that cross', xml: '<a><b></a></b>' },
    { name: 'an element without end', xml: '<a><b></b>' },
    { name: 'an end without element', xml: '<a/></a>' },
    { name: 'a tag without end', xml: '<a><' },
    { name: 'a comment without end', xml: '<a/><!-- ' },
    { name: 'CDATA without end', xml: '<a><![CDATA[ </a>' },
    { name: 'more bytes than allowed', xml: `<a>${'é'.repeat(LIMIT / 2)}</a>` },
    { name: 'more levels than allowed', xml: '<a>'.repeat(65) + '</a>'.repeat(65) },
    {
      name: 'more attributes than allowed',
      xml: `<a ${Array.from({ length: 257 }, (_, n) => `a${n}=""`).join(' ')}/>`,
    },
    {
      name: 'more prefixes than allowed',
      xml: `<a ${Array.from({ length: 65 }, (_, n) => `xmlns:p${n}="urn:u"`).join(' ')}/>`,
    },
    { name: 'more comments outside the root than allowed', xml: `${'<!---->'.repeat(65)}<a/>` },
    { name: 'more instructions outside the root than allowed', xml: `<a/>${'<?p?>'.repeat(65)}` },
  ])('parseDom rejects $name', ({ xml }) => {
    expect(() => readDocument(xml, LIMIT)).toThrow(XmlError);
  });
});
