import { pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createWorkBudget, deriveByPbkdf2, deriveByPkcs12, digestLength } from './p12-key-derivation.js';
import { toPasswordForms } from './p12-password.js';

const wide = (password: string) => toPasswordForms(password)[0]?.wide ?? Buffer.alloc(0);

describe('the key derivation of PKCS#12', () => {
  // openssl kdf -keylen <length> -kdfopt digest:<digest> -kdfopt hexpass:0063006c00e1007600e90000
  //   -kdfopt hexsalt:0a58cf64530d823f -kdfopt iter:<iterations> -kdfopt id:<purpose> PKCS12KDF
  it.each([
    { digest: 'sha1', purpose: 1, iterations: 2048, derived: '067e108314aeb74f2abf6bb83689635cfcf29c5b38be5dd6' },
    { digest: 'sha1', purpose: 2, iterations: 2048, derived: 'e90db6aadf563fa7' },
    { digest: 'sha1', purpose: 3, iterations: 1, derived: '5535894fc86fe837a91942e5cfefadc8efd136cf' },
    {
      digest: 'sha1',
      purpose: 1,
      iterations: 1000,
      derived:
        '294dc15d516104d07a313a0ea7e9dc4b7abfe94ffe927eadacff85b07b4a8accfcab65e9f450acbbdf897d9bff060f6d' +
        'd5764bbbc986f8b568b48628ef29d0e9a76f5979bf10',
    },
    {
      digest: 'sha256',
      purpose: 3,
      iterations: 2048,
      derived: '1e7ce1fb965ceba30e6fb2e02a93d0f6fc7f4b052bf77eb6501549377a1cf096',
    },
    {
      digest: 'sha384',
      purpose: 3,
      iterations: 7,
      derived: '71eccd031726794700e70d2f99c9c75802406573e988d2d8dcdaac3dfa247efc73b2f743d1b84fba1df58a3b8cd0783f',
    },
    {
      digest: 'sha512',
      purpose: 1,
      iterations: 3,
      derived:
        '6c072ec77d8e8cc4403ae58677400f4fd56eb878a132659f0cd2fe73106d1e2b4b68ac96ccb037831383bd607961ba94' +
        'bbab1f20856771959ff27eeb633dabb7e8a0f168ac5b3fa4c867600e8a26360923d193bfe9f33774de78d3e890585b62' +
        '182e3c6118c9f3cfaca8008b7c26b9fafff5a6d0ca7189b7b6cbe22e78f8425eec3fed8eca53a3b93b5454b8c1615ddb' +
        'cac55a549a7d',
    },
  ] as const)('equals the key derivation of OpenSSL: $digest, purpose $purpose, $iterations iterations', (vector) => {
    const { digest, purpose, iterations, derived } = vector;
    const salt = Buffer.from('0a58cf64530d823f', 'hex');
    const derivation = { salt, iterations, length: derived.length / 2, digest, spend: createWorkBudget() };
    expect(deriveByPkcs12(wide('clávé'), purpose, derivation).toString('hex')).toBe(derived);
  });

  const long = wide('la contraseña más larga de todas, 40 así');
  const counting = (octets: number) => Buffer.from(Array.from({ length: octets }, (_, index) => index));

  // Also from OpenSSL, with a password and salts of one block, of more, and of one octet.
  it.each([
    {
      digest: 'sha1',
      salt: counting(64),
      iterations: 3,
      derived: '8c1f08ab5fd8944886b343843996bfd272b832537dc2ed4c55182a5f39238e7e877e695da464af0e2dc8f726c1',
    },
    {
      digest: 'sha1',
      salt: counting(65),
      iterations: 3,
      derived: '1eabe9c706212aef621aafce6759fab345fd01c54d2d4876157bd0c693b4a2df58f840e43b65938e4070bc398f',
    },
    {
      digest: 'sha1',
      salt: Buffer.of(0xff),
      iterations: 2,
      derived:
        '09dfadaf7025eecaba3f140677b4428943bea9326f42039b1fb7a1744a477851cd17eed4cc0ed01f65414254fae3f96b' +
        '030c744fc6d95b24e028f7b751',
    },
    {
      digest: 'md5',
      salt: counting(64),
      iterations: 2,
      derived: 'd1343d3f4b888ea42f96f2e21ff2885f3dc1f631c32b037abed26205fa43f87e4c',
    },
    {
      digest: 'sha512',
      salt: counting(129),
      iterations: 2,
      derived:
        '68880b15a029ef17848a943945887d3560c9459958db43f21efcb9892fd5dc1ccd3bcc9f0350c1ad8946a4457c33da05' +
        'f8d7c4756cdb36dd165d887ab3cd05f55e43457af531399943310ec41ecb64df0522e0fd3f6f0053d2752cb198232346' +
        '207f14ca0b305dc89c3df30da57e5ed732ea719a02b19d5f717efe2c481891d8f5e8',
    },
  ])('equals the key derivation of OpenSSL with long input: $digest, $salt.length octets of salt', (vector) => {
    const { digest, salt, iterations, derived } = vector;
    const derivation = { salt, iterations, length: derived.length / 2, digest, spend: createWorkBudget() };
    expect(deriveByPkcs12(long, 1, derivation).toString('hex')).toBe(derived);
  });

  it('derives nothing for a length of zero', () => {
    const derivation = { salt: counting(8), iterations: 1, length: 0, digest: 'sha1', spend: createWorkBudget(0) };
    expect(deriveByPkcs12(long, 1, derivation)).toHaveLength(0);
  });
});

describe('the work of key derivation', () => {
  const stepsOf = (derive: (spend: (steps: number) => void) => unknown): number => {
    let steps = 0;
    derive((wanted) => {
      steps += wanted;
    });
    return steps;
  };

  it.each([
    { digest: 'sha1', length: 20, blocks: 1 },
    { digest: 'sha1', length: 21, blocks: 2 },
    { digest: 'sha1', length: 40, blocks: 2 },
    { digest: 'sha256', length: 8, blocks: 1 },
    { digest: 'sha512', length: 129, blocks: 3 },
  ])('charges the work for each derived block: $length octets by $digest', ({ digest, length, blocks }) => {
    const common = { salt: Buffer.from('sal'), iterations: 7, length, digest };
    expect(stepsOf((spend) => deriveByPkcs12(wide('x'), 1, { ...common, spend }))).toBe(7 * blocks);
    expect(stepsOf((spend) => deriveByPbkdf2(Buffer.from('x'), { ...common, spend }))).toBe(7 * blocks);
  });

  it('charges the work before it runs', () => {
    const spend = () => {
      throw new Error('unpaid');
    };
    // This many steps would take hours.
    const derivation = { salt: Buffer.from('sal'), iterations: 2 ** 31 - 1, length: 64, digest: 'sha512', spend };
    expect(() => deriveByPbkdf2(Buffer.from('x'), derivation)).toThrow('unpaid');
    expect(() => deriveByPkcs12(wide('x'), 3, derivation)).toThrow('unpaid');
  });

  it('allows work to the last granted step, and no further', () => {
    const spend = createWorkBudget(100);
    spend(60);
    spend(40);
    expect(() => spend(1)).toThrow('more key derivation work');
    createWorkBudget()(5_000_000);
    expect(() => createWorkBudget()(5_000_001)).toThrow(expect.objectContaining({ outcome: 'invalid' }));
  });

  it.each([0, -1])('rejects a derivation of %i steps', (steps) => {
    const refused = expect.objectContaining({ outcome: 'invalid', message: expect.stringContaining('no iteration') });
    expect(() => createWorkBudget()(steps)).toThrow(refused);
  });
});

describe('PBKDF2', () => {
  it.each(['sha1', 'sha512'])('equals Node’s PBKDF2, by %s', (digest) => {
    const derivation = { salt: Buffer.from('sal'), iterations: 3, length: 70, digest, spend: createWorkBudget() };
    expect(deriveByPbkdf2(Buffer.from('clávé'), derivation)).toEqual(pbkdf2Sync('clávé', 'sal', 3, 70, digest));
  });

  it('knows the length of each digest', () => {
    expect(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'].map(digestLength)).toEqual([16, 20, 28, 32, 48, 64]);
  });
});
