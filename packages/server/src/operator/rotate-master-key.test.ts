import { FIRST_ID } from 'sri-storage-adapters';
import { beforeAll, expect, it } from 'vitest';
import { listForeignSecrets, SECRET_KINDS } from '../platform/secrets/secret-rows.js';
import { changeTenant, readRows } from '../testing/change-rows.js';
import { masterKeySettings } from '../testing/master-keys.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { createDocument, postJson, registerTenant, type TestTenant } from '../testing/test-tenant.js';
import { readEndpoints, updateEndpoint } from '../webhooks/endpoint-rows.js';
import { rotateMasterKey } from './rotate-master-key.js';

const OPERATOR = { actor: 'ana', channel: 'CLI' } as const;
const ISSUERS = 200;

describeOnDatabases('changing the master key', await databaseKinds(), (open) => {
  let before: TestServer;
  let server: TestServer;
  let tenant: TestTenant;

  beforeAll(async () => {
    before = await open({ settings: masterKeySettings('old') });
    tenant = await registerTenant(before);
    await copyIssuer(before, tenant, ISSUERS);
    await changeTenant(before, tenant, { status: 'ACTIVE', subscription_tier: 'BUSINESS' });
    const created = await postJson(before, '/v1/webhooks', tenant.auth, { url: 'https://hooks.example.com/x' });
    const { endpoint } = (await created.json()) as { endpoint: { id: string } };
    await postJson(before, `/v1/webhooks/${endpoint.id}/rotate-secret`, tenant.auth, {});
    // Every server has both keys before the first secret moves.
    server = await open({ beside: before, settings: masterKeySettings('new', 'old') });
  });

  /** More issuers of the account, each with its own sealed copy of the certificate. */
  async function copyIssuer(of: TestServer, { tenantId, issuerId }: TestTenant, count: number): Promise<void> {
    const { database, vault } = of.services;
    await database.transaction(async (tables) => {
      const issuer = await tables
        .selectFrom('issuers')
        .selectAll()
        .where('id', '=', issuerId)
        .executeTakeFirstOrThrow();
      const kept = await tables
        .selectFrom('issuer_certificates')
        .selectAll()
        .where('issuer_id', '=', issuerId)
        .executeTakeFirstOrThrow();
      const { master_key_id: masterKeyId, wrapped_key: wrappedKey, sealed_key: ciphertext } = kept;
      const label = { tenantId, purpose: 'signing-key', keyVersion: kept.key_version } as const;
      const key = vault.open({ masterKeyId, wrappedKey, ciphertext }, { ...label, ownerId: issuerId });
      for (let made = 0; made < count; made += 1) {
        const id = `00000000-0000-7000-8000-${made.toString().padStart(12, '0')}`;
        const codes = { branch_code: '002', issue_point_code: made.toString().padStart(3, '0') };
        await tables
          .insertInto('issuers')
          .values({ ...issuer, id, ...codes })
          .execute();
        await tables
          .insertInto('issuer_document_types')
          .values({ issuer_id: id, document_type: '01', active: 1, initial_sequential: null })
          .execute();
        const sealed = vault.sealer(new Map()).seal(key, { ...label, ownerId: id });
        await tables
          .insertInto('issuer_certificates')
          .values({ ...kept, issuer_id: id, wrapped_key: sealed.wrappedKey, sealed_key: sealed.ciphertext })
          .execute();
      }
    });
  }

  const withIssuer = (id: string): TestTenant => ({ ...tenant, headers: { ...tenant.auth, 'x-issuer-id': id } });
  const issuerIds = Array.from(
    { length: ISSUERS },
    (_, made) => `00000000-0000-7000-8000-${made.toString().padStart(12, '0')}`,
  );

  it('a change of the master key fails no signature of 200 issuers, and releases the former key', async () => {
    let signed = 0;
    let rotating = true;
    async function sign(offset: number): Promise<void> {
      for (let turn = offset; rotating || turn < ISSUERS; turn += 4) {
        await createDocument(server, withIssuer(issuerIds[turn % ISSUERS] ?? ''));
        signed += 1;
      }
    }
    const signing = [0, 1, 2, 3].map(sign);
    const rotation = await rotateMasterKey(server.services, OPERATOR).finally(() => {
      rotating = false;
    });
    await Promise.all(signing);
    expect(signed).toBeGreaterThanOrEqual(ISSUERS);
    expect(rotation).toEqual({
      currentMasterKeyId: 'new',
      rewrapped: { certificate: ISSUERS + 1, mail: 1, webhook: 1, formerWebhook: 1 },
      unreadable: [],
      stillNeeded: {},
    });

    const alone = await open({ beside: before, settings: masterKeySettings('new') });
    for (const id of [tenant.issuerId, ...issuerIds]) await createDocument(alone, withIssuer(id));
    await alone.tick();
    expect(await alone.mails()).toHaveLength(1);
  });

  it('a second change of the master key moves nothing, and the record has both runs', async () => {
    const rows = () =>
      server.services.database.read((tables) =>
        tables.selectFrom('issuer_certificates').select(['issuer_id', 'wrapped_key']).orderBy('issuer_id').execute(),
      );
    const kept = await rows();
    const { rewrapped, stillNeeded } = await rotateMasterKey(server.services, OPERATOR);
    expect([rewrapped, stillNeeded]).toEqual([{ certificate: 0, mail: 0, webhook: 0, formerWebhook: 0 }, {}]);
    expect(await rows()).toEqual(kept);
    const entries = await readRows(server, 'admin_audit', { action: 'keys.rotate-master' });
    expect(entries.map(({ state_after }) => JSON.parse(state_after ?? '{}').step)).toEqual([
      'started',
      'finished',
      'started',
      'finished',
    ]);
    expect(JSON.stringify(entries)).not.toContain(kept[0]?.wrapped_key);
  });

  it('a change of the master key continues after an interruption, and names secrets that no key opens', async () => {
    const third = await open({ beside: before, settings: masterKeySettings('third', 'new') });
    const { database, vault } = third.services;
    // One page of secrets was done.
    const [page] = await Promise.all([
      database.read((tables) =>
        listForeignSecrets(tables, 'certificate', { masterKeyId: 'third', after: FIRST_ID, limit: 50 }),
      ),
    ]);
    expect(page).toHaveLength(50);
    await database.transaction(async (tables) => {
      for (const secret of page ?? []) {
        const label = { tenantId: secret.tenantId, ownerId: secret.ownerId, purpose: 'signing-key' } as const;
        const next = vault.sealer(new Map()).rewrap(secret.sealed, { ...label, keyVersion: secret.keyVersion });
        await tables
          .updateTable('issuer_certificates')
          .set({ master_key_id: next.masterKeyId, wrapped_key: next.wrappedKey })
          .where('issuer_id', '=', secret.ownerId)
          .execute();
      }
      await tables
        .updateTable('issuer_certificates')
        .set({ wrapped_key: 'AAAA' })
        .where('issuer_id', '=', issuerIds.at(-1) ?? '')
        .execute();
    });
    const rotation = await rotateMasterKey(third.services, OPERATOR);
    expect(rotation.rewrapped.certificate).toBe(ISSUERS + 1 - 50 - 1);
    expect(rotation.unreadable).toEqual([`certificate ${issuerIds.at(-1)}`]);
    expect(rotation.stillNeeded).toEqual({ new: 1 });
    const left = await database.read(async (tables) => {
      const found = SECRET_KINDS.map((kind) =>
        listForeignSecrets(tables, kind, { masterKeyId: 'third', after: FIRST_ID, limit: 9 }),
      );
      return (await Promise.all(found)).flat();
    });
    expect(left.map(({ ownerId }) => ownerId)).toEqual([issuerIds.at(-1)]);
  });

  it('a webhook read before the change of the master key and written after it keeps the new key', async () => {
    const fourth = await open({ beside: before, settings: masterKeySettings('fourth', 'third', 'new') });
    const { database } = fourth.services;
    const read = await database.read(async (tables) => {
      const rows = await tables.selectFrom('webhook_endpoints').select('id').execute();
      return readEndpoints(tables, new Set(rows.map(({ id }) => id)));
    });
    const { rewrapped } = await rotateMasterKey(fourth.services, OPERATOR);
    expect(rewrapped).toMatchObject({ webhook: 1, formerWebhook: 1 });
    await database.transaction(async (tables) => {
      for (const endpoint of read.values()) await updateEndpoint(tables, { ...endpoint, active: false });
    });
    for (const kind of ['webhook', 'formerWebhook'] as const) {
      const page = { masterKeyId: 'fourth', after: FIRST_ID, limit: 9 };
      expect(await database.read((tables) => listForeignSecrets(tables, kind, page))).toEqual([]);
    }
  });
});
