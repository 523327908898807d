import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyOfNumbers, numbersOf } from '../testing/forged-key.js';
import { createTestCertificate, type TestExtension, testExtensions } from '../testing/test-certificate.js';
import { type TestContainerEntry, writeTestContainer } from '../testing/test-container.js';
import { openP12 } from './p12.js';

// Layouts of the authorities. Each is opened with its entries in every order; the order must not change the choice.

const NOW = new Date('2026-06-15T12:00:00Z');
const day = (offset: number) => new Date(NOW.getTime() + offset * 86_400_000);
const authorityKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const AUTHORITY_NAME = [{ type: '2.5.4.3', text: 'AC DE PRUEBA' }];
const { authority, keyUsage } = testExtensions;
const SIGNS = keyUsage('digitalSignature', 'nonRepudiation');
const ENCRYPTS = keyUsage('keyEncipherment', 'dataEncipherment');

type Issuer = Parameters<typeof createTestCertificate>[0]['issuer'];

interface PairOptions {
  readonly name?: string;
  readonly keys?: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly from?: Date;
  readonly to?: Date;
  readonly extensions?: readonly TestExtension[];
  readonly withoutKey?: boolean;
  readonly selfSigned?: boolean;
}

function pair(subject: string, options: PairOptions = {}): TestContainerEntry {
  const { keys = rsa(), from = day(-30), to = day(335), extensions = [authority(false), SIGNS] } = options;
  const subjectName = [{ type: '2.5.4.3', text: subject }];
  const certificate = createTestCertificate({
    subject: subjectName,
    publicKey: keys.publicKey,
    issuer: options.selfSigned
      ? { name: subjectName, privateKey: keys.privateKey }
      : { name: AUTHORITY_NAME, privateKey: authorityKeys.privateKey },
    validFrom: from,
    validTo: to,
    extensions,
  });
  return {
    certificate,
    ...(options.withoutKey ? {} : { privateKey: keys.privateKey }),
    ...(options.name === undefined ? {} : { name: options.name }),
  };
}

function rsa(bits = 2048) {
  return generateKeyPairSync('rsa', { modulusLength: bits });
}

/** The certificate of the authority; its own issuer unless another one is given. */
function certifyAuthority(
  issuer: Issuer = { name: AUTHORITY_NAME, privateKey: authorityKeys.privateKey },
  isAuthority = true,
): Buffer {
  return createTestCertificate({
    subject: AUTHORITY_NAME,
    publicKey: authorityKeys.publicKey,
    issuer,
    validFrom: day(-3000),
    validTo: day(3000),
    extensions: [authority(isAuthority)],
  });
}

function authorityCertificate(withKey = false): TestContainerEntry {
  return { certificate: certifyAuthority(), ...(withKey ? { privateKey: authorityKeys.privateKey } : {}) };
}

async function open(entries: readonly TestContainerEntry[], options = {}) {
  const bytes = writeTestContainer(entries, { password: null });
  const { choice } = await openP12(bytes, null, { now: NOW, ...options });
  return choice.map(({ subject, reason }) => `${subject}: ${reason}`).toSorted();
}

/** Every order of up to three entries; rotations and their mirror images of more. */
function orders<T>(items: readonly T[]): T[][] {
  const rotations = items.map((_, index) => [...items.slice(index), ...items.slice(0, index)]);
  return [...rotations, ...rotations.map((order) => order.toReversed())];
}

const LAYOUTS: readonly {
  readonly name: string;
  readonly entries: readonly TestContainerEntry[];
  readonly expected: readonly string[];
}[] = [
  {
    name: 'Banco Central: a pair for signing and a pair for decryption',
    entries: [
      pair('DESCIFRADO', { name: "JUAN PÉREZ's Decryption Key", extensions: [authority(false), ENCRYPTS] }),
      pair('FIRMA', { name: "JUAN PÉREZ's Signing Key" }),
      authorityCertificate(),
    ],
    expected: ['AC DE PRUEBA: isAuthority', 'DESCIFRADO: notForSigning', 'FIRMA: chosen'],
  },
  {
    name: 'two pairs of one issuance that differ only by their names',
    entries: [pair('UNO', { name: 'Decryption Key' }), pair('DOS', { name: 'Signing Key', from: day(-30.01) })],
    expected: ['DOS: chosen', 'UNO: notPreferred'],
  },
  {
    name: 'two such pairs of an issuance at seven in the evening, midnight of UTC',
    entries: [
      pair('UNO', { name: 'Decryption Key', from: new Date('2026-05-17T00:00:05Z') }),
      pair('DOS', { name: 'Signing Key', from: new Date('2026-05-16T23:59:50Z') }),
    ],
    expected: ['DOS: chosen', 'UNO: notPreferred'],
  },
  {
    name: 'a name that misstates the use of the key',
    entries: [
      pair('UNO', { name: 'Signing Key', extensions: [ENCRYPTS] }),
      pair('DOS', { name: 'Decryption Key', extensions: [SIGNS] }),
    ],
    expected: ['DOS: chosen', 'UNO: notForSigning'],
  },
  {
    name: 'Security Data, ANF: the authorities above, the nearest first',
    entries: [authorityCertificate(), pair('FIRMA')],
    expected: ['AC DE PRUEBA: isAuthority', 'FIRMA: chosen'],
  },
  {
    name: 'Uanataca: a pair for authentication, and a pair for signatures',
    entries: [
      pair('AUTENTICACIÓN', { extensions: [keyUsage('digitalSignature', 'keyEncipherment')] }),
      pair('FIRMA', { extensions: [SIGNS] }),
    ],
    expected: ['AUTENTICACIÓN: notPreferred', 'FIRMA: chosen'],
  },
  {
    name: 'a renewed pair next to the old, expired pair',
    entries: [pair('VIEJA', { from: day(-800), to: day(-70) }), pair('NUEVA', { from: day(-75), to: day(655) })],
    expected: ['NUEVA: chosen', 'VIEJA: expired'],
  },
  {
    name: 'a renewed pair next to the old pair, both in force',
    entries: [
      pair('VIEJA', { from: day(-720), to: day(10), name: 'Signing Key' }),
      pair('NUEVA', { from: day(-5), to: day(725) }),
    ],
    expected: ['NUEVA: chosen', 'VIEJA: notPreferred'],
  },
  {
    name: 'a renewed pair that is not valid yet',
    entries: [pair('VIEJA', { to: day(3) }), pair('NUEVA', { from: day(3), to: day(700) })],
    expected: ['NUEVA: notYetValid', 'VIEJA: chosen'],
  },
  {
    name: 'a certificate renewed for the same key',
    entries: (() => {
      const keys = rsa();
      return [pair('VIEJA', { keys, from: day(-300) }), pair('NUEVA', { keys, from: day(-3) })];
    })(),
    expected: ['NUEVA: chosen', 'VIEJA: notPreferred'],
  },
  {
    name: 'six pairs, one of them usable',
    entries: [
      pair('EC', { keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }) }),
      pair('CORTA', { keys: rsa(1024) }),
      pair('VENCIDA', { to: day(-1) }),
      pair('FUTURA', { from: day(1) }),
      pair('CIFRA', { extensions: [ENCRYPTS] }),
      pair('FIRMA'),
    ],
    expected: [
      'CIFRA: notForSigning',
      'CORTA: unsupportedKey',
      'EC: unsupportedKey',
      'FIRMA: chosen',
      'FUTURA: notYetValid',
      'VENCIDA: expired',
    ],
  },
  {
    name: 'two pairs of one day, an hour apart',
    entries: [pair('UNO', { from: day(-30 - 1 / 24) }), pair('DOS', { from: day(-30) })],
    expected: ['DOS: chosen', 'UNO: notPreferred'],
  },
  {
    name: 'two pairs with the same start, one of them longer',
    entries: [pair('LARGA', { to: day(400) }), pair('CORTA', { to: day(300) })],
    expected: ['CORTA: notPreferred', 'LARGA: chosen'],
  },
  {
    name: 'a holder without a name, and bytes that are not a certificate',
    entries: [pair(''), { certificate: Buffer.from('hola') }],
    expected: [': chosen'],
  },
  {
    name: 'a certificate of another holder',
    entries: [pair('AJENA', { withoutKey: true, from: day(-1) }), pair('PROPIA')],
    expected: ['AJENA: noPrivateKey', 'PROPIA: chosen'],
  },
  {
    name: 'an authority with its own key',
    entries: [authorityCertificate(true), pair('FIRMA', { extensions: [] })],
    expected: ['AC DE PRUEBA: isAuthority', 'FIRMA: chosen'],
  },
  {
    name: 'a certificate without limits of use next to a certificate for signatures',
    entries: [pair('LIBRE', { extensions: [], from: day(-1) }), pair('FIRMA')],
    expected: ['FIRMA: chosen', 'LIBRE: notPreferred'],
  },
  {
    name: 'a handmade certificate that claims to be an authority',
    entries: [pair('MÍA', { selfSigned: true, extensions: [authority(true)] })],
    expected: ['MÍA: chosen'],
  },
  {
    name: 'a handmade certificate that occurs twice',
    entries: (() => {
      const own = pair('MÍA', { selfSigned: true, extensions: [authority(true)] });
      return [own, own];
    })(),
    expected: ['MÍA: chosen', 'MÍA: notPreferred'],
  },
  {
    name: 'a handmade certificate next to a real certificate',
    entries: [pair('MÍA', { selfSigned: true, extensions: [authority(true), SIGNS], from: day(-1) }), pair('FIRMA')],
    expected: ['FIRMA: chosen', 'MÍA: notPreferred'],
  },
];

describe('the certificate to sign with', () => {
  it.each(LAYOUTS)('openP12 chooses the certificate to sign with by evidence: $name', async ({ entries, expected }) => {
    for (const order of orders(entries)) expect(await open(order)).toEqual(expected);
  });

  it.each([
    {
      name: 'only expired',
      entry: pair('x', { to: day(-1) }),
      code: 'CERTIFICATE_EXPIRED',
      text: '2026-06-14T12:00:00',
    },
    {
      name: 'only in the future',
      entry: pair('x', { from: day(1) }),
      code: 'CERTIFICATE_NOT_YET_VALID',
      text: '2026-06-16',
    },
    {
      name: 'RSA of 1024 bits',
      entry: pair('x', { keys: rsa(1024) }),
      code: 'CERTIFICATE_KEY_UNSUPPORTED',
      text: 'RSA',
    },
    {
      name: 'RSA of 8192 bits',
      entry: pair('x', { keys: fakeRsa(8192) }),
      code: 'CERTIFICATE_KEY_UNSUPPORTED',
      text: '4096',
    },
    {
      name: 'Ed25519',
      entry: pair('x', { keys: generateKeyPairSync('ed25519') }),
      code: 'CERTIFICATE_KEY_UNSUPPORTED',
      text: 'RSA',
    },
    {
      name: 'only for encryption',
      entry: pair('x', { extensions: [ENCRYPTS] }),
      code: 'CERTIFICATE_KEY_UNSUPPORTED',
      text: 'not for',
    },
    { name: 'only an authority’s', entry: issuedAuthority(), code: 'CERTIFICATE_KEY_UNSUPPORTED', text: 'authority' },
    {
      name: 'no key',
      entry: pair('x', { withoutKey: true }),
      code: 'CERTIFICATE_KEY_NOT_FOUND',
      text: 'no private key',
    },
    {
      name: 'no certificate',
      entry: { privateKey: rsa().privateKey },
      code: 'CERTIFICATE_KEY_NOT_FOUND',
      text: 'belongs',
    },
    {
      name: 'the key of another certificate',
      entry: { ...pair('x', { withoutKey: true }), privateKey: rsa().privateKey },
      code: 'CERTIFICATE_KEY_NOT_FOUND',
      text: 'belongs',
    },
    { name: 'nothing', entry: {}, code: 'CERTIFICATE_KEY_NOT_FOUND', text: 'no private key' },
  ])('openP12 finds no certificate to sign with: $name', async ({ entry, code, text }) => {
    await expect(open([entry])).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
  });

  it.each([
    {
      name: 'a certificate that starts tomorrow before an expired certificate',
      entries: [pair('x', { to: day(-1) }), pair('y', { from: day(1) })],
      text: 'not valid before 2026-06-16T12:00:00.000Z',
    },
    {
      name: 'an expired certificate before an unsupported key',
      entries: [pair('x', { keys: rsa(1024) }), pair('y', { to: day(-1) })],
      text: 'expired on 2026-06-14T12:00:00.000Z',
    },
    {
      name: 'an unsupported key before a certificate that is not for signing',
      entries: [pair('x', { extensions: [ENCRYPTS] }), pair('y', { keys: rsa(1024) })],
      text: '2048 to 4096 bits',
    },
    {
      name: 'a certificate that is not for signing before a certificate without its key',
      entries: [pair('x', { withoutKey: true }), pair('y', { extensions: [ENCRYPTS] })],
      text: 'not for digital signatures',
    },
    {
      name: 'an authority’s key before a certificate without its key',
      entries: [pair('x', { withoutKey: true }), issuedAuthority()],
      text: 'that of a certificate authority',
    },
  ])(
    'openP12 finds none of several certificates, and the error describes the closest: $name',
    async ({ entries, text }) => {
      for (const order of orders(entries)) await expect(open(order)).rejects.toThrow(text);
    },
  );

  it.each([
    { name: 'for digitalSignature', extensions: [keyUsage('digitalSignature')] },
    { name: 'for nonRepudiation', extensions: [keyUsage('nonRepudiation')] },
  ])('openP12 accepts a certificate that is $name only', async ({ extensions }) => {
    expect(await open([pair('x', { extensions })])).toEqual(['x: chosen']);
  });

  it('openP12 accepts a certificate that is not yet valid on request', async () => {
    const entries = [pair('x', { from: day(1) }), pair('y', { keys: rsa(1024) })];
    expect(await open(entries, { allowOutOfDate: true })).toEqual(['x: chosen', 'y: unsupportedKey']);
  });

  it('openP12 chooses the newest certificate out of date on request', async () => {
    const entries = [
      pair('VIEJA', { from: day(-900), to: day(-500) }),
      pair('ÚLTIMA', { from: day(-510), to: day(-100) }),
    ];
    expect(await open(entries, { allowOutOfDate: true })).toEqual(['VIEJA: expired', 'ÚLTIMA: chosen']);
    const withCurrent = [...entries, pair('ACTUAL')];
    expect(await open(withCurrent, { allowOutOfDate: true })).toContain('ACTUAL: chosen');
  });

  it('a certificate is in force from its first to its last second', async () => {
    const entries = [pair('x', { from: day(0), to: day(1) })];
    expect(await open(entries, { now: day(0) })).toEqual(['x: chosen']);
    expect(await open(entries, { now: day(1) })).toEqual(['x: chosen']);
    await expect(open(entries, { now: new Date(day(0).getTime() - 1000) })).rejects.toThrow('not valid before');
    await expect(open(entries, { now: new Date(day(1).getTime() + 1000) })).rejects.toThrow('expired');
  });

  it('openP12 returns the chain of authorities, nearest first', async () => {
    const rootKeys = rsa();
    const issuer = { name: [{ type: '2.5.4.3', text: 'RAÍZ' }], privateKey: rootKeys.privateKey };
    const root = createTestCertificate({
      subject: issuer.name,
      publicKey: rootKeys.publicKey,
      issuer,
      validFrom: day(-9000),
      validTo: day(9000),
      extensions: [authority(true)],
    });
    const middle = certifyAuthority(issuer);
    const namesake = certifyAuthority(issuer, false);
    const stranger = pair('AJENA', { selfSigned: true, extensions: [authority(true)], withoutKey: true });
    const others = [root, namesake, middle].map((certificate) => ({ certificate }));
    for (const order of orders([stranger, ...others, pair('FIRMA')])) {
      const { chain } = await openP12(writeTestContainer(order, { password: null }), null, { now: NOW });
      expect(chain.map((der) => Buffer.from(der))).toEqual([middle, root]);
    }
  });
});

/** A sub-authority with its key: never the holder's certificate, even if no other is usable. */
function issuedAuthority(): TestContainerEntry {
  return pair('SUB', { extensions: [authority(true), keyUsage('digitalSignature', 'keyCertSign')] });
}

/** A fake RSA key of any size, made without a slow generation. */
function fakeRsa(bits: number) {
  const numbers = numbersOf(rsa().privateKey);
  const modulus = BigInt(`0x${numbers.n.toString(16).repeat(bits / 2048)}`);
  const privateKey = keyOfNumbers({ ...numbers, n: modulus });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

it('openP12 always chooses the same of two pairs that differ only in their bytes', async () => {
  const pairs = [pair('UNO'), pair('DOS')];
  const chosen = await Promise.all(orders(pairs).map((entries) => open(entries)));
  expect(new Set(chosen.map((choice) => choice.join())).size).toBe(1);
  expect(chosen[0]?.filter((each) => each.endsWith(': chosen'))).toHaveLength(1);
});
