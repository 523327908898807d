import { createHmac, pbkdf2Sync } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  der,
  derContext,
  derInteger,
  derNull,
  derOctets,
  derOid,
  derSequence,
  derUtf8,
} from '../testing/der-writer.js';
import { encryptPbes2, writeTestContainer } from '../testing/test-container.js';
import { createTestIdentity, type TestIdentity } from '../testing/test-p12.js';
import { openContainer } from './p12-container.js';

// Forms that no tool writes on request, and forms that only an attacker writes.

const DATA = '1.2.840.113549.1.7.1';
let identity: TestIdentity;
beforeAll(async () => {
  identity = await createTestIdentity();
});

const open = (bytes: Uint8Array, password: string | null = null) => openContainer({ bytes, password });
const data = (content: Uint8Array) => derSequence(derOid(DATA), derContext(0, derOctets(content)));
const pfx = (...safes: readonly Uint8Array[]) => derSequence(derInteger(3), data(derSequence(...safes)));
const bag = (type: string, value: Uint8Array) => derSequence(derOid(type), derContext(0, value));
const certificateBag = (certificate: Uint8Array, type = '1.2.840.113549.1.9.22.1') =>
  bag('1.2.840.113549.1.12.10.1.3', derSequence(derOid(type), derContext(0, derOctets(certificate))));
const keyBag = (pkcs8: Uint8Array) => bag('1.2.840.113549.1.12.10.1.1', pkcs8);
const pkcs8 = () => identity.privateKey.export({ type: 'pkcs8', format: 'der' });

describe('a container', () => {
  it('opens a container in BER: indefinite lengths, octets in pieces', () => {
    const endless = (tag: number, ...parts: readonly Uint8Array[]) =>
      Buffer.concat([Buffer.of(tag, 0x80), ...parts, Buffer.of(0, 0)]);
    const pieces = (octets: Uint8Array) =>
      endless(
        0x24,
        ...[0, 1, 2].map((third) =>
          derOctets(octets.subarray(third * 700, third === 2 ? undefined : third * 700 + 700)),
        ),
      );
    const berData = (octets: Uint8Array) => endless(0x30, derOid(DATA), endless(0xa0, pieces(octets)));
    const safe = endless(0x30, certificateBag(identity.certificate), keyBag(pkcs8()));
    const bytes = endless(0x30, derInteger(3), berData(endless(0x30, berData(safe))));
    expect(open(bytes)).toMatchObject({ outcome: 'opened', keyCount: 1 });
  });

  it('opens a container before the trailing bytes of a transfer', () => {
    const bytes = writeTestContainer([identity], { password: 'x' });
    expect(open(Buffer.concat([bytes, Buffer.from('\r\n\0\0')]), 'x').outcome).toBe('opened');
  });

  it('returns certificates byte for byte, and finds the key of each', () => {
    const answer = open(
      pfx(
        data(derSequence(keyBag(pkcs8()))),
        data(derSequence(certificateBag(identity.authority), certificateBag(identity.certificate))),
      ),
    );
    if (answer.outcome !== 'opened') throw new Error(answer.message);
    expect(answer.certificates.map((each) => Buffer.from(each.der))).toEqual([
      identity.authority,
      identity.certificate,
    ]);
    expect(answer.certificates.map(({ key }) => key?.type)).toEqual([undefined, 'private']);
  });

  it('opens a container with nested bags and irrelevant bags', () => {
    const nested = bag(
      '1.2.840.113549.1.12.10.1.6',
      derSequence(certificateBag(identity.certificate), keyBag(pkcs8())),
    );
    const list = bag(
      '1.2.840.113549.1.12.10.1.4',
      derSequence(derOid('1.2.840.113549.1.9.23.1'), derContext(0, derOctets(Buffer.of(1)))),
    );
    const secret = bag('1.2.840.113549.1.12.10.1.5', derSequence(derOid('1.2.3'), derContext(0, derUtf8('x'))));
    const sdsi = certificateBag(Buffer.of(1), '1.2.840.113549.1.9.22.2');
    const answer = open(pfx(data(derSequence(list, secret, sdsi, nested))));
    expect(answer).toMatchObject({ outcome: 'opened', keyCount: 1, certificates: [{ names: [] }] });
  });

  it('opens a container with unreadable keys and certificates next to a readable pair', () => {
    const odd = derSequence(derInteger(0), derSequence(derOid('1.2.3.4')), derOctets(Buffer.of(1)));
    const answer = open(
      pfx(
        data(
          derSequence(
            keyBag(odd),
            keyBag(pkcs8()),
            certificateBag(Buffer.from('x')),
            certificateBag(identity.certificate),
          ),
        ),
      ),
    );
    expect(answer).toMatchObject({ outcome: 'opened', keyCount: 2 });
  });

  it.each(['sha256', 'sha512'])('opens a container with a PBMAC1 by %s', (digest) => {
    const oid = { sha256: '1.2.840.113549.2.9', sha512: '1.2.840.113549.2.11' }[digest] ?? '';
    const content = derSequence(data(derSequence(certificateBag(identity.certificate), keyBag(pkcs8()))));
    const salt = Buffer.from('sal de prueba');
    const key = pbkdf2Sync('clávé', salt, 2048, 32, digest);
    const hmac = derSequence(derOid(oid), derNull());
    const derivation = derSequence(
      derOid('1.2.840.113549.1.5.12'),
      derSequence(derOctets(salt), derInteger(2048), derInteger(32), hmac),
    );
    const algorithm = derSequence(derOid('1.2.840.113549.1.5.14'), derSequence(derivation, hmac));
    const mac = createHmac(digest, key).update(content).digest();
    const macData = derSequence(
      derSequence(algorithm, derOctets(mac)),
      derOctets(Buffer.from('NOT USED')),
      derInteger(1),
    );
    const bytes = derSequence(derInteger(3), data(content), macData);
    expect(open(bytes, 'clávé').outcome).toBe('opened');
    expect(open(bytes, 'clave').outcome).toBe('wrongPassword');
  });

  it('opens a container of 50 keys and 50 certificates, and no more', () => {
    const keys = Array.from({ length: 50 }, () => keyBag(derNull()));
    const certificates = Array.from({ length: 50 }, () => certificateBag(Buffer.of(1)));
    const tooMany = { outcome: 'invalid', message: expect.stringContaining('more than 50') };
    expect(open(pfx(data(derSequence(...keys, ...certificates))))).toMatchObject({ outcome: 'opened', keyCount: 50 });
    expect(open(pfx(data(derSequence(...keys, keyBag(derNull())))))).toMatchObject(tooMany);
    expect(
      open(pfx(data(derSequence(...certificates)), data(derSequence(certificateBag(Buffer.of(1)))))),
    ).toMatchObject(tooMany);
  });

  it('opens a container in the middle of a larger buffer', () => {
    const bytes = writeTestContainer([identity], { password: 'x', iterations: 1 });
    const larger = Buffer.concat([Buffer.alloc(100, 0x30), bytes, Buffer.alloc(100, 0x30)]);
    expect(open(new Uint8Array(larger.buffer, larger.byteOffset + 100, bytes.length), 'x').outcome).toBe('opened');
  });

  it('detects content with a separate password', () => {
    const shrouded = bag(
      '1.2.840.113549.1.12.10.1.2',
      ((pair) => derSequence(pair[0], derOctets(pair[1])))(encryptPbes2(pkcs8(), 'otra', 1)),
    );
    const answer = open(pfx(data(derSequence(certificateBag(identity.certificate), shrouded))), 'una');
    expect(answer).toMatchObject({ outcome: 'wrongPassword', message: expect.stringContaining('contents') });
  });

  it('rejects a container whose wrong password gives valid padding by luck', () => {
    const bytes = writeTestContainer([identity], { password: null });
    const [algorithm, encrypted] = encryptPbes2(bytes, 'buena', 1);
    const safe = derSequence(
      derOid('1.2.840.113549.1.7.6'),
      derContext(0, derSequence(derInteger(0), derSequence(derOid(DATA), algorithm, der(0x80, encrypted)))),
    );
    for (let attempt = 0; attempt < 600; attempt += 1) {
      expect(open(pfx(safe), `mala ${attempt}`).outcome).toBe('wrongPassword');
    }
  });
});

describe('a file that is not a container', () => {
  it.each([
    { name: 'a PDF', bytes: Buffer.from('%PDF-1.7\n%âãÏÓ\n') },
    { name: 'one byte', bytes: Buffer.of(0x30) },
    { name: 'PEM', bytes: Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB') },
    { name: 'an empty SEQUENCE', bytes: derSequence() },
    { name: 'version 1', bytes: derSequence(derInteger(1), data(derSequence())), message: 'version 3' },
    { name: 'a version of no octet', bytes: derSequence(der(0x02, Buffer.alloc(0)), data(derSequence())) },
    { name: 'a version below zero', bytes: derSequence(der(0x02, Buffer.of(0xff)), data(derSequence())) },
    {
      name: 'a version of 200 000 octets',
      bytes: derSequence(der(0x02, Buffer.alloc(200_000, 0x7f)), data(derSequence())),
    },
    {
      name: 'protected by a public key',
      bytes: derSequence(derInteger(3), derSequence(derOid('1.2.840.113549.1.7.2'), derContext(0, derNull()))),
      message: 'public key',
    },
    {
      name: 'encrypted for a public key',
      bytes: pfx(derSequence(derOid('1.2.840.113549.1.7.3'), derContext(0, derNull()))),
      message: 'public key',
    },
    {
      name: 'too many certificates',
      bytes: pfx(data(derSequence(...Array.from({ length: 51 }, () => certificateBag(Buffer.of(1)))))),
    },
    {
      name: '5 000 levels',
      bytes: Array.from({ length: 5000 }).reduce<Buffer>((inner) => derSequence(inner), derNull()),
    },
    {
      name: 'a huge object identifier',
      bytes: derSequence(derInteger(3), derSequence(der(0x06, Buffer.alloc(100_000, 0x81)), derContext(0, derNull()))),
    },
  ])('rejects a file that is not a container: $name', ({ bytes, message = 'The' }) => {
    expect(open(bytes)).toMatchObject({ outcome: 'invalid', message: expect.stringContaining(message) });
  });

  it('rejects a container wherever it is cut off', () => {
    const bytes = writeTestContainer([identity], { password: 'x', iterations: 1 });
    for (let length = 0; length < bytes.length; length += 64) {
      expect(open(bytes.subarray(0, length), 'x').outcome).toBe('invalid');
    }
  });

  it('rejects or opens a container with a changed byte, and never trusts the change', () => {
    const bytes = writeTestContainer([identity], { password: 'x', iterations: 1 });
    const seen = new Set<string>();
    for (let index = 0; index < bytes.length; index += 7) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 0x41;
      seen.add(open(changed, 'x').outcome);
    }
    // «opened» is a change outside the MAC: the unused NULL of its algorithm.
    expect(seen).toContain('wrongPassword');
    expect(seen).toContain('invalid');
  });
});

describe('the work of opening a container', () => {
  const withMac = (iterations: number | bigint) => {
    const digestInfo = derSequence(derSequence(derOid('1.3.14.3.2.26'), derNull()), derOctets(Buffer.alloc(20)));
    return derSequence(
      derInteger(3),
      data(derSequence()),
      derSequence(digestInfo, derOctets(Buffer.alloc(8)), derInteger(iterations)),
    );
  };
  const withPbes2 = (iterations: number) => {
    const hmac = derSequence(derOid('1.2.840.113549.2.11'), derNull());
    const parameters = derSequence(derOctets(Buffer.alloc(8)), derInteger(iterations), hmac);
    const derivation = derSequence(derOid('1.2.840.113549.1.5.12'), parameters);
    const scheme = derSequence(derOid('2.16.840.1.101.3.4.1.42'), derOctets(Buffer.alloc(16)));
    const algorithm = derSequence(derOid('1.2.840.113549.1.5.13'), derSequence(derivation, scheme));
    return pfx(
      data(derSequence(bag('1.2.840.113549.1.12.10.1.2', derSequence(algorithm, derOctets(Buffer.alloc(64)))))),
    );
  };
  const withLegacy = (oid: string, iterations: number) => {
    const algorithm = derSequence(derOid(oid), derSequence(derOctets(Buffer.alloc(8)), derInteger(iterations)));
    return pfx(
      data(derSequence(bag('1.2.840.113549.1.12.10.1.2', derSequence(algorithm, derOctets(Buffer.alloc(64)))))),
    );
  };

  it.each([
    { name: 'MAC, 10⁹ iterations', bytes: withMac(1_000_000_000) },
    { name: 'MAC, 2⁸⁰ iterations', bytes: withMac(2n ** 80n) },
    { name: 'PBES2, 10⁹ iterations', bytes: withPbes2(1_000_000_000) },
    { name: '3DES, 10⁹ iterations', bytes: withLegacy('1.2.840.113549.1.12.1.3', 1_000_000_000) },
    { name: 'RC2, 10⁹ iterations', bytes: withLegacy('1.2.840.113549.1.12.1.6', 1_000_000_000) },
  ])('rejects the work of a container before it starts: $name', ({ bytes }) => {
    const begin = performance.now();
    expect(open(bytes, 'x')).toMatchObject({
      outcome: 'invalid',
      message: expect.stringContaining('more key derivation work'),
    });
    expect(performance.now() - begin).toBeLessThan(5000); // milliseconds; a failure takes minutes
  });

  it('limits the work for all forms of a password together', () => {
    const bytes = withPbes2(2_600_000); // within the limit for one form, above it for two
    expect(open(bytes, 'é')).toMatchObject({ message: expect.stringContaining('more key derivation work') });
  });

  it('spends the work once for forms with the same MAC key', () => {
    const allocating = vi.spyOn(Buffer, 'alloc');
    expect(open(withMac(1), 'é')).toMatchObject({ outcome: 'wrongPassword' });
    const diversifiers = allocating.mock.calls.filter(([, purpose]) => purpose === 3);
    allocating.mockRestore();
    expect(diversifiers).toHaveLength(3); // of four forms
  });

  it.each([
    { name: 'MAC without iteration', bytes: withMac(0), text: 'no iteration' },
    { name: 'PBES2 without iteration', bytes: withPbes2(0), text: 'no iteration' },
    { name: 'an unknown cipher', bytes: withLegacy('1.2.840.113549.1.12.1.1', 1), text: '1.2.840.113549.1.12.1.1' },
  ])('rejects the work of a container: $name', ({ bytes, text }) => {
    expect(open(bytes, 'x')).toMatchObject({ outcome: 'invalid', message: expect.stringContaining(text) });
  });
});
