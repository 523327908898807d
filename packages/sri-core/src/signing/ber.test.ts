import { describe, expect, it } from 'vitest';
import { der, derInteger, derNull, derOctets, derOid, derSequence, derSet, derUtf8 } from '../testing/der-writer.js';
import { berChildren, berNumber, berOctets, berOid, isBerNumber, readBer, withoutTail, writeBer } from './ber.js';

const incomplete = expect.objectContaining({ outcome: 'invalid', message: 'The container is incomplete.' });

describe('BER', () => {
  it('reads BER completely, and writes it as DER', () => {
    const value = derSequence(derInteger(3), derSet(derOid('1.2.840.113549.1.7.1'), derUtf8('ñ')));
    expect(writeBer(readBer(value))).toEqual(value);
    const [number, set] = berChildren(readBer(value));
    expect(berNumber(number)).toBe(3);
    expect(berOid(berChildren(set)[0])).toBe('1.2.840.113549.1.7.1');
    expect(berOctets(berChildren(set)[1]).toString()).toBe('ñ');
    expect(() => readBer(Buffer.concat([value, Buffer.of(0)]))).toThrow();
  });

  it('reads octets in pieces, and pieces of pieces', () => {
    const piece = (text: string) => derOctets(Buffer.from(text, 'latin1'));
    const value = der(0x24, piece('a\xff'), der(0x24, piece('b'), piece('')), piece('c'));
    expect(berOctets(readBer(value)).toString('latin1')).toBe('a\xffbc');
  });

  it('reports BER without a value or without members as incomplete', () => {
    for (const read of [berChildren, berOctets, berOid, berNumber, writeBer]) {
      expect(() => read(undefined)).toThrow(incomplete);
    }
    expect(() => berChildren(readBer(derInteger(3)))).toThrow(incomplete);
  });

  it.each([
    { octets: [0], number: 0 },
    { octets: [0x7f], number: 127 },
    { octets: [0, 0x80], number: 128 },
    { octets: [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff], number: 2 ** 47 - 1 },
    { octets: [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], number: Number.POSITIVE_INFINITY },
  ])('reads the number $number', ({ octets, number }) => {
    expect(berNumber(readBer(der(0x02, Buffer.from(octets))))).toBe(number);
  });

  it.each([[], [0x80], [0xff, 0xff]])('finds no number in %j', (...octets) => {
    const value = readBer(der(0x02, Buffer.from(octets.flat())));
    expect(() => berNumber(value)).toThrow(expect.objectContaining({ outcome: 'invalid' }));
  });

  it('distinguishes an INTEGER from everything else, also of another class', () => {
    expect(isBerNumber(readBer(derInteger(3)))).toBe(true);
    expect(isBerNumber(readBer(derNull()))).toBe(false);
    expect(isBerNumber(readBer(der(0x82, Buffer.of(3))))).toBe(false);
  });
});

describe('the bytes after a container', () => {
  const tail = Buffer.from('\r\n\0');

  it.each([
    { name: 'of no octet', bytes: derSequence() },
    { name: 'of a length in the octet itself', bytes: derOctets(Buffer.alloc(127, 7)) },
    { name: 'of a length in one octet', bytes: derOctets(Buffer.alloc(128, 7)) },
    { name: 'of a length in two octets', bytes: derOctets(Buffer.alloc(256, 7)) },
    { name: 'of a length in four octets', bytes: Buffer.of(0x04, 0x84, 0, 0, 0, 1, 7) },
  ])('cuts off the bytes after a container $name', ({ bytes }) => {
    expect(withoutTail(Buffer.concat([bytes, tail]))).toEqual(bytes);
    expect(withoutTail(bytes)).toEqual(bytes);
  });

  it.each([
    { name: 'its length is indefinite', octets: [0x30, 0x80, 0, 0, 0, 0] },
    { name: 'its length takes five octets', octets: [0x04, 0x85, 0, 0, 0, 0, 1, 7, 0] },
    { name: 'its length is cut off', octets: [0x04, 0x82, 1] },
    { name: 'there is its tag alone', octets: [0x30] },
    { name: 'there is nothing', octets: [] },
  ])('leaves a container unchanged when $name', ({ octets }) => {
    expect([...withoutTail(Buffer.from(octets))]).toEqual(octets);
  });
});
