import { describe, expect, it } from 'vitest';
import { XmlError } from '../errors.js';
import { child, children, childText, parseDom, readXml } from './reader.js';

describe('reading XML', () => {
  it('returns local names, namespaces, attributes and text', () => {
    const root = readXml('<a:r xmlns:a="urn:a" x="1" a:y="2"><b> u<![CDATA[<&>]]>v </b><b/><!-- c --></a:r>');
    expect(root).toMatchObject({ name: 'r', namespace: 'urn:a', attributes: { x: '1', y: '2' } });
    expect(children(root, 'b')).toHaveLength(2);
    expect(child(root, 'b')?.text).toBe(' u<&>v ');
    expect(childText(root, 'b')).toBe('u<&>v');
    expect(childText(root, 'c')).toBeNull();
    expect(childText(null, 'c')).toBeNull();
    expect(child(root, 'b')?.namespace).toBe('');
    expect(child(root, 'zz')).toBeNull();
    expect(children(root, 'zz')).toEqual([]);
    expect(children(null, 'b')).toEqual([]);
  });

  it('does not read a namespace declaration or a schema hint as an attribute', () => {
    expect(readXml('<r xmlns:id="urn:comprobante" xmlns="urn:d"/>').attributes).toEqual({});
    const hints = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:d d.xsd"';
    expect(readXml(`<r ${hints} xsi:type="t"/>`).attributes).toEqual({ type: 't' });
    expect(readXml('<r schemaLocation="d.xsd"/>').attributes).toEqual({ schemaLocation: 'd.xsd' });
  });

  it.each([
    { name: 'a byte order mark and blanks before the declaration', xml: '\uFEFF\n <?xml version="1.0"?><r/>' },
    { name: 'a declaration', xml: '<?xml version="1.0" encoding="ISO-8859-1"?><r/>' },
    { name: 'comments and instructions around the root', xml: '<!-- a & b ]]> --><?p <& ?><r/><!-- < -->' },
    { name: 'a > in a text and in a value', xml: '<r x="a>b">1 > 0</r>' },
    { name: 'quotes inside the other quotes', xml: `<r x='"' y="'"/>` },
    {
      name: 'the five entities and numeric references',
      xml: '<r x="&quot;&#xA;">&amp;&lt;&gt;&apos;&#233;&#x1F600;&#x10FFFF;&#xE000;</r>',
    },
    { name: 'markup inside CDATA', xml: '<r><![CDATA[<!DOCTYPE x><a> & ]] >]]></r>' },
    { name: 'blanks inside tags', xml: '<r\n x = "1"\n></r >' },
    { name: '64 levels', xml: '<a>'.repeat(64) + '</a>'.repeat(64) },
    { name: 'more neighbours than levels', xml: `<a>${'<b></b><c/>'.repeat(65)}</a>` },
  ])('accepts $name', ({ xml }) => {
    expect(() => readXml(xml)).not.toThrow();
  });

  it.each([
    { name: 'nothing', xml: '' },
    { name: 'text', xml: 'hello' },
    { name: 'a DOCTYPE', xml: '<!DOCTYPE r><r/>' },
    { name: 'a DOCTYPE in small letters', xml: '<!doctype r><r/>' },
    { name: 'a DOCTYPE after a comment', xml: '<!-- --><!DOCTYPE r [<!ENTITY e "x">]><r>&e;</r>' },
    { name: 'an entity declaration inside the root', xml: '<r><!ENTITY e "x"></r>' },
    { name: 'an entity outside XML', xml: '<r>&nbsp;</r>' },
    { name: 'a bare ampersand', xml: '<r>a & b</r>' },
    { name: 'a bare ampersand in a value', xml: '<r x="a & b"/>' },
    { name: 'a reference to NUL', xml: '<r>&#0;</r>' },
    { name: 'a reference to a surrogate', xml: '<r>&#xD83D;</r>' },
    { name: 'a reference to the last surrogate', xml: '<r>&#57343;</r>' },
    { name: 'a reference beyond Unicode', xml: '<r>&#x110000;</r>' },
    { name: 'a control character', xml: '<r>\u0001</r>' },
    { name: 'a lone surrogate', xml: '<r>\ud83d</r>' },
    { name: ']]> in a text', xml: '<r>a]]>b</r>' },
    { name: 'an attribute without quotes', xml: '<r x=1/>' },
    { name: 'an attribute twice', xml: '<r x="1" x="2"/>' },
    { name: 'a < in a value', xml: '<r x="<"/>' },
    { name: 'an undeclared prefix', xml: '<p:r/>' },
    { name: 'crossed tags', xml: '<a><b></a></b>' },
    { name: 'two roots', xml: '<a/><b/>' },
    { name: 'text after the root', xml: '<a/>x' },
    { name: 'a document that is cut off', xml: '<a><b>' },
    { name: 'a tag that is cut off', xml: '<a x="1' },
    { name: 'a CDATA section that is cut off', xml: '<a><![CDATA[x</a>' },
    { name: 'a comment that is cut off', xml: '<a><!-- x</a>' },
    { name: '65 levels', xml: '<a>'.repeat(65) + '</a>'.repeat(65) },
  ])('rejects $name', ({ xml }) => {
    expect(() => readXml(xml)).toThrow(XmlError);
  });

  it('enforces the limits of the caller', () => {
    expect(() => readXml('<a><b/></a>', { maxDepth: 1 })).toThrow('nested too deeply');
    expect(() => readXml('<a><b/><!-- --><![CDATA[]]><c></c></a>', { maxNodes: 4 })).toThrow('more than 4 nodes');
    expect(() => readXml('<a b="1" c="2"/>', { maxNodes: 2 })).toThrow('more than 2 nodes');
    expect(readXml('<a><b/><c>&amp;</c></a>', { maxNodes: 3 }).children).toHaveLength(2);
    expect(() => readXml(`<a>${'é'.repeat(10)}</a>`, { maxBytes: 26 })).toThrow('larger than 26 bytes');
    expect(parseDom('<a><b/></a>', 11).localName).toBe('a');
  });

  it('names a DOCTYPE in the error', () => {
    expect(() => readXml('<!DOCTYPE r><r/>')).toThrow('DOCTYPE');
  });

  it.each([
    { name: 'nested tags', xml: '<a>'.repeat(170_000) + '</a>'.repeat(170_000) },
    { name: 'open brackets', xml: '<'.repeat(1_000_000) },
    { name: 'an open quote', xml: `<a ${'x="'.repeat(330_000)}` },
    { name: 'open CDATA', xml: `<a>${'<![CDATA['.repeat(110_000)}` },
    { name: 'ampersands', xml: `<a>${'&'.repeat(1_000_000)}</a>` },
    { name: 'attributes without end', xml: `<a ${'x '.repeat(500_000)}` },
  ])('rejects a megabyte of $name at once', ({ xml }) => {
    const start = performance.now();
    expect(() => readXml(xml)).toThrow(XmlError);
    expect(performance.now() - start).toBeLessThan(5000); // milliseconds; a failure takes minutes
  });

  it('quotes little of the rejected text', () => {
    const secret = 'x'.repeat(5_000);
    expect(() => readXml(`<a><${secret}></b></a>`)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('x'.repeat(300)) }),
    );
  });
});
