import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { rotateMasterKey } from '../../operator/rotate-master-key.js';
import { startServer } from '../../server.js';
import { changeRows, readRow } from '../../testing/change-rows.js';
import { masterKeySettings } from '../../testing/master-keys.js';
import { everyDatabaseKind } from '../../testing/test-databases.js';
import { describeOnDatabases, type TestServer, type TestServerOptions } from '../../testing/test-server.js';
import {
  createDocument,
  postJson,
  register,
  registerTenant,
  SIMPLE_INVOICE,
  type TestTenant,
} from '../../testing/test-tenant.js';
import { readRememberedKeys, replaceRememberedKeys } from './remembered-key-rows.js';
import { forgetUnusedKeys, openSealer, takeUpMasterKeys } from './sealing.js';
import { countByMasterKey } from './secret-rows.js';

/** Registrations of two accounts, from two networks. */
const FORMS = [
  { email: 'uno@ejemplo.ec', ruc: '1791888888001' },
  { email: 'dos@ejemplo.ec', ruc: '1791777777001' },
] as const;
const OPERATOR = { actor: 'ana', channel: 'CLI' } as const;

describeOnDatabases('the master key', await everyDatabaseKind(), (open) => {
  let first: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    first = await open({ settings: masterKeySettings('old') });
    tenant = await registerTenant(first);
  });

  /** A second server with other master keys, and its readiness. */
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

  it('a server with the right master key is ready', async () => {
    const { ready } = await beside(masterKeySettings('old'));
    expect(await ready()).toEqual({ status: 200, masterKey: true, errors: [] });
  });

  it('a missing master key is reported by its id, and a create is rejected without using a number', async () => {
    const { server, ready } = await beside(masterKeySettings('new'));
    const reported = 'The master key old is missing, which stored secrets are sealed with.';
    expect(await ready()).toEqual({ status: 503, masterKey: false, errors: [reported] });
    const refused = await postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
    expect(refused.status).toBe(500);
    expect(await refused.text()).not.toMatch(/MASTER_KEYS|old/);
    // No number was used: the server with the key uses the first number.
    expect(await createDocument(first, tenant)).toMatchObject({ sequential: '000000001' });
  });

  it('another master key under the same id is reported as different', async () => {
    const { ready } = await beside({ MASTER_KEYS: `old:${randomBytes(32).toString('base64')}` });
    const reported = 'The master key old is another one than stored secrets are sealed with.';
    expect(await ready()).toEqual({ status: 503, masterKey: false, errors: [reported] });
  });

  it('a damaged row is not taken for a wrong master key', async () => {
    const other = await registerTenant(first);
    const setKey = (wrapped_key: string) =>
      changeRows(first, 'issuer_certificates', { issuer_id: other.issuerId }, { wrapped_key });
    const { wrapped_key: kept } = await readRow(first, 'issuer_certificates', { issuer_id: other.issuerId });
    await setKey('AAAA');
    const { ready } = await beside(masterKeySettings('old'));
    expect(await ready()).toMatchObject({ status: 200, masterKey: true });
    await setKey(kept);
  });

  it('a server without the right master key stores nothing and answers 503', async () => {
    const count = () =>
      first.services.database.read(async (tables) => ({
        tenants: (await tables.selectFrom('tenants').select('id').execute()).length,
        mails: (await tables.selectFrom('jobs').select('id').where('kind', '=', 'MAIL').execute()).length,
        endpoints: (await tables.selectFrom('webhook_endpoints').select('id').execute()).length,
        keys: await countByMasterKey(tables),
        remembered: await readRememberedKeys(tables),
      }));
    const before = await count();
    for (const settings of [masterKeySettings('new'), { MASTER_KEYS: `old:${randomBytes(32).toString('base64')}` }]) {
      const { server } = await beside(settings);
      const registered = await register(server, { email: 'otra@ejemplo.ec', ruc: '1791999999001' });
      expect([registered.status, registered.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await registered.text()).not.toMatch(/MASTER_KEYS|old/);
      await expect(rotateMasterKey(server.services, OPERATOR)).rejects.toThrow(/The master key old is/);
    }
    expect(await count()).toEqual(before);
    await registerTenant(first);
  });

  it('a single master key seals when two processes start on an empty database', async () => {
    const one = await open({ settings: masterKeySettings('one') });
    const two = await open({ beside: one, settings: masterKeySettings('two') });
    const outcomes = await Promise.all([one, two].map((server, index) => register(server, FORMS[index])));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([201, 503]);
    const keys = await one.services.database.read(countByMasterKey);
    expect(keys.size).toBe(1);
  });

  it('a start forgets a remembered master key that seals nothing, and no other', async () => {
    const server = await open({ settings: masterKeySettings('old') });
    await registerTenant(server);
    await remember(server, { old: server.services.vault.checkValue('old') ?? '', gone: 'x' });
    expect((await register(server, FORMS[0])).status).toBe(503);
    await takeUp(server);
    expect(await remembered(server)).toEqual(['old']);
    expect((await register(server, FORMS[0])).status).toBe(201);
    const other = await open({ beside: server, settings: masterKeySettings('new') });
    await expect(takeUp(other)).rejects.toThrow('The master key old is missing');
    expect(await remembered(server)).toEqual(['old']);
  });

  it('a master key that another transaction begins to seal with is not forgotten', async () => {
    const server = await open({ settings: masterKeySettings('old') });
    await registerTenant(server);
    const { services } = await open({ beside: server, settings: masterKeySettings('new', 'old') });
    const { database, vault, clock } = services;
    const begun = Promise.withResolvers<void>();
    const sealing = database.transaction(async (tables) => {
      await openSealer(tables, vault, clock.now());
      begun.resolve();
      await setTimeout(50); // the other transaction waits for this one
      await tables.updateTable('issuer_certificates').set({ master_key_id: 'new' }).execute();
    });
    await begun.promise;
    await database.transaction((tables) => forgetUnusedKeys(tables, clock.now()));
    await sealing;
    expect(await remembered(server)).toContain('new');
  });

  describe('a half-way change of the master key', () => {
    let half: TestServer;
    beforeAll(async () => {
      // All secrets so far are under the former key; new secrets are under the new key.
      half = (await beside(masterKeySettings('new', 'old'))).server;
    });

    it('a server opens the rows of both master keys only while both are configured', async () => {
      const later = await registerTenant(half);
      await createDocument(half, tenant);
      await createDocument(half, later);
      expect((await half.request('/readyz')).status).toBe(200);
      const { ready: without } = await beside(masterKeySettings('new'));
      expect((await without()).errors).toEqual([
        'The master key old is missing, which stored secrets are sealed with.',
      ]);
      const { ready: tooEarly } = await beside(masterKeySettings('old'));
      expect((await tooEarly()).errors).toEqual([
        'The master key new is missing, which stored secrets are sealed with.',
      ]);
    });

    it('a former master key is needed again after a server has sealed with it', async () => {
      await rotateMasterKey(half.services, OPERATOR);
      const { ready } = await beside(masterKeySettings('new'));
      expect(await ready()).toMatchObject({ status: 200 });
      await registerTenant((await beside(masterKeySettings('old', 'new'))).server);
      expect((await ready()).errors).toEqual(['The master key old is missing, which stored secrets are sealed with.']);
    });
  });
});

/** The ids of the master keys that a server's database remembers. */
async function remembered({ services }: TestServer): Promise<readonly string[]> {
  return [...(await services.database.read(readRememberedKeys)).keys()];
}

const remember = ({ services }: TestServer, checks: Readonly<Record<string, string>>) =>
  services.database.transaction((tables) => replaceRememberedKeys(tables, new Map(Object.entries(checks))));

/** The check of master keys at a server's start. */
const takeUp = ({ services: { database, vault, clock } }: TestServer) =>
  database.transaction((tables) => takeUpMasterKeys(tables, vault, clock.now()));

describe('a server without a master key', () => {
  it('a server without a master key does not start in production, and the error names MASTER_KEYS', async () => {
    const settings = { NODE_ENV: 'production', DATA_DIR: '/nonexistent' };
    await expect(startServer(settings)).rejects.toThrow(/MASTER_KEYS/);
  });

  it.each(['k1:short', 'k1', ':AAAA', `k1:${'A'.repeat(43)}=,k1:${'A'.repeat(43)}=`])(
    'a server does not start with the master key %j',
    async (MASTER_KEYS) => {
      await expect(startServer({ MASTER_KEYS, DATA_DIR: '/nonexistent' })).rejects.toThrow(/MASTER_KEYS/);
    },
  );
});
