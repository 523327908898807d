import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type MasterKeys, newMasterKey, parseMasterKeys } from './master-keys.js';
import { createVault, type SecretLabel } from './vault.js';

const random = { bytes: (count: number) => randomBytes(count) };
const label: SecretLabel = { tenantId: 't', ownerId: 'i', purpose: 'signing-key', keyVersion: 1 };

function keys(text: string): MasterKeys {
  const parsed = parseMasterKeys(text);
  if ('message' in parsed) throw new Error(parsed.message);
  return parsed;
}

describe('master keys', () => {
  const text = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;

  it('are read in their order, the current one first', () => {
    const { currentId, byId } = keys(` ${text('b', 1)} ,${text('a-1_x', 2)}`);
    expect(currentId).toBe('b');
    expect([...byId]).toEqual([
      ['b', Buffer.alloc(32, 1)],
      ['a-1_x', Buffer.alloc(32, 2)],
    ]);
    expect(keys(newMasterKey()).byId.get('k1')).toHaveLength(32);
    expect(newMasterKey()).not.toBe(newMasterKey());
  });

  it.each([
    '',
    'k1',
    text('', 1),
    text('k 1', 1),
    text('k'.repeat(33), 1),
    `k1:${Buffer.alloc(31).toString('base64')}`,
    `k1:${Buffer.alloc(33).toString('base64')}`,
    `${text('k1', 1)},`,
    `${text('k1', 1)},${text('k1', 2)}`,
    `${text('k1', 1)}x`,
  ])('are refused: %j', (wrong) => {
    expect(parseMasterKeys(wrong)).toHaveProperty('message', expect.stringContaining('32 bytes'));
  });
});

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
