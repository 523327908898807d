import { randomBytes } from 'node:crypto';
import { createTestP12 } from 'sri-core/testing';
import { der, derInteger, derOctets, derOid, derSequence } from './der.js';
import { TRIES_ALL } from './sample.js';

/** The outcome of a certificate file; each route has its own codes for it. */
export type ContainerOutcome =
  | 'TAKEN'
  | 'INVALID'
  | 'PASSWORD_INVALID'
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
    { name: 'no password for a container with a password', bytes: good, password: null, outcome: 'PASSWORD_INVALID' },
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

/** An empty container whose password check needs that many iterations of key derivation. */
export function costlyP12(iterations: number): Buffer {
  return withMac(iterations, randomBytes(32));
}

// --- internal ---

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

function withMac(iterations: number, digest = Buffer.alloc(32)): Buffer {
  const algorithm = derSequence(derOid('2.16.840.1.101.3.4.2.1'), der(0x05));
  const mac = derSequence(derSequence(algorithm, derOctets(digest)), derOctets(SALT), derInteger(iterations));
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
