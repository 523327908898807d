import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openP12 } from 'sri-core';
import { describe, expect, it, vi } from 'vitest';
import { createStoredIssuers } from './issuers/issuer-source.js';
import { createLogger } from './platform/ops/logging.js';
import { readRememberedKeys, replaceRememberedKeys } from './platform/secrets/remembered-key-rows.js';
import { cleaningTask } from './tasks.js';
import { activeTenant } from './testing/production-tenant.js';
import { openTestServer, TEST_PASSWORD, TEST_RUC, type TestServer, testP12 } from './testing/test-server.js';
import { createDocument, postJson, registerTenant, type TestTenant } from './testing/test-tenant.js';
import { openReceiver } from './testing/webhook-receiver.js';

describe('secrets', () => {
  it('are in clear neither in the database nor in the logs, and a token only in its own mail', async () => {
    const lines: string[] = [];
    const logger = createLogger({ logLevel: 'trace', logFormat: 'json' }, { write: (line) => void lines.push(line) });
    const server = await openTestServer(null, { logger });
    const email = 'secreto@ejemplo.ec';
    const tenant = await activeTenant(server, { ruc: TEST_RUC, email });
    const bodies = [
      await (await postJson(server, '/v1/documents', { ...tenant.headers }, { a: TEST_PASSWORD })).text(),
    ];
    const { accessKey } = await createDocument(server, tenant);
    await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
    await server.tick();
    bodies.push(
      await (await server.request(`/v1/documents/${accessKey}/authorize`, { headers: tenant.headers })).text(),
    );
    const tokens = async () => (await server.mails()).flatMap((mail) => /\n([0-9a-f]{64})\n/.exec(mail)?.[1] ?? []);
    const [token = ''] = await tokens();
    bodies.push(await (await postJson(server, '/v1/verify-email', {}, { token: `${token}0` })).text());
    await postJson(server, '/v1/verify-email', {}, { token });
    const form = new FormData();
    form.set('cert', new Blob([Uint8Array.from(await testP12())]));
    form.set('certPassword', TEST_PASSWORD);
    form.set('email', email);
    const recovered = await server.request('/v1/recover', { method: 'POST', body: form });
    const { apiKey: newKey } = (await recovered.json()) as { apiKey: string };
    await server.tick();
    const newToken = (await tokens()).at(-1) ?? '';
    form.set('certPassword', `${TEST_PASSWORD}!`);
    bodies.push(await (await server.request('/v1/recover', { method: 'POST', body: form })).text());

    const { privateKey } = await openP12(await testP12(), TEST_PASSWORD);
    const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
    const { d = '' } = privateKey.export({ format: 'jwk' });
    const master = (await readFile(join(server.dataDir, 'master.key'), 'utf8')).trim().split(':')[1] ?? '';
    const secrets = {
      password: [Buffer.from(TEST_PASSWORD), Buffer.from(TEST_PASSWORD, 'utf16le').swap16()],
      // The end of the key, since its beginning is the modulus, which is public.
      privateKey: [
        pkcs8.subarray(-200, -100),
        Buffer.from(d, 'base64url').subarray(0, 48),
        Buffer.from(d.slice(4, 80)),
      ],
      base64: [Buffer.from(pkcs8.toString('base64').slice(-200, -100))],
      apiKey: [Buffer.from(tenant.apiKey), Buffer.from(newKey)],
      token: [Buffer.from(token), Buffer.from(newToken)],
      master: [Buffer.from(master), Buffer.from(master, 'base64')],
    };
    const places = {
      ...(await databaseFiles(server)),
      logs: Buffer.from(lines.join('')),
      bodies: Buffer.from(bodies.join('')),
    };
    expect(newToken).not.toBe(token);
    for (const one of [token, newToken]) {
      expect((await server.mails()).filter((mail) => mail.includes(one))).toHaveLength(1);
    }
    expect(lines.length).toBeGreaterThan(5);
    expect(Object.keys(places)).toContain('app.db');
    for (const [place, content] of Object.entries(places)) {
      for (const [name, forms] of Object.entries(secrets)) {
        for (const form of forms) expect(content.includes(form), `${name} in ${place}`).toBe(false);
      }
    }
    await server.close();
  });

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

  it('a key row moved to another issuer does not sign', async () => {
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
    const response = await postJson(
      server,
      '/v1/documents',
      thief.headers,
      (await import('./testing/test-tenant.js')).SIMPLE_INVOICE,
    );
    expect(response.status).toBe(500);
    await createDocument(server, victim);
    await server.close();
  });

  it('of webhooks are shown once, and are never stored or logged in clear, neither after a delivery nor after a failed one', async () => {
    const lines: string[] = [];
    const logger = createLogger({ logLevel: 'trace', logFormat: 'json' }, { write: (line) => void lines.push(line) });
    const receiver = await openReceiver();
    const server = await openTestServer(null, { logger, settings: { WEBHOOK_ALLOW_INSECURE: 'true' } });
    const { tenant, endpoint, secret } = await registerWebhook(server, receiver.url);
    const bodies: string[] = [];
    const call = async (method: string, path: string) => {
      const response = await server.request(`/v1/webhooks${path}`, { method, headers: tenant.auth });
      bodies.push(await response.text());
      return response.status;
    };
    for (const answer of [200, 500, 'nothing'] as const) {
      receiver.answer = answer;
      expect(await call('POST', `/${endpoint}/test`)).toBe(202);
      if (answer === 'nothing') receiver.close();
      await server.tick();
    }
    expect(receiver.seen.length).toBeGreaterThanOrEqual(2);
    await call('GET', '');
    await call('GET', `/${endpoint}/deliveries`);
    // Again after the row no longer opens: the log of the fault shows nothing either.
    await server.services.database.transaction((tables) =>
      tables.updateTable('webhook_endpoints').set({ secret_version: 7 }).execute(),
    );
    await call('POST', `/${endpoint}/test`);
    await server.tick();
    await call('GET', `/${endpoint}/deliveries`);
    expect(bodies.at(-1)).toContain('SECRET_UNREADABLE');

    const encoded = secret.slice('whsec_'.length);
    const forms = [secret, encoded, encodeURIComponent(encoded)].map((text) => Buffer.from(text));
    forms.push(Buffer.from(encoded, 'base64'), Buffer.from(Buffer.from(secret).toString('base64')));
    const places = {
      ...(await databaseFiles(server)),
      logs: Buffer.from(lines.join('')),
      bodies: Buffer.from(bodies.join('')),
      deliveries: Buffer.from(JSON.stringify(receiver.seen)),
    };
    expect(lines.join('')).toContain('webhook attempt');
    for (const [place, content] of Object.entries(places)) {
      for (const form of forms) expect(content.includes(form), place).toBe(false);
    }
    await server.close();
  });

  it.each([
    ['endpoint', true],
    ['account', false],
  ])('a webhook secret moved to another %s does not open, and nothing is sent', async (_, isSameAccount) => {
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
    receiver.close();
    await server.close();
  });

  it('of webhooks make a server not ready when their master key is missing, and deliveries wait for it', async () => {
    const receiver = await openReceiver();
    const server = await openTestServer(null, { settings: { WEBHOOK_ALLOW_INSECURE: 'true' } });
    const { tenant, endpoint } = await registerWebhook(server, receiver.url);
    const ready = async () => {
      const response = await server.request('/readyz');
      return [response.status, ((await response.json()) as { checks: { masterKey: boolean } }).checks.masterKey];
    };
    expect(await ready()).toEqual([200, true]);
    const [row] = await server.services.database.read((tables) =>
      tables.selectFrom('webhook_endpoints').select('secret').execute(),
    );
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
    await server.clock.advance(60_000);
    await server.tick();
    expect(receiver.seen).toHaveLength(1);
    receiver.close();
    await server.close();
  });

  it('the text log is one readable line per event', () => {
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
  await server.services.database.transaction((tables) =>
    tables.updateTable('tenants').set({ status: 'ACTIVE', subscription_tier: 'BUSINESS' }).execute(),
  );
  const response = await postJson(server, '/v1/webhooks', tenant.auth, { url });
  expect(response.status).toBe(201);
  const { endpoint, secret } = (await response.json()) as { endpoint: { id: string }; secret: string };
  return { tenant, endpoint: endpoint.id, secret };
}

async function databaseFiles(server: TestServer): Promise<Record<string, Buffer>> {
  const files = (await readdir(server.dataDir)).filter((file) => file.startsWith('app.db'));
  const entries = files.map(async (file) => [file, await readFile(join(server.dataDir, file))] as const);
  return Object.fromEntries(await Promise.all(entries));
}
