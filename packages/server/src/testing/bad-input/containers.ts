import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestP12 } from 'sri-core/testing';
import { der, derInteger, derOctets, derOid, derSequence } from './der.js';
import { TRIES_ALL } from './sample.js';

/** The outcome of a certificate file; each route has its own codes for it. */
export type ContainerOutcome =
  | 'TAKEN'
  | 'INVALID'
  | 'PASSWORD_INVALID'
  | 'KEY_NOT_FOUND'
  | 'KEY_UNSUPPORTED'
  | 'EXPIRED'
  | 'NOT_YET_VALID';

/** A file sent as a certificate. */
export interface SentContainer {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly password: string | null;
  readonly outcome: ContainerOutcome;
}

/** Files that are not a container, or a hostile one. They are made without other programs. */
export function hostileContainers(): readonly SentContainer[] {
  const files: Readonly<Record<string, Uint8Array>> = {
    'an empty file': new Uint8Array(),
    'one byte': Uint8Array.of(0x30),
    'a PDF': Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF'),
    'a certificate as text': Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'),
    'a zip file': Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
    'a Java key store': Buffer.from('feedfeed0000000200000000', 'hex'),
    zeros: new Uint8Array(4096),
    ones: new Uint8Array(4096).fill(0xff),
    'more than 256 KiB': new Uint8Array(256 * 1024 + 1).fill(0x30),
    'a length of 2 GiB': Buffer.from('30847fffffff0201033000', 'hex'),
    'a length of 2^64': Buffer.from('3088ffffffffffffffff0201033000', 'hex'),
    'an empty sequence': derSequence(),
    'version 4': derSequence(derInteger(4), data(derSequence())),
    '10 000 levels': levels(10_000),
    '120 000 levels without lengths': Buffer.alloc(240_000, Buffer.of(0x30, 0x80)),
    '60 000 octets in pieces of pieces': Buffer.alloc(250_000, Buffer.of(0x24, 0x80)),
    '80 000 empty values': derSequence(derInteger(3), data(derSequence(Buffer.alloc(160_000, Buffer.of(0x30, 0))))),
    '10^9 iterations of the MAC': withMac(1_000_000_000),
    '2^31 - 1 iterations of the MAC': withMac(2_147_483_647),
    'iterations below zero': withMac(-1),
    '10^9 iterations of PBKDF2': withPbes2(1_000_000_000),
    '10^9 iterations of 3DES': withLegacy('1.2.840.113549.1.12.1.3', 1_000_000_000),
    '10^9 iterations of RC2': withLegacy('1.2.840.113549.1.12.1.6', 1_000_000_000),
    'an unknown cipher': withLegacy('1.2.840.113549.1.12.1.99', 1),
  };
  return Object.entries(files).map(([name, bytes]) => ({ name, bytes, password: 'secreta', outcome: 'INVALID' }));
}

/** Containers made by this library, valid or expired; `good` is also truncated and changed at many places. */
export async function ownContainers(now: Date): Promise<readonly SentContainer[]> {
  const day = (offset: number) => new Date(now.getTime() + offset * 86_400_000);
  const password = 'secreta';
  const good = await createTestP12({ password });
  const make = (validFrom: Date, validTo: Date) => createTestP12({ password, validFrom, validTo });
  const rounds = TRIES_ALL ? 1 : 3;
  const cuts = Array.from({ length: Math.floor(good.length / (64 * rounds)) }, (_, index) => index * 64 * rounds);
  return [
    { name: 'good', bytes: good, password, outcome: 'TAKEN' },
    { name: 'good, with bytes after it', bytes: Buffer.concat([good, Buffer.alloc(99)]), password, outcome: 'TAKEN' },
    { name: 'no password, though it has one', bytes: good, password: null, outcome: 'PASSWORD_INVALID' },
    { name: 'an empty password', bytes: good, password: '', outcome: 'PASSWORD_INVALID' },
    { name: 'another password', bytes: good, password: 'Secreta', outcome: 'PASSWORD_INVALID' },
    { name: 'a blank after the password', bytes: good, password: 'secreta ', outcome: 'PASSWORD_INVALID' },
    { name: 'an emoji for a password', bytes: good, password: '🔑', outcome: 'PASSWORD_INVALID' },
    { name: 'a password of 512 letters', bytes: good, password: 'x'.repeat(512), outcome: 'PASSWORD_INVALID' },
    { name: 'out of date', bytes: await make(day(-800), day(-1)), password, outcome: 'EXPIRED' },
    { name: 'not yet in force', bytes: await make(day(1), day(800)), password, outcome: 'NOT_YET_VALID' },
    { name: 'a short key', bytes: await createTestP12({ password, bits: 1024 }), password, outcome: 'KEY_UNSUPPORTED' },
    { name: 'open to all', bytes: await createTestP12({ password: null }), password: null, outcome: 'TAKEN' },
    ...cuts.map(
      (at): SentContainer => ({ name: `cut at ${at}`, bytes: good.subarray(0, at), password, outcome: 'INVALID' }),
    ),
  ];
}

/** Copies of a good container, each with one byte changed. Their outcomes may differ. */
export async function changedContainers(count: number): Promise<readonly Uint8Array[]> {
  const good = await createTestP12({ password: 'secreta' });
  return Array.from({ length: count }, (_, index) => {
    const copy = Uint8Array.from(good);
    const at = Math.floor((good.length * index) / count);
    copy[at] = (copy[at] ?? 0) ^ (1 << (index % 8));
    return copy;
  });
}

/** Containers as OpenSSL writes them. @throws Error without that program */
export async function opensslContainers(): Promise<readonly SentContainer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sri-bad-input-'));
  const path = (name: string) => join(folder, name);
  const openssl = (...args: readonly string[]) => run('openssl', [...args]);

  async function identity(name: string, ...algorithm: readonly string[]): Promise<void> {
    await openssl('genpkey', ...algorithm, '-out', path(`${name}.key`));
    const subject = ['-subj', '/C=EC/CN=PRUEBA', '-addext', 'keyUsage=digitalSignature'];
    await openssl(
      'req',
      '-x509',
      '-new',
      '-key',
      path(`${name}.key`),
      '-days',
      '30',
      ...subject,
      '-out',
      path(`${name}.pem`),
    );
  }

  async function container(password: string, args: readonly string[]): Promise<Uint8Array> {
    containers += 1;
    const out = path(`${containers}.p12`);
    await openssl('pkcs12', '-export', ...args, '-passout', `pass:${password}`, '-out', out);
    return readFile(out);
  }
  const pair = (name: string) => ['-inkey', path(`${name}.key`), '-in', path(`${name}.pem`)];
  let containers = 0;

  try {
    const rsa = (bits: number) => ['-algorithm', 'RSA', '-pkeyopt', `rsa_keygen_bits:${bits}`];
    await openssl('dsaparam', '-out', path('dsa.params'), '1024');
    await Promise.all([
      identity('rsa', ...rsa(2048)),
      identity('other', ...rsa(2048)),
      identity('large', ...rsa(4096)),
      identity('small', ...rsa(1024)),
      identity('ec', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'),
      identity('ed25519', '-algorithm', 'ED25519'),
      identity('dsa', '-paramfile', path('dsa.params')),
      ...(TRIES_ALL ? [identity('giant', ...rsa(8192))] : []),
    ]);
    await writeFile(
      path('both.pem'),
      Buffer.concat([await readFile(path('other.pem')), await readFile(path('rsa.pem'))]),
    );
    const old = ['-certpbe', 'PBE-SHA1-3DES', '-keypbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'];
    const open = ['-certpbe', 'NONE', '-keypbe', 'NONE'];
    const made: readonly (readonly [string, ContainerOutcome, string, readonly string[]])[] = [
      ['AES-256 and SHA-256', 'TAKEN', 'secreta', pair('rsa')],
      ['RC2 of 40 bits', 'TAKEN', 'secreta', [...pair('rsa'), '-legacy']],
      ['3DES and SHA-1', 'TAKEN', 'secreta', [...pair('rsa'), ...old]],
      ['SHA-512', 'TAKEN', 'secreta', [...pair('rsa'), '-macalg', 'sha512']],
      ['no MAC', 'TAKEN', 'secreta', [...pair('rsa'), '-nomac']],
      ['nothing encrypted', 'TAKEN', 'secreta', [...pair('rsa'), ...open]],
      ['a password outside ASCII', 'TAKEN', 'contraseña€', pair('rsa')],
      ['an emoji password', 'TAKEN', '🔑llave', pair('rsa')],
      ['an empty password', 'TAKEN', '', pair('rsa')],
      ['another certificate first', 'TAKEN', 'secreta', ['-inkey', path('rsa.key'), '-in', path('both.pem')]],
      ['a key of 4096 bits', 'TAKEN', 'secreta', pair('large')],
      ['a key of 1024 bits', 'KEY_UNSUPPORTED', 'secreta', pair('small')],
      ['a key on P-256', 'KEY_UNSUPPORTED', 'secreta', pair('ec')],
      ['Ed25519', 'KEY_UNSUPPORTED', 'secreta', pair('ed25519')],
      ['DSA', 'KEY_UNSUPPORTED', 'secreta', pair('dsa')],
      ...(TRIES_ALL ? ([['a key of 8192 bits', 'KEY_UNSUPPORTED', 'secreta', pair('giant')]] as const) : []),
      ['no key', 'KEY_NOT_FOUND', 'secreta', ['-nokeys', '-in', path('rsa.pem')]],
      ['no certificate', 'KEY_NOT_FOUND', 'secreta', ['-inkey', path('rsa.key'), '-in', path('rsa.pem'), '-nocerts']],
    ];
    const found: SentContainer[] = [];
    for (const [name, outcome, password, args] of made) {
      const bytes = await container(password, args);
      found.push({ name: `OpenSSL: ${name}`, bytes, password, outcome });
      if (outcome === 'TAKEN' && password !== '') {
        const isOpen = args.includes('NONE');
        const wrong: SentContainer = {
          name: `OpenSSL: ${name}, another password`,
          bytes,
          password: 'otra',
          outcome: 'PASSWORD_INVALID',
        };
        if (!isOpen) found.push(wrong);
      }
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// --- internal ---

const run = promisify(execFile);

const DATA = '1.2.840.113549.1.7.1';
const SALT = Buffer.alloc(16, 7);

function data(content: Uint8Array): Buffer {
  return derSequence(derOid(DATA), der(0xa0, derOctets(content)));
}

function levels(count: number): Buffer {
  let content: Buffer = Buffer.alloc(0);
  for (let level = 0; level < count; level += 1) content = derSequence(content);
  return content;
}

function withMac(iterations: number): Buffer {
  const algorithm = derSequence(derOid('2.16.840.1.101.3.4.2.1'), der(0x05));
  const mac = derSequence(derSequence(algorithm, derOctets(Buffer.alloc(32))), derOctets(SALT), derInteger(iterations));
  return derSequence(derInteger(3), data(derSequence(data(derSequence()))), mac);
}

function encrypted(algorithm: Uint8Array): Buffer {
  const content = derSequence(derOid(DATA), algorithm, der(0x80, Buffer.alloc(64)));
  const wrapped = derSequence(derOid('1.2.840.113549.1.7.6'), der(0xa0, derSequence(derInteger(0), content)));
  return derSequence(derInteger(3), data(derSequence(wrapped)));
}

function withPbes2(iterations: number): Buffer {
  const hmac = derSequence(derOid('1.2.840.113549.2.9'), der(0x05));
  const kdf = derSequence(derOid('1.2.840.113549.1.5.12'), derSequence(derOctets(SALT), derInteger(iterations), hmac));
  const cipher = derSequence(derOid('2.16.840.1.101.3.4.1.42'), derOctets(SALT));
  return encrypted(derSequence(derOid('1.2.840.113549.1.5.13'), derSequence(kdf, cipher)));
}

function withLegacy(oid: string, iterations: number): Buffer {
  return encrypted(derSequence(derOid(oid), derSequence(derOctets(SALT.subarray(0, 8)), derInteger(iterations))));
}
