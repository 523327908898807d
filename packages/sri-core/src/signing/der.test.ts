import { describe, expect, it } from 'vitest';
import { der, derBmp, derInteger, derOctets, derOid, derSequence, derUtf8 } from '../testing/der-writer.js';
import { readDer, readDerSequence, readInteger, readObjectIdentifier, readText } from './der.js';

describe('DER', () => {
  it.each([
    { name: 'empty', bytes: [] },
    { name: 'a tag alone', bytes: [0x30] },
    { name: 'shorter than its length', bytes: [0x04, 0x02, 0x00] },
    { name: 'longer than its length', bytes: [0x04, 0x01, 0x00, 0x00] },
    { name: 'two of them', bytes: [0x05, 0x00, 0x05, 0x00] },
    { name: 'of indefinite length', bytes: [0x30, 0x80, 0x00, 0x00] },
    { name: 'of indefinite length, with many bytes after it', bytes: [0x30, 0x80, ...Buffer.alloc(128)] },
    { name: 'of a length cut off', bytes: [0x04, 0x82, 0x01] },
    { name: 'of a length cut off wholly', bytes: [0x04, 0x82] },
    { name: 'of a length cut off after a zero', bytes: [0x04, 0x83, 0x00, 0x00] },
    { name: 'of a length in eight octets', bytes: [0x04, 0x88, 0, 0, 0, 0, 0, 0, 0, 0] },
    { name: 'of a length in five octets', bytes: [0x04, 0x85, 0, 0, 0, 0, 1, 7] },
    { name: 'of a tag in two octets', bytes: [0x1f, 0x81, 0x00] },
  ])('rejects DER that is $name', ({ bytes }) => {
    expect(() => readDer(Buffer.from(bytes))).toThrow(expect.objectContaining({ code: 'CERTIFICATE_INVALID' }));
  });

  it.each([0, 127, 128, 255, 256, 65_536])('reads DER with a length of %i', (length) => {
    const { content, bytes } = readDer(derOctets(Buffer.alloc(length, 7)));
    expect(content).toHaveLength(length);
    expect(bytes.length).toBeGreaterThan(length);
  });

  it('accepts a length in more octets than needed, up to four', () => {
    const { tag, content, bytes } = readDer(Buffer.of(0x04, 0x84, 0, 0, 0, 1, 7));
    expect({ tag, content: [...content], length: bytes.length }).toEqual({ tag: 0x04, content: [7], length: 7 });
  });

  it('reads DER member by member', () => {
    const members = readDerSequence(readDer(derSequence(derInteger(1), derUtf8('ñ'))).content);
    expect(members.map(({ tag }) => tag)).toEqual([0x02, 0x0c]);
  });

  it.each([
    '0.9.2342.19200300.100.1.25',
    '0.39',
    '1.0',
    '1.39',
    '2.0',
    '1.2.840.113549.1.9.1',
    '2.5.4.97',
    '2.25.329800735698586629295641978511506172918',
    '2.999',
  ])('reads the object identifier %s', (dotted) => {
    expect(readObjectIdentifier(readDer(derOid(dotted)).content)).toBe(dotted);
  });

  it.each([[], [0x80], [0x2a, 0x86]])('rejects the object identifier %j', (...octets) => {
    expect(() => readObjectIdentifier(Buffer.from(octets.flat()))).toThrow('not well-formed');
  });

  it.each([
    { octets: [0x00], value: 0n },
    { octets: [0x7f], value: 127n },
    { octets: [0x00, 0x80], value: 128n },
    { octets: [0xff], value: -1n },
    { octets: [0x80, 0x00], value: -32768n },
  ])('reads the number $value', ({ octets, value }) => {
    expect(readInteger(Buffer.from(octets))).toBe(value);
  });

  it('reads numbers of up to 128 octets', () => {
    expect(readInteger(Buffer.alloc(128, 1)).toString(16)).toHaveLength(255);
    expect(readObjectIdentifier(Buffer.alloc(128, 1)).split('.')).toHaveLength(129);
  });

  it('rejects a number without octets, or with too many', () => {
    expect(() => readInteger(Buffer.alloc(0))).toThrow('not well-formed');
    expect(() => readInteger(Buffer.alloc(129, 1))).toThrow('not well-formed');
    expect(() => readObjectIdentifier(Buffer.alloc(129, 1))).toThrow('not well-formed');
  });

  it.each([
    { name: 'UTF8String', value: derUtf8('ñ €'), text: 'ñ €' },
    { name: 'BMPString', value: derBmp('ñ €'), text: 'ñ €' },
    { name: 'UTF8String with a byte order mark', value: derUtf8('\ufeffñ'), text: '\ufeffñ' },
    { name: 'NumericString', value: der(0x12, Buffer.from('123')), text: '123' },
    { name: 'PrintableString', value: der(0x13, Buffer.from('AC')), text: 'AC' },
    { name: 'TeletexString', value: der(0x14, Buffer.from('ñ', 'latin1')), text: 'ñ' },
    { name: 'IA5String', value: der(0x16, Buffer.from('ac@x.ec')), text: 'ac@x.ec' },
    { name: 'VisibleString', value: der(0x1a, Buffer.from('AC')), text: 'AC' },
    { name: 'GeneralString', value: der(0x1b, Buffer.from('ñ', 'latin1')), text: 'ñ' },
    { name: 'broken UTF-8', value: der(0x0c, Buffer.of(0xff)), text: null },
    { name: 'half a character', value: der(0x1e, Buffer.of(0x00)), text: null },
    { name: 'no string', value: derInteger(65), text: null },
  ])('reads a text: $name', ({ value, text }) => {
    expect(readText(readDer(value))).toBe(text);
  });
});
