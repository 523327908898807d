import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { der, derContext, derInteger, derNull, derOid, derSequence } from '../testing/der-writer.js';
import { writeTestContainer } from '../testing/test-container.js';
import { createTestIdentity, type TestIdentity } from '../testing/test-p12.js';
import { openP12, signerFromP12 } from './p12.js';
import { whatItIsInstead } from './p12-kind.js';

let identity: TestIdentity;
let container: Buffer;
beforeAll(async () => {
  identity = await createTestIdentity();
  container = writeTestContainer([identity], { password: 'x' });
});
const pem = (name: string, bytes: Uint8Array) =>
  `-----BEGIN ${name}-----\n${Buffer.from(bytes).toString('base64')}\n-----END ${name}-----\n`;
const pkcs7 = () => derSequence(derOid('1.2.840.113549.1.7.2'), derContext(0, derSequence(derNull())));
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

describe('a file given instead of a P12', () => {
  it.each<{ name: string; make: () => Uint8Array | string; message: string }>([
    { name: 'base64 text', make: () => container.toString('base64'), message: 'base64 text' },
    {
      name: 'base64 in lines',
      make: () => container.toString('base64').replace(/.{76}/g, '$&\r\n').concat('\r\n'),
      message: 'base64 text',
    },
    { name: 'base64 for URLs', make: () => container.toString('base64url'), message: 'base64 text' },
    {
      name: 'a data URL',
      make: () => `data:application/x-pkcs12;base64,${container.toString('base64')}`,
      message: 'base64 text',
    },
    { name: 'a certificate in PEM', make: () => pem('CERTIFICATE', identity.certificate), message: 'is PEM' },
    { name: 'PEM after a mark', make: () => `\ufeff ${pem('PKCS12', container)}`, message: 'is PEM' },
    { name: 'output of openssl pkcs12', make: () => 'Bag Attributes\n    friendlyName: x', message: 'is PEM' },
    { name: 'a certificate', make: () => identity.certificate, message: 'certificate without its private key' },
    { name: 'certificates of PKCS#7', make: pkcs7, message: 'PKCS#7' },
    {
      name: 'a key',
      make: () => identity.privateKey.export({ type: 'pkcs8', format: 'der' }),
      message: 'private key without its certificate',
    },
    {
      name: 'an old key',
      make: () => identity.privateKey.export({ type: 'pkcs1', format: 'der' }),
      message: 'private key without its certificate',
    },
    { name: 'an EC key', make: () => ec.export({ type: 'sec1', format: 'der' }), message: 'private key without' },
    { name: 'cut off', make: () => container.subarray(0, 700), message: 'it has 700 of its ' },
    { name: 'cut off within its header', make: () => Buffer.of(0x30, 0x05, 0x02), message: 'it has 3 of its 7 bytes' },
    { name: 'a web page', make: () => '<!DOCTYPE html><html>404</html>', message: 'a web page' },
    { name: 'a web page without its type', make: () => '\n<html lang="es">', message: 'a web page' },
    { name: 'XML', make: () => '<?xml version="1.0"?><factura/>', message: 'XML or JSON' },
    { name: 'JSON', make: () => '{"error":"not found"}', message: 'XML or JSON' },
    { name: 'a PDF', make: () => '%PDF-1.7', message: 'a PDF' },
    { name: 'a ZIP', make: () => 'PK\u0003\u0004', message: 'a ZIP' },
    { name: 'a Java keystore', make: () => Buffer.from('feedfeed00000002', 'hex'), message: 'a JKS store' },
    { name: 'bytes read as UTF-8', make: () => container.toString('utf8'), message: 'saved as text' },
    { name: 'bytes read as Latin-1', make: () => container.toString('latin1'), message: 'saved as text' },
  ])('openP12 names a file given instead of a P12: $name', async ({ make, message }) => {
    const made = make();
    const bytes = typeof made === 'string' ? Buffer.from(made) : made;
    const error: unknown = await openP12(bytes, 'x').catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'CERTIFICATE_INVALID',
      message: expect.stringContaining(message),
      found: { en: expect.stringContaining(message), es: expect.stringMatching(/^El archivo /) },
    });
    expect(JSON.stringify(error)).not.toContain('MII');
    expect(error).toMatchObject({ found: whatItIsInstead(Buffer.from(bytes)) });
  });

  it.each<{ name: string; make: () => Buffer }>([
    { name: 'other text', make: () => Buffer.from('hola') },
    { name: 'text that resembles base64', make: () => Buffer.from('MEJOR, mañana') },
    { name: 'base64 of another file', make: () => Buffer.from(Buffer.from('%PDF-1.7 hola').toString('base64')) },
    { name: 'one byte', make: () => Buffer.of(0x30) },
    { name: 'a length of five octets', make: () => Buffer.of(0x30, 0x85, 0, 0, 0, 0, 9) },
    { name: 'a length that is cut off', make: () => Buffer.of(0x30, 0x82, 1) },
    { name: 'an indefinite length', make: () => Buffer.of(0x30, 0x80, 2, 1) },
    { name: 'a SEQUENCE of unknown content', make: () => derSequence(der(0x04, Buffer.alloc(300))) },
    {
      name: 'a container for a public key',
      make: () => derSequence(derInteger(3), pkcs7()),
    },
    { name: 'a container with a byte changed', make: () => Buffer.from(container).fill(0xff, 9, 12) },
  ])('openP12 reports a file of unclear kind as damaged or unknown: $name', async ({ make }) => {
    expect(whatItIsInstead(make())).toBeNull();
    await expect(openP12(make(), 'x')).rejects.toMatchObject({ code: 'CERTIFICATE_INVALID', found: null });
  });

  it('openP12 names a file in linear time', () => {
    const hostile = [`M${'\n'.repeat(250_000)}!`, `MA${'A'.repeat(250_000)}!`, `data:${'x;base64'.repeat(30_000)}`];
    const before = process.cpuUsage();
    for (const text of hostile) expect(whatItIsInstead(Buffer.from(text))).toBeNull();
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});

describe('an untyped program', () => {
  it.each([
    { name: 'no password', args: () => [container] },
    { name: 'a password that is a number', args: () => [container, 1234] },
    { name: 'no bytes', args: () => [undefined, 'x'] },
    { name: 'base64 instead of bytes', args: () => [container.toString('base64'), 'x'] },
    { name: 'an ArrayBuffer', args: () => [new ArrayBuffer(8), 'x'] },
  ])('openP12 names the missing argument of an untyped program: $name', async ({ args }) => {
    for (const open of [openP12, signerFromP12] as ((...given: unknown[]) => Promise<unknown>)[]) {
      await expect(open(...args())).rejects.toThrow(TypeError);
      await expect(open(...args())).rejects.toThrow(/P12 has to be/);
    }
  });
});
