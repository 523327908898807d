import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { masterKeysOf } from '../testing/master-keys.js';
import { type MasterKeys, newMasterKey, parseMasterKeys } from './master-keys.js';
import { createVault, type SecretLabel } from './vault.js';

const random = { bytes: (count: number) => randomBytes(count) };
const label: SecretLabel = { tenantId: 't', ownerId: 'i', purpose: 'signing-key', keyVersion: 1 };

function keys(text: string): MasterKeys {
  const parsed = parseMasterKeys(text);
  if ('message' in parsed) throw new Error(parsed.message);
  return parsed;
}

describe('the vault', () => {
  it('names the key it seals with, and knows those it has', () => {
    const vault = createVault(keys(newMasterKey()), random);
    expect(vault.currentMasterKeyId).toBe('k1');
    expect([vault.knows('k1'), vault.knows('k2')]).toEqual([true, false]);
  });

  it('says of what failed that it is a secret, and keeps the cause', () => {
    const vault = createVault(keys(newMasterKey()), random);
    const sealed = vault.seal(Buffer.from('clave'), label);
    expect(Buffer.from(sealed.wrappedKey, 'base64')).toHaveLength(12 + 32 + 16);
    expect(Buffer.from(sealed.ciphertext, 'base64')).toHaveLength(12 + 5 + 16);
    expect(() => vault.open(sealed, { ...label, ownerId: 'other' })).toThrow(
      expect.objectContaining({ name: 'SecretUnreadableError', cause: expect.any(Error) }),
    );
  });

  it('opens what it sealed, and never seals the same way twice', () => {
    const vault = createVault(keys(newMasterKey()), random);
    const sealed = vault.seal(Buffer.from('clave'), label);
    expect(vault.open(sealed, label).toString()).toBe('clave');
    expect(vault.seal(Buffer.from('clave'), label).ciphertext).not.toBe(sealed.ciphertext);
    expect(JSON.stringify(sealed)).not.toContain('clave');
  });

  it.each([
    { name: 'another account', other: { tenantId: 'u' } },
    { name: 'another issuer', other: { ownerId: 'j' } },
    { name: 'another purpose', other: { purpose: 'mail-token' } },
    { name: 'another version', other: { keyVersion: 2 } },
  ] as const)('refuses a row moved to $name', ({ other }) => {
    const vault = createVault(keys(newMasterKey()), random);
    const sealed = vault.seal(Buffer.from('clave'), label);
    expect(() => vault.open(sealed, { ...label, ...other })).toThrow(
      expect.objectContaining({ code: 'SECRET_UNREADABLE' }),
    );
  });

  it.each(['wrappedKey', 'ciphertext'] as const)('refuses a changed %s', (part) => {
    const vault = createVault(keys(newMasterKey()), random);
    const sealed = vault.seal(Buffer.from('clave'), label);
    const bytes = Buffer.from(sealed[part], 'base64');
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    expect(() => vault.open({ ...sealed, [part]: bytes.toString('base64') }, label)).toThrow(/does not open/);
    expect(() => vault.open({ ...sealed, [part]: 'AAAA' }, label)).toThrow(/does not open/);
  });

  it('seals with the first master key and opens with any', () => {
    const [old, fresh] = [newMasterKey(), newMasterKey().replace('k1', 'k2')];
    const sealed = createVault(keys(old), random).seal(Buffer.from('clave'), label);
    const rotated = createVault(keys(`${fresh},${old}`), random);
    expect(rotated.open(sealed, label).toString()).toBe('clave');
    expect(rotated.seal(Buffer.from('x'), label).masterKeyId).toBe('k2');
    expect(() => createVault(keys(fresh), random).open(sealed, label)).toThrow(/k1 is not among MASTER_KEYS/);
  });
});

describe('wrapping a secret anew', () => {
  const label = { tenantId: 't', ownerId: 'o', purpose: 'signing-key', keyVersion: 3 } as const;
  const before = createVault(masterKeysOf('old'), random);
  const both = createVault(masterKeysOf('new', 'old'), random);
  const after = createVault(masterKeysOf('new'), random);

  it('leaves its content, which opens under the new key alone from then on', () => {
    const sealed = before.seal(Buffer.from('secreto'), label);
    const next = both.rewrap(sealed, label);
    expect(next.ciphertext).toBe(sealed.ciphertext);
    expect(after.open(next, label).toString()).toBe('secreto');
    expect(() => before.open(next, label)).toThrow(/not among MASTER_KEYS/);
    expect(both.rewrap(next, label)).toBe(next);
  });

  it('needs the former key and the right label', () => {
    const sealed = before.seal(Buffer.from('secreto'), label);
    expect(() => after.rewrap(sealed, label)).toThrow(/not among MASTER_KEYS/);
    expect(() => both.rewrap(sealed, { ...label, keyVersion: 4 })).toThrow(/label/);
  });
});
