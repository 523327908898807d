import { createCipheriv, createHmac, pbkdf2Sync } from 'node:crypto';
import forge from 'node-forge';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  der,
  derBmp,
  derContext,
  derInteger,
  derNull,
  derOctets,
  derOid,
  derSequence,
  derSet,
} from '../testing/der-writer.js';
import { createTestIdentity, type TestIdentity } from '../testing/test-p12.js';
import { readBer } from './ber.js';
import { openContainer } from './p12-container.js';
import { checkMac } from './p12-encryption.js';
import { deriveByPkcs12 } from './p12-key-derivation.js';
import { type PasswordForms, toPasswordForms } from './p12-password.js';

// Every form of container encryption, written by hand, and invalid forms.

const DATA = '1.2.840.113549.1.7.1';
const PASSWORD = 'clávé';
const salt = Buffer.from('sal y agua');
const wide = toPasswordForms(PASSWORD)[0]?.wide ?? Buffer.alloc(0);
let identity: TestIdentity;
beforeAll(async () => {
  identity = await createTestIdentity();
});

const open = (bytes: Uint8Array, password = PASSWORD) => openContainer({ bytes, password });
const data = (content: Uint8Array) => derSequence(derOid(DATA), derContext(0, derOctets(content)));
const bag = (type: string, value: Uint8Array, ...attributes: readonly Uint8Array[]) =>
  derSequence(derOid(type), derContext(0, value), ...attributes);
const certificateBag = (...attributes: readonly Uint8Array[]) =>
  bag(
    '1.2.840.113549.1.12.10.1.3',
    derSequence(derOid('1.2.840.113549.1.9.22.1'), derContext(0, derOctets(identity.certificate))),
    ...attributes,
  );
const shroudedBag = (algorithm: Uint8Array, encrypted: Uint8Array) =>
  bag('1.2.840.113549.1.12.10.1.2', derSequence(algorithm, derOctets(encrypted)));
const pfx = (safe: Uint8Array, ...mac: readonly Uint8Array[]) =>
  derSequence(derInteger(3), data(derSequence(data(safe))), ...mac);
const pkcs8 = () => identity.privateKey.export({ type: 'pkcs8', format: 'der' });

function pbes2(
  cipher: Uint8Array,
  options: { kdf?: string; prf?: Uint8Array | null; said?: readonly Uint8Array[] } = {},
): Buffer {
  const {
    kdf = '1.2.840.113549.1.5.12',
    prf = derSequence(derOid('1.2.840.113549.2.9'), derNull()),
    said = [],
  } = options;
  const parameters = derSequence(derOctets(salt), derInteger(10), ...said, ...(prf ? [prf] : []));
  return derSequence(derOid('1.2.840.113549.1.5.13'), derSequence(derSequence(derOid(kdf), parameters), cipher));
}

describe('a key under PBES2', () => {
  it.each([
    { cipher: 'des-ede3-cbc', oid: '1.2.840.113549.3.7', keyLength: 24, block: 8 },
    { cipher: 'aes-128-cbc', oid: '2.16.840.1.101.3.4.1.2', keyLength: 16, block: 16 },
    { cipher: 'aes-192-cbc', oid: '2.16.840.1.101.3.4.1.22', keyLength: 24, block: 16 },
    { cipher: 'aes-256-cbc', oid: '2.16.840.1.101.3.4.1.42', keyLength: 32, block: 16 },
  ])('opens a key under PBES2: $cipher', ({ cipher, oid, keyLength, block }) => {
    const iv = Buffer.alloc(block, 7);
    const encrypting = createCipheriv(cipher, pbkdf2Sync(PASSWORD, salt, 10, keyLength, 'sha256'), iv);
    const encrypted = Buffer.concat([encrypting.update(pkcs8()), encrypting.final()]);
    const algorithm = pbes2(derSequence(derOid(oid), derOctets(iv)));
    expect(open(pfx(derSequence(certificateBag(), shroudedBag(algorithm, encrypted))))).toMatchObject({
      outcome: 'opened',
      keyCount: 1,
      certificates: [{ key: expect.objectContaining({ type: 'private' }) }],
    });
  });

  it.each([
    { digest: 'sha1', prf: null },
    { digest: 'sha1', prf: '1.2.840.113549.2.7' },
    { digest: 'sha224', prf: '1.2.840.113549.2.8' },
    { digest: 'sha256', prf: '1.2.840.113549.2.9' },
    { digest: 'sha384', prf: '1.2.840.113549.2.10' },
    { digest: 'sha512', prf: '1.2.840.113549.2.11' },
  ])('opens a key under PBES2 with keys derived by $digest, named $prf', ({ digest, prf }) => {
    const iv = Buffer.alloc(16, 7);
    const encrypting = createCipheriv('aes-256-cbc', pbkdf2Sync(PASSWORD, salt, 10, 32, digest), iv);
    const encrypted = Buffer.concat([encrypting.update(pkcs8()), encrypting.final()]);
    const scheme = derSequence(derOid('2.16.840.1.101.3.4.1.42'), derOctets(iv));
    const algorithm = pbes2(scheme, { prf: prf === null ? null : derSequence(derOid(prf), derNull()) });
    expect(open(pfx(derSequence(certificateBag(), shroudedBag(algorithm, encrypted)))).outcome).toBe('opened');
  });

  it('opens a key with an explicit key length, and with the password in a terminal’s Latin-1', () => {
    const iv = Buffer.alloc(16, 7);
    const key = pbkdf2Sync(Buffer.from(PASSWORD, 'latin1'), salt, 10, 32, 'sha256');
    const encrypting = createCipheriv('aes-256-cbc', key, iv);
    const encrypted = Buffer.concat([encrypting.update(pkcs8()), encrypting.final()]);
    const scheme = derSequence(derOid('2.16.840.1.101.3.4.1.42'), derOctets(iv));
    const algorithm = pbes2(scheme, { said: [derInteger(32)] });
    expect(open(pfx(derSequence(certificateBag(), shroudedBag(algorithm, encrypted))))).toMatchObject({
      outcome: 'opened',
      certificates: [{ key: expect.objectContaining({ type: 'private' }) }],
    });
  });

  it.each([
    { name: 'cipher', algorithm: pbes2(derSequence(derOid('1.2.3.4'), derOctets(Buffer.alloc(8)))), message: 'cipher' },
    {
      name: 'derivation',
      algorithm: pbes2(derSequence(derOid('2.16.840.1.101.3.4.1.42'), derOctets(Buffer.alloc(16))), { kdf: '1.2.3.4' }),
      message: 'key derivation',
    },
    {
      name: 'hash of the derivation',
      algorithm: pbes2(derSequence(derOid('2.16.840.1.101.3.4.1.42'), derOctets(Buffer.alloc(16))), {
        prf: derSequence(derOid('1.2.3.4'), derNull()),
      }),
      message: 'key derivation',
    },
  ])('rejects a key with an unknown $name, which the error names', ({ algorithm, message }) => {
    const answer = open(pfx(derSequence(shroudedBag(algorithm, Buffer.alloc(16)))));
    expect(answer).toMatchObject({ outcome: 'invalid', message: expect.stringContaining('1.2.3.4') });
    expect(answer).toMatchObject({ message: expect.stringContaining(message) });
  });
});

describe('a key under PKCS#12’s own ciphers', () => {
  const derive = (purpose: 1 | 2, length: number) =>
    deriveByPkcs12(wide, purpose, { salt, iterations: 10, length, digest: 'sha1', spend: () => undefined });
  const legacy = (oid: string) => derSequence(derOid(oid), derSequence(derOctets(salt), derInteger(10)));

  it.each([
    { cipher: 'des-ede3-cbc', oid: '1.2.840.113549.1.12.1.3', keyLength: 24 },
    { cipher: 'des-ede-cbc', oid: '1.2.840.113549.1.12.1.4', keyLength: 16 },
  ])('opens a key under PKCS#12’s own ciphers: $cipher', ({ cipher, oid, keyLength }) => {
    const encrypting = createCipheriv(cipher, derive(1, keyLength), derive(2, 8));
    const encrypted = Buffer.concat([encrypting.update(pkcs8()), encrypting.final()]);
    const bytes = pfx(derSequence(certificateBag(), shroudedBag(legacy(oid), encrypted)));
    expect(open(bytes)).toMatchObject({ outcome: 'opened', keyCount: 1 });
    expect(open(bytes, 'otra').outcome).toBe('wrongPassword');
  });

  it.each([
    { name: '128 bits', oid: '1.2.840.113549.1.12.1.5', keyLength: 16 },
    { name: '40 bits', oid: '1.2.840.113549.1.12.1.6', keyLength: 5 },
  ])('opens a key under RC2 with $name', ({ oid, keyLength }) => {
    const encrypting = forge.rc2.createEncryptionCipher(derive(1, keyLength).toString('latin1'), keyLength * 8);
    encrypting.start(derive(2, 8).toString('latin1'));
    encrypting.update(forge.util.createBuffer(pkcs8().toString('latin1')));
    encrypting.finish();
    const encrypted = Buffer.from(encrypting.output.getBytes(), 'latin1');
    const bytes = pfx(derSequence(certificateBag(), shroudedBag(legacy(oid), encrypted)));
    expect(open(bytes)).toMatchObject({ outcome: 'opened', keyCount: 1 });
    expect(open(bytes, 'otra')).toMatchObject({ outcome: 'wrongPassword' });
  });
});

it('reports a wrong password for RC2 with invalid padding', () => {
  const derivation = { salt, iterations: 10, digest: 'sha1', spend: () => undefined };
  const key = deriveByPkcs12(wide, 1, { ...derivation, length: 5 });
  const encrypting = forge.rc2.createEncryptionCipher(key.toString('latin1'), 40);
  encrypting.start(deriveByPkcs12(wide, 2, { ...derivation, length: 8 }).toString('latin1'));
  encrypting.update(forge.util.createBuffer('c'.repeat(16)));
  encrypting.finish(() => true);
  const encrypted = Buffer.from(encrypting.output.getBytes(), 'latin1');
  const algorithm = derSequence(derOid('1.2.840.113549.1.12.1.6'), derSequence(derOctets(salt), derInteger(10)));
  expect(open(pfx(derSequence(shroudedBag(algorithm, encrypted))))).toMatchObject({
    outcome: 'wrongPassword',
    message: expect.stringContaining('contents'),
  });
});

describe('the MAC', () => {
  it('computes the MAC without a password of no octet, not of the terminator of a text', () => {
    const content = derSequence(data(derSequence(certificateBag())));
    for (const nothing of [Buffer.alloc(0), Buffer.alloc(2)]) {
      const derivation = { salt, iterations: 1, length: 20, digest: 'sha1', spend: () => undefined };
      const mac = createHmac('sha1', deriveByPkcs12(nothing, 3, derivation))
        .update(content)
        .digest();
      const bytes = derSequence(derInteger(3), data(content), own('1.3.14.3.2.26', mac));
      expect(openContainer({ bytes, password: null }).outcome).toBe('opened');
      expect(openContainer({ bytes, password: '' }).outcome).toBe('opened');
      expect(open(bytes, 'otra').outcome).toBe('wrongPassword');
    }
  });

  const own = (digestOid: string, mac: Uint8Array, ...count: readonly Uint8Array[]) =>
    derSequence(derSequence(derSequence(derOid(digestOid), derNull()), derOctets(mac)), derOctets(salt), ...count);

  it.each([
    { digest: 'md5', oid: '1.2.840.113549.2.5', length: 16 },
    { digest: 'sha1', oid: '1.3.14.3.2.26', length: 20 },
    { digest: 'sha224', oid: '2.16.840.1.101.3.4.2.4', length: 28 },
    { digest: 'sha256', oid: '2.16.840.1.101.3.4.2.1', length: 32 },
    { digest: 'sha384', oid: '2.16.840.1.101.3.4.2.2', length: 48 },
    { digest: 'sha512', oid: '2.16.840.1.101.3.4.2.3', length: 64 },
  ])('the MAC by $digest proves the password, with one iteration by default', ({ digest, oid, length }) => {
    const content = derSequence(data(derSequence(certificateBag())));
    const spend = () => undefined;
    for (const [iterations, count] of [
      [1, []],
      [5, [derInteger(5)]],
    ] as const) {
      const key = deriveByPkcs12(wide, 3, { salt, iterations, length, digest, spend });
      const mac = createHmac(digest, key).update(content).digest();
      const bytes = derSequence(derInteger(3), data(content), own(oid, mac, ...count));
      expect(open(bytes).outcome).toBe('opened');
      expect(open(bytes, 'otra').outcome).toBe('wrongPassword');
      const longer = Buffer.concat([mac, Buffer.of(0)]);
      for (const other of [mac.subarray(1), mac.subarray(0, -1), mac.subarray(0, 0), longer]) {
        const changed = derSequence(derInteger(3), data(content), own(oid, other, ...count));
        expect(open(changed).outcome).toBe('wrongPassword');
      }
    }
  });

  it('computes the MAC once for password forms with the same octets', () => {
    const content = derSequence(data(derSequence(certificateBag())));
    const macData = readBer(own('1.3.14.3.2.26', Buffer.alloc(20), derInteger(5)));
    const macKeys = new Map<string, Buffer>();
    let steps = 0;
    const spend = (wanted: number) => {
      steps += wanted;
    };
    const check = (form: PasswordForms) => checkMac(macData, content, { ...form, spend, macKeys });
    for (const octets of ['c3a9', 'e9']) {
      expect(() => check({ wide, octets: Buffer.from(octets, 'hex') })).toThrow('not the one');
    }
    expect(steps).toBe(5);
    expect(() => check({ wide: Buffer.alloc(2), octets: Buffer.alloc(0) })).toThrow('not the one');
    expect(steps).toBe(10);
  });

  const pbmac1 = (options: { length?: number | null; prf?: string; hmac?: string }) => {
    const { length = 32, prf = '1.2.840.113549.2.9', hmac = '1.2.840.113549.2.9' } = options;
    const parameters = derSequence(
      derOctets(salt),
      derInteger(1),
      ...(length === null ? [] : [derInteger(length)]),
      derSequence(derOid(prf), derNull()),
    );
    const derivation = derSequence(derOid('1.2.840.113549.1.5.12'), parameters);
    const algorithm = derSequence(
      derOid('1.2.840.113549.1.5.14'),
      derSequence(derivation, derSequence(derOid(hmac), derNull())),
    );
    return derSequence(derSequence(algorithm, derOctets(Buffer.alloc(32))), derOctets(salt), derInteger(1));
  };

  it.each([
    { name: 'an unknown hash', mac: own('1.2.3.4', Buffer.alloc(20)), message: '1.2.3.4' },
    { name: 'PBMAC1 by an unknown hash', mac: pbmac1({ hmac: '1.2.3.4' }), message: '1.2.3.4' },
    { name: 'PBMAC1 with a key of no octet', mac: pbmac1({ length: 0 }), message: 'odd length' },
    { name: 'PBMAC1 with a key of 65 octets', mac: pbmac1({ length: 65 }), message: 'odd length' },
    { name: 'PBMAC1 without a length', mac: pbmac1({ length: null }), message: 'incomplete' },
    { name: 'no algorithm at all', mac: derSequence(derOctets(salt), derOctets(salt)), message: 'incomplete' },
  ])('rejects the MAC: $name', ({ mac, message }) => {
    const answer = open(pfx(derSequence(certificateBag()), mac));
    expect(answer).toMatchObject({ outcome: 'invalid', message: expect.stringContaining(message) });
  });

  it('reports a wrong password for the MAC of wrong content, also with keys of 1 and of 64 octets', () => {
    for (const length of [1, 64]) {
      expect(open(pfx(derSequence(certificateBag()), pbmac1({ length }))).outcome).toBe('wrongPassword');
    }
  });
});

describe('the names in a container', () => {
  const attribute = (type: string, value: Uint8Array) => derSequence(derOid(type), derSet(value));
  const name = (text: string) => attribute('1.2.840.113549.1.9.20', derBmp(text));
  const keyId = attribute('1.2.840.113549.1.9.21', derOctets(Buffer.of(1)));
  const pieces = attribute('1.2.840.113549.1.9.20', der(0x30, derOctets(Buffer.of(1))));

  it.each([
    { what: 'a name', attributes: () => derSet(name('FIRMA')), names: ['FIRMA'] },
    { what: 'a name behind another attribute', attributes: () => derSet(keyId, name('FIRMA')), names: ['FIRMA'] },
    { what: 'none', attributes: () => derSet(keyId), names: [] },
    { what: 'a name that is no text', attributes: () => derSet(pieces), names: [] },
  ])('reads the names in a container: $what', ({ attributes, names }) => {
    const answer = open(pfx(derSequence(certificateBag(attributes()))));
    expect(answer).toMatchObject({ outcome: 'opened', certificates: [{ names }] });
  });

  it('gives the names in a container to the certificate and to its key', () => {
    const key = bag('1.2.840.113549.1.12.10.1.1', pkcs8(), derSet(name('LLAVE')));
    const answer = open(pfx(derSequence(key, certificateBag(derSet(name('FIRMA'))), certificateBag())));
    expect(answer).toMatchObject({ certificates: [{ names: ['FIRMA', 'LLAVE'] }, { names: ['LLAVE'] }] });
  });
});

describe('the forms of a password', () => {
  const octets = (text: string) => toPasswordForms(text).map((form) => form.octets.toString('hex'));
  const wides = (text: string) => toPasswordForms(text).map((form) => form.wide.toString('hex'));

  it('makes one form of an ASCII password, and two of an absent password', () => {
    expect(wides('aZ~\0\x7f')).toEqual(['0061005a007e0000007f0000']);
    expect(wides('')).toEqual(['0000', '']);
    expect(toPasswordForms(null)).toEqual(toPasswordForms(''));
  });

  it('makes forms of accents as typed, composed otherwise, in Latin-1, and as widened UTF-8', () => {
    expect(wides('é')).toEqual(['00e90000', '006503010000', '00e90000', '00c300a90000']);
    expect(octets('é')).toEqual(['c3a9', '65cc81', 'e9', 'c3a9']);
    expect(octets('e\u0301')).toEqual(['65cc81', 'c3a9', '65cc81']);
    expect(octets('ñ€')).toEqual(['c3b1e282ac', '6ecc83e282ac', 'c3b1e282ac']);
    expect(octets('€')).toEqual(['e282ac', 'e282ac']);
    expect(octets('×')).toEqual(['c397', 'd7', 'c397']);
    expect(octets('¡ÿ')).toContain('a1ff');
    expect(octets('a€b')).toEqual(['61e282ac62', '61e282ac62']);
    expect(octets('aéb')).toContain('61e962');
    expect(octets('\x80')).toEqual(['c280', '80', 'c280']);
  });
});
