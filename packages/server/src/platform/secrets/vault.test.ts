import { Decipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { masterKeysOf } from '../../testing/master-keys.js';
import { type MasterKeys, newMasterKey, parseMasterKeys } from './master-keys.js';
import { createVault, type SecretLabel } from './vault.js';

const random = { bytes: (count: number) => randomBytes(count) };
const label: SecretLabel = { tenantId: 't', ownerId: 'i', purpose: 'signing-key', keyVersion: 1 };

/** The remembered keys of a new database. */
const NOTHING = new Map<string, string>();

function keys(text: string): MasterKeys {
  const parsed = parseMasterKeys(text);
  if ('texts' in parsed) throw new Error(parsed.texts.en);
  return parsed;
}

describe('the vault', () => {
  it('names its sealing key, and distinguishes another key with the same id', () => {
    const vault = createVault(keys(newMasterKey()), random);
    expect(vault.currentMasterKeyId).toBe('k1');
    expect(vault.checkValue('k2')).toBeNull();
    expect(vault.checkValue('k1')).toBe(vault.checkValue('k1'));
    expect(vault.checkValue('k1')).not.toBe(createVault(keys(newMasterKey()), random).checkValue('k1'));
  });

  it('the check value of a key does not contain the key, and depends on its id', () => {
    const key = newMasterKey();
    const both = createVault(keys(`${key},${key.replace('k1', 'k2')}`), random);
    expect(both.checkValue('k1')).not.toBe(both.checkValue('k2'));
    expect(key).not.toContain(both.checkValue('k1'));
  });

  it('does not seal for a database that remembers a missing or different key', () => {
    const vault = createVault(keys(`${newMasterKey()},${newMasterKey().replace('k1', 'k2')}`), random);
    const own = new Map([['k1', vault.checkValue('k1') ?? '']]);
    expect(vault.sealer(own).seal(Buffer.from('clave'), label).masterKeyId).toBe('k1');
    expect(() => vault.sealer(new Map([['k3', 'x']]))).toThrow('k3 is missing');
    const remembered = new Map([...own, ['k2', 'another'], ['k3', 'x'], ['k4', 'x']]);
    expect(() => vault.sealer(remembered)).toThrow(
      expect.objectContaining({
        name: 'MasterKeyNeededError',
        code: 'MASTER_KEY_NEEDED',
        message:
          'The master key k3, k4 is missing, which stored secrets are sealed with. The master key k2 is another one than stored secrets are sealed with.',
      }),
    );
  });

  it('reports a secret that does not open, and keeps the cause', () => {
    const vault = createVault(keys(newMasterKey()), random);
    const sealed = vault.sealer(NOTHING).seal(Buffer.from('clave'), label);
    expect(Buffer.from(sealed.wrappedKey, 'base64')).toHaveLength(12 + 32 + 16);
    expect(Buffer.from(sealed.ciphertext, 'base64')).toHaveLength(12 + 5 + 16);
    expect(() => vault.open(sealed, { ...label, ownerId: 'other' })).toThrow(
      expect.objectContaining({ name: 'SecretUnreadableError', cause: expect.any(Error) }),
    );
  });

  it('opens a sealed secret, and never seals the same way twice', () => {
    const vault = createVault(keys(newMasterKey()), random);
    const sealed = vault.sealer(NOTHING).seal(Buffer.from('clave'), label);
    expect(vault.open(sealed, label).toString()).toBe('clave');
    expect(vault.sealer(NOTHING).seal(Buffer.from('clave'), label).ciphertext).not.toBe(sealed.ciphertext);
    expect(JSON.stringify(sealed)).not.toContain('clave');
  });

  it('wipes its data keys, and keeps no copy of an opened secret', () => {
    const drawn: Buffer[] = [];
    const noted = {
      bytes: (count: number) => {
        const bytes = randomBytes(count);
        drawn.push(bytes);
        return bytes;
      },
    };
    const old = masterKeysOf('old');
    const sealed = createVault(old, noted).sealer(NOTHING).seal(Buffer.from('clave'), label);
    expect(drawn[0]).toEqual(Buffer.alloc(32));
    const deciphering = vi.spyOn(Decipheriv.prototype, 'update');
    const opened = createVault(old, random).open(sealed, label);
    createVault(masterKeysOf('new', 'old'), random).sealer(NOTHING).rewrap(sealed, label);
    const [key, content, wrapped] = deciphering.mock.results.map(({ value }) => value);
    deciphering.mockRestore();
    expect([key, wrapped]).toEqual([Buffer.alloc(32), Buffer.alloc(32)]);
    expect(content).toBe(opened);
  });

  it.each([
    { name: 'another account', other: { tenantId: 'u' } },
    { name: 'another issuer', other: { ownerId: 'j' } },
    { name: 'another purpose', other: { purpose: 'mail-token' } },
    { name: 'another version', other: { keyVersion: 2 } },
  ] as const)('rejects a row moved to $name', ({ other }) => {
    const vault = createVault(keys(newMasterKey()), random);
    const sealed = vault.sealer(NOTHING).seal(Buffer.from('clave'), label);
    expect(() => vault.open(sealed, { ...label, ...other })).toThrow(
      expect.objectContaining({ code: 'SECRET_UNREADABLE' }),
    );
  });

  it.each(['wrappedKey', 'ciphertext'] as const)('refuses a changed %s', (part) => {
    const vault = createVault(keys(newMasterKey()), random);
    const sealed = vault.sealer(NOTHING).seal(Buffer.from('clave'), label);
    const bytes = Buffer.from(sealed[part], 'base64');
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    expect(() => vault.open({ ...sealed, [part]: bytes.toString('base64') }, label)).toThrow(/does not open/);
    expect(() => vault.open({ ...sealed, [part]: 'AAAA' }, label)).toThrow(/does not open/);
  });

  it('seals with the first master key and opens with any', () => {
    const [old, fresh] = [newMasterKey(), newMasterKey().replace('k1', 'k2')];
    const sealed = createVault(keys(old), random).sealer(NOTHING).seal(Buffer.from('clave'), label);
    const rotated = createVault(keys(`${fresh},${old}`), random);
    expect(rotated.open(sealed, label).toString()).toBe('clave');
    expect(rotated.sealer(NOTHING).seal(Buffer.from('x'), label).masterKeyId).toBe('k2');
    expect(() => createVault(keys(fresh), random).open(sealed, label)).toThrow(/k1 is not among MASTER_KEYS/);
  });
});

describe('wrapping a secret again', () => {
  const label = { tenantId: 't', ownerId: 'o', purpose: 'signing-key', keyVersion: 3 } as const;
  const before = createVault(masterKeysOf('old'), random);
  const both = createVault(masterKeysOf('new', 'old'), random);
  const after = createVault(masterKeysOf('new'), random);

  it('a rewrapped secret keeps its content, and opens under the new key alone', () => {
    const sealed = before.sealer(NOTHING).seal(Buffer.from('secreto'), label);
    const next = both.sealer(NOTHING).rewrap(sealed, label);
    expect(next.ciphertext).toBe(sealed.ciphertext);
    expect(after.open(next, label).toString()).toBe('secreto');
    expect(() => before.open(next, label)).toThrow(/not among MASTER_KEYS/);
    expect(both.sealer(NOTHING).rewrap(next, label)).toBe(next);
  });

  it('a rewrap requires the former key and the right label', () => {
    const sealed = before.sealer(NOTHING).seal(Buffer.from('secreto'), label);
    expect(() => after.sealer(NOTHING).rewrap(sealed, label)).toThrow(/not among MASTER_KEYS/);
    expect(() => both.sealer(NOTHING).rewrap(sealed, { ...label, keyVersion: 4 })).toThrow(/label/);
  });
});

describe('a token of the vault', () => {
  const [first, second] = [newMasterKey(), newMasterKey().replace('k1', 'k2')];
  const vault = createVault(keys(first), random);
  const content = Buffer.from('{"keys":[]}');
  const token = vault.sealToken(content, 'session');

  it('a token opens for its purpose, also under a former master key', () => {
    expect(token).toMatch(/^k1\.[\w-]+$/);
    expect(vault.openToken(token, 'session')).toEqual(content);
    expect(createVault(keys(`${second},${first}`), random).openToken(token, 'session')).toEqual(content);
    expect(vault.sealToken(content, 'session')).not.toBe(token);
  });

  it.each([
    { name: 'another purpose', given: token, purpose: 'other' },
    {
      name: 'a changed letter',
      given: token.replace(/\.(.)/, (_all, one) => (one === 'A' ? '.B' : '.A')),
      purpose: 'session',
    },
    { name: 'a shorter text', given: token.slice(0, -8), purpose: 'session' },
    { name: 'no content', given: 'k1.', purpose: 'session' },
    { name: 'an unknown key', given: token.replace('k1', 'k3'), purpose: 'session' },
    { name: 'nothing', given: '', purpose: 'session' },
  ])('a token does not open with $name', ({ given, purpose }) => {
    expect(vault.openToken(given, purpose)).toBeNull();
  });

  it('a token does not open under another master key of the same id', () => {
    expect(createVault(keys(newMasterKey()), random).openToken(token, 'session')).toBeNull();
  });
});
