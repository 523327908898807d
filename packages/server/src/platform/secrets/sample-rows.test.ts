import { beforeAll, expect, it } from 'vitest';
import type { TenantContext } from '../../accounts/tenant.js';
import { PRESENT, type SecretToStore, storeSecret } from '../../testing/stored-secrets.js';
import { describeStores, storeTenant } from '../../testing/test-store.js';
import { sampleSecrets } from './sample-rows.js';

const MINUTE_MS = 60_000;
const owner = (number: number) => `00000000-0000-7000-8000-${number.toString().padStart(12, '0')}`;

await describeStores('samples of the stored secrets', (store) => {
  let context: TenantContext;
  beforeAll(async () => {
    context = await storeTenant(store);
  });

  const samples = (now = store.clock.now()) => store.database.read((tables) => sampleSecrets(tables, now));
  const ofKind = async (kind: SecretToStore['kind'], now?: Date) =>
    (await samples(now)).filter((sample) => sample.kind === kind);
  const sealed = (masterKeyId: string, name: string) => ({ masterKeyId, wrappedKey: `w ${name}`, ciphertext: name });

  /** Stores secrets of one kind, numbered, each under the named master key. @returns the sample's entry for each. */
  async function storeAll(
    kind: SecretToStore['kind'],
    first: number,
    keys: readonly string[],
    rest: Partial<SecretToStore> = {},
  ) {
    const stored = [];
    for (const [index, masterKeyId] of keys.entries()) {
      const secret = {
        kind,
        ownerId: owner(first + index),
        keyVersion: 4,
        sealed: sealed(masterKeyId, `${first + index}`),
      };
      await storeSecret(store, context, { ...secret, ...rest });
      stored.push({ ...secret, tenantId: context.tenant.id });
    }
    return stored;
  }

  it('are empty for a server without accounts', async () => {
    expect(await samples()).toEqual([]);
  });

  it('are the first and the last certificate under each master key', async () => {
    const stored = await storeAll('certificate', 10, ['old', 'old', 'new', 'old', 'third']);
    expect(await samples()).toEqual([0, 2, 3, 4].map((index) => stored[index]));
  });

  it('are the first and the last waiting mail under each', async () => {
    const stored = await storeAll('mail', 20, ['old', 'old', 'old', 'new']);
    await storeAll('mail', 30, ['old', 'gone'], { status: 'SENT' });
    await storeAll('mail', 40, ['none'], { sealed: null });
    expect(await ofKind('mail')).toEqual([0, 2, 3].map((index) => ({ ...stored[index], keyVersion: 1 })));
  });

  it('are the first webhook in use under each', async () => {
    await storeAll('webhook', 50, ['old', 'gone'], { isActive: false });
    const stored = await storeAll('webhook', 60, ['old', 'old', 'new']);
    expect(await ofKind('webhook')).toEqual([stored[0], stored[2]]);
    expect(await ofKind('formerWebhook')).toEqual([]);
  });

  it('include the former secret of a webhook while it still signs', async () => {
    const now = store.clock.now().getTime();
    await storeAll('formerWebhook', 70, ['gone'], { isActive: false, formerUntil: new Date(now + 9 * MINUTE_MS) });
    const [short] = await storeAll('formerWebhook', 80, ['old'], { formerUntil: new Date(now + MINUTE_MS) });
    const [, long] = await storeAll('formerWebhook', 90, ['old', 'new'], {
      formerUntil: new Date(now + 2 * MINUTE_MS),
    });
    const [other] = await storeAll('formerWebhook', 93, ['old'], { formerUntil: new Date(now + 3 * MINUTE_MS) });
    // This one has no end, so it has ended.
    await storeAll('formerWebhook', 95, ['endless']);
    expect(await ofKind('formerWebhook')).toEqual([short, long]);
    expect(await ofKind('formerWebhook', new Date(now + MINUTE_MS - 1))).toContainEqual(short);
    const later = await ofKind('formerWebhook', new Date(now + MINUTE_MS));
    expect(later.map(({ ownerId }) => ownerId)).toEqual([owner(90), owner(91)]);
    const last = await ofKind('formerWebhook', new Date(now + 2 * MINUTE_MS));
    expect(last).toEqual([other]);
    // The webhooks themselves are sampled by their current secret, with its own version.
    const [present] = (await ofKind('webhook')).filter((sample) => sample.sealed.masterKeyId === PRESENT.masterKeyId);
    expect(present).toMatchObject({ ownerId: owner(80), keyVersion: 5, sealed: PRESENT });
  });
});
