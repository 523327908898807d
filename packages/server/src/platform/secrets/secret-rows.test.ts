import { FIRST_ID } from 'sri-storage-adapters';
import { beforeAll, expect, it } from 'vitest';
import type { TenantContext } from '../../accounts/tenant.js';
import { storeSecret } from '../../testing/stored-secrets.js';
import { describeStores, storeTenant } from '../../testing/test-store.js';
import { countByMasterKey, listForeignSecrets, replaceSecret, SECRET_KINDS, type SecretKind } from './secret-rows.js';
import type { SealedSecret } from './vault.js';

const owner = (number: number) => `00000000-0000-7000-8000-${number.toString().padStart(12, '0')}`;
const sealedUnder = (masterKeyId: string, name: string): SealedSecret => ({
  masterKeyId,
  wrappedKey: `wrapped ${name}`,
  ciphertext: `content ${name}`,
});

await describeStores('sealed secrets', (store) => {
  let context: TenantContext;
  beforeAll(async () => {
    context = await storeTenant(store);
  });

  const foreign = (kind: SecretKind, masterKeyId: string, after: string = FIRST_ID, limit = 100) =>
    store.database.read((tables) => listForeignSecrets(tables, kind, { masterKeyId, after, limit }));
  const ownersOf = async (found: ReturnType<typeof foreign>) => (await found).map(({ ownerId }) => ownerId);
  const replace = (...args: [Parameters<typeof replaceSecret>[1], SealedSecret]) =>
    store.database.transaction((tables) => replaceSecret(tables, ...args));

  it('the kinds of sealed secrets are certificate, mail, webhook and former webhook', () => {
    expect(SECRET_KINDS).toEqual(['certificate', 'mail', 'webhook', 'formerWebhook']);
  });

  it('a database without accounts has no sealed secrets', async () => {
    expect(await store.database.read(countByMasterKey)).toEqual(new Map());
  });

  it.each(SECRET_KINDS)(
    'the secrets of the place %s are listed in order and by page, except under the requested key',
    async (kind) => {
      const base = 100 * (1 + SECRET_KINDS.indexOf(kind));
      // The last ids differ from the requested key in a character which is an SQL wildcard, and in its case.
      const keys = ['old', 'k_1', 'old', 'third', 'kx1', 'K_1'];
      for (const [index, masterKeyId] of [...keys.entries()].toReversed()) {
        const sealed = sealedUnder(masterKeyId, `${kind} ${index}`);
        await storeSecret(store, context, { kind, ownerId: owner(base + index), keyVersion: 3, sealed });
      }
      const keyVersion = kind === 'mail' ? 1 : 3;
      const found = (index: number) => ({
        kind,
        ownerId: owner(base + index),
        tenantId: context.tenant.id,
        keyVersion,
        sealed: sealedUnder(keys[index] ?? '', `${kind} ${index}`),
      });
      expect(await foreign(kind, 'k_1')).toEqual([0, 2, 3, 4, 5].map(found));
      expect(await foreign(kind, 'old')).toEqual([1, 3, 4, 5].map(found));
      expect(await foreign(kind, 'new', owner(base), 2)).toEqual([1, 2].map(found));
      expect(await foreign(kind, 'new', owner(base + 5))).toEqual([]);
    },
  );

  it('the secrets of all places are counted by their master key', async () => {
    const counts = await store.database.read(countByMasterKey);
    // Each webhook with a former secret also has a current secret.
    expect(Object.fromEntries(counts)).toEqual({ old: 8, k_1: 4, third: 4, kx1: 4, K_1: 4, present: 6 });
  });

  it.each(SECRET_KINDS)(
    'a secret of the place %s is replaced unless another process changed it first',
    async (kind) => {
      const before = await foreign(kind, 'new');
      const [first, second] = before.filter(({ sealed }) => sealed.masterKeyId === 'old');
      if (!first || !second) throw new Error('There are two of them.');
      const next = { ...first.sealed, masterKeyId: 'new', wrappedKey: 'wrapped again' };
      expect(await replace(first, next)).toBe(true);
      expect(await foreign(kind, 'new')).toEqual(before.filter(({ ownerId }) => ownerId !== first.ownerId));
      expect(await foreign(kind, 'none')).toContainEqual({ ...first, sealed: next });
      // The row that was read no longer exists.
      expect(await replace(first, { ...next, masterKeyId: 'late' })).toBe(false);
      expect(await replace({ ...second, ownerId: owner(9999) }, next)).toBe(false);
      expect(await ownersOf(foreign(kind, 'new'))).toContain(second.ownerId);
      expect(await foreign(kind, 'none')).toContainEqual({ ...first, sealed: next });
    },
  );

  it('a mail without a secret is skipped', async () => {
    const listed = await ownersOf(foreign('mail', 'none'));
    await storeSecret(store, context, { kind: 'mail', ownerId: owner(999), keyVersion: 1, sealed: null });
    expect(await ownersOf(foreign('mail', 'none'))).toEqual(listed);
    expect([...(await store.database.read(countByMasterKey)).keys()]).not.toContain(null);
  });

  it('a webhook with its first secret has no former secret', async () => {
    const listed = await ownersOf(foreign('formerWebhook', 'none'));
    const sealed = sealedUnder('only', 'first');
    await storeSecret(store, context, { kind: 'webhook', ownerId: owner(998), keyVersion: 1, sealed });
    expect(await ownersOf(foreign('formerWebhook', 'none'))).toEqual(listed);
    expect((await store.database.read(countByMasterKey)).get('only')).toBe(1);
  });
});
