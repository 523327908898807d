import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { rotateMasterKey } from '../admin/key-rotation.js';
import { startServer } from '../server.js';
import { masterKeySettings } from '../testing/master-keys.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer, type TestServerOptions } from '../testing/test-server.js';
import { createDocument, postJson, registerTenant, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';

const OPERATOR = { actor: 'ana', channel: 'CLI' } as const;

describeOnDatabases('the master key', await databaseKinds(), (open) => {
  let first: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    first = await open({ settings: masterKeySettings('old') });
    tenant = await registerTenant(first);
  });

  /** A server beside the first with other master keys, and what it says of itself. */
  async function beside(settings: Readonly<Record<string, string>>) {
    const errors: string[] = [];
    const logger: NonNullable<TestServerOptions['logger']> = {
      info: () => {},
      warn: () => {},
      error: (fields) => void errors.push(String(fields['error'])),
    };
    const server = await open({ beside: first, settings, logger });
    const ready = async () => {
      errors.length = 0;
      const response = await server.request('/readyz');
      const { checks } = (await response.json()) as { checks: { masterKey: boolean } };
      return { status: response.status, masterKey: checks.masterKey, errors: [...errors] };
    };
    return { server, ready };
  }

  it('that is there makes the server ready', async () => {
    const { ready } = await beside(masterKeySettings('old'));
    expect(await ready()).toEqual({ status: 200, masterKey: true, errors: [] });
  });

  it('that is missing is told by its name; what needs it is refused, and nothing is lost', async () => {
    const { server, ready } = await beside(masterKeySettings('new'));
    const told = 'MASTER_KEYS lacks old, which stored keys were sealed with.';
    expect(await ready()).toEqual({ status: 503, masterKey: false, errors: [told] });
    const refused = await postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
    expect(refused.status).toBe(500);
    expect(await refused.text()).not.toMatch(/MASTER_KEYS|old/);
    // No number was used up: the server that has the key gives the first one.
    expect(await createDocument(first, tenant)).toMatchObject({ sequential: '000000001' });
  });

  it('that is another one under the same name is told as such', async () => {
    const { ready } = await beside({ MASTER_KEYS: `old:${randomBytes(32).toString('base64')}` });
    const told = 'MASTER_KEYS has another key under the name old than stored keys were sealed with.';
    expect(await ready()).toEqual({ status: 503, masterKey: false, errors: [told] });
  });

  it('a row that is broken for itself is not taken for a wrong key', async () => {
    const other = await registerTenant(first);
    const setKey = (wrapped_key: string) =>
      first.services.database.transaction((tables) =>
        tables
          .updateTable('issuer_certificates')
          .set({ wrapped_key })
          .where('issuer_id', '=', other.issuerId)
          .execute(),
      );
    const { wrapped_key: kept } = await first.services.database.read((tables) =>
      tables
        .selectFrom('issuer_certificates')
        .select('wrapped_key')
        .where('issuer_id', '=', other.issuerId)
        .executeTakeFirstOrThrow(),
    );
    await setKey('AAAA');
    const { ready } = await beside(masterKeySettings('old'));
    expect(await ready()).toMatchObject({ status: 200, masterKey: true });
    await setKey(kept);
  });

  describe('changed half-way', () => {
    let half: TestServer;
    beforeAll(async () => {
      // Everything so far is under the former key; what comes now is under the new one.
      half = (await beside(masterKeySettings('new', 'old'))).server;
    });

    it('both kinds of rows can be read while both keys are there, and only then', async () => {
      const later = await registerTenant(half);
      await createDocument(half, tenant);
      await createDocument(half, later);
      expect((await half.request('/readyz')).status).toBe(200);
      const { ready: without } = await beside(masterKeySettings('new'));
      expect((await without()).errors).toEqual(['MASTER_KEYS lacks old, which stored keys were sealed with.']);
      const { ready: tooEarly } = await beside(masterKeySettings('old'));
      expect((await tooEarly()).errors).toEqual(['MASTER_KEYS lacks new, which stored keys were sealed with.']);
    });

    it('the former one is needed for as long as a mail that waits was sealed with it', async () => {
      await half.tick();
      const waiting = await registerTenant(first);
      await rotateMasterKey(half.services, OPERATOR);
      const { ready } = await beside(masterKeySettings('new'));
      expect(await ready()).toMatchObject({ status: 200 });
      await first.services.database.transaction((tables) =>
        tables
          .updateTable('mail_outbox')
          .set({ master_key_id: 'old' })
          .where('tenant_id', '=', waiting.tenantId)
          .where('status', '=', 'PENDING')
          .execute(),
      );
      expect((await ready()).errors).toEqual(['MASTER_KEYS lacks old, which stored keys were sealed with.']);
    });
  });
});

describe('a server without a master key', () => {
  it('does not start in production, and says how to make one', async () => {
    const settings = { NODE_ENV: 'production', DATA_DIR: '/nonexistent' };
    await expect(startServer(settings)).rejects.toThrow(/MASTER_KEYS/);
  });

  it.each(['k1:short', 'k1', ':AAAA', `k1:${'A'.repeat(43)}=,k1:${'A'.repeat(43)}=`])(
    'does not start with %j',
    async (MASTER_KEYS) => {
      await expect(startServer({ MASTER_KEYS, DATA_DIR: '/nonexistent' })).rejects.toThrow(/MASTER_KEYS/);
    },
  );
});
