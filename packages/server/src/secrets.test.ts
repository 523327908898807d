import { describe, expect, it, vi } from 'vitest';
import { createStoredIssuers } from './issuers/issuer-source.js';
import { createLogger } from './platform/ops/logging.js';
import { readRememberedKeys, replaceRememberedKeys } from './platform/secrets/remembered-key-rows.js';
import { cleaningTask } from './tasks.js';
import { changeTenant, readRows } from './testing/change-rows.js';
import { openTestServer, type TestServer } from './testing/test-server.js';
import { createDocument, postJson, registerTenant, SIMPLE_INVOICE, type TestTenant } from './testing/test-tenant.js';
import { openReceiver } from './testing/webhook-receiver.js';

describe('secrets', () => {
  it('opened keys leave memory after a minute', async () => {
    const server = await openTestServer();
    const { issuerId } = await registerTenant(server);
    const { database, vault, limits } = server.services;
    const issuers = createStoredIssuers(database, vault);
    const held = () => issuers.occupancies['signers']?.().used;
    const time = vi.spyOn(performance, 'now').mockReturnValue(0);
    try {
      await issuers.find(issuerId);
      expect(held()).toBe(1);
      // The next cleaning comes up to an interval later.
      const { run, intervalMs } = cleaningTask(issuers, limits);
      time.mockReturnValue(60_000 - intervalMs);
      await run(new AbortController().signal);
      expect(held()).toBe(0);
    } finally {
      time.mockRestore();
      await server.close();
    }
  });

  it('a row of a signing key does not sign for another issuer', async () => {
    const server = await openTestServer();
    const [victim, thief] = [await registerTenant(server), await registerTenant(server)];
    await server.services.database.transaction(async (tables) => {
      const stolen = await tables
        .selectFrom('issuer_certificates')
        .select(['wrapped_key', 'sealed_key', 'certificate', 'fingerprint'])
        .where('issuer_id', '=', victim.issuerId)
        .executeTakeFirstOrThrow();
      await tables.updateTable('issuer_certificates').set(stolen).where('issuer_id', '=', thief.issuerId).execute();
    });
    const response = await postJson(server, '/v1/documents', thief.headers, SIMPLE_INVOICE);
    expect(response.status).toBe(500);
    await createDocument(server, victim);
    await server.close();
  });

  it.each([
    ['endpoint', true],
    ['account', false],
  ])(
    'a webhook secret moved to another %s does not open, and no delivery leaves before its rotation',
    async (_, isSameAccount) => {
      const receiver = await openReceiver();
      const server = await openTestServer(null, { settings: { WEBHOOK_ALLOW_INSECURE: 'true' } });
      const victim = await registerWebhook(server, receiver.url);
      const thief = await registerWebhook(server, receiver.url, isSameAccount ? victim.tenant : undefined);
      await server.services.database.transaction(async (tables) => {
        const { secret } = await tables
          .selectFrom('webhook_endpoints')
          .select('secret')
          .where('id', '=', victim.endpoint)
          .executeTakeFirstOrThrow();
        await tables.updateTable('webhook_endpoints').set({ secret }).where('id', '=', thief.endpoint).execute();
      });
      const path = `/v1/webhooks/${thief.endpoint}`;
      expect((await postJson(server, `${path}/test`, thief.tenant.auth, {})).status).toBe(202);
      await server.tick();
      expect(receiver.seen).toEqual([]);
      const response = await server.request(`${path}/deliveries`, { headers: thief.tenant.auth });
      expect(await response.json()).toMatchObject({ data: [{ attemptCount: 1, lastError: 'SECRET_UNREADABLE' }] });
      expect((await postJson(server, `${path}/rotate-secret`, thief.tenant.auth, {})).status).toBe(200);
      await server.tickAfter(60_000);
      expect(receiver.seen).toHaveLength(1);
      receiver.close();
      await server.close();
    },
  );

  it('webhook secrets without their master key make the server not ready, and deliveries wait', async () => {
    const receiver = await openReceiver();
    const server = await openTestServer(null, { settings: { WEBHOOK_ALLOW_INSECURE: 'true' } });
    const { tenant, endpoint } = await registerWebhook(server, receiver.url);
    const ready = async () => {
      const response = await server.request('/readyz');
      return [response.status, ((await response.json()) as { checks: { masterKey: boolean } }).checks.masterKey];
    };
    expect(await ready()).toEqual([200, true]);
    const [row] = await readRows(server, 'webhook_endpoints');
    const remembered = await server.services.database.read(readRememberedKeys);
    const keep = (secret: string, keys: typeof remembered) =>
      server.services.database.transaction(async (tables) => {
        await tables.updateTable('webhook_endpoints').set({ secret }).execute();
        await replaceRememberedKeys(tables, keys);
      });
    const underGone = JSON.stringify({ ...JSON.parse(row?.secret ?? ''), masterKeyId: 'gone' });
    await keep(underGone, new Map([...remembered, ['gone', 'x']]));
    expect(await ready()).toEqual([503, false]);
    await postJson(server, `/v1/webhooks/${endpoint}/test`, tenant.auth, {});
    await server.tick();
    await keep(row?.secret ?? '', remembered);
    expect(await ready()).toEqual([200, true]);
    await server.tickAfter(60_000);
    expect(receiver.seen).toHaveLength(1);
    const response = await server.request(`/v1/webhooks/${endpoint}/deliveries`, { headers: tenant.auth });
    expect(await response.json()).toMatchObject({ data: [{ status: 'DELIVERED', attemptCount: 1 }] });
    receiver.close();
    await server.close();
  });

  it('the text log has one readable line per event', () => {
    const lines: string[] = [];
    const logger = createLogger({ logLevel: 'warn', logFormat: 'text' }, { write: (line) => void lines.push(line) });
    logger.info({}, 'not shown');
    logger.warn({ task: 'mail', error: 'no connection' }, 'a task failed');
    expect(lines).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3} warn {2}a task failed task=mail error="no connection"\n$/),
    ]);
  });
});

// --- internal ---

/** An endpoint of a verified account that may have some. */
async function registerWebhook(server: TestServer, url: string, owner?: TestTenant) {
  const tenant = owner ?? (await registerTenant(server));
  await changeTenant(server, tenant, { status: 'ACTIVE', subscription_tier: 'BUSINESS' });
  const response = await postJson(server, '/v1/webhooks', tenant.auth, { url });
  expect(response.status).toBe(201);
  const { endpoint, secret } = (await response.json()) as { endpoint: { id: string }; secret: string };
  return { tenant, endpoint: endpoint.id, secret };
}
