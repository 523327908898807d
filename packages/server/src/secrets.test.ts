import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openP12 } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { createLogger } from './logging.js';
import { openTestServer, TEST_PASSWORD, TEST_RUC, type TestServer, testP12 } from './testing/test-server.js';
import { createDocument, postJson, registerTenant } from './testing/test-tenant.js';

describe('secrets', () => {
  it('are in clear neither in the database nor in the logs, and a token only in its own mail', async () => {
    const lines: string[] = [];
    const logger = createLogger({ logLevel: 'trace', logFormat: 'json' }, { write: (line) => void lines.push(line) });
    const server = await openTestServer(null, { logger });
    const tenant = await registerTenant(server, { ruc: TEST_RUC });
    const bodies = [
      await (await postJson(server, '/v1/documents', { ...tenant.headers }, { a: TEST_PASSWORD })).text(),
    ];
    const { accessKey } = await createDocument(server, tenant);
    await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
    await server.tick();
    bodies.push(
      await (await server.request(`/v1/documents/${accessKey}/authorize`, { headers: tenant.headers })).text(),
    );
    const token = /\n([0-9a-f]{64})\n/.exec((await server.mails())[0] ?? '')?.[1] ?? 'missing';
    bodies.push(await (await postJson(server, '/v1/verify-email', {}, { token: `${token}0` })).text());
    await postJson(server, '/v1/verify-email', {}, { token });

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
      apiKey: [Buffer.from(tenant.apiKey)],
      token: [Buffer.from(token)],
      master: [Buffer.from(master), Buffer.from(master, 'base64')],
    };
    const places = {
      ...(await databaseFiles(server)),
      logs: Buffer.from(lines.join('')),
      bodies: Buffer.from(bodies.join('')),
    };
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
    const { ExpiringCache } = await import('./tenancy/expiring-cache.js');
    const cache = new ExpiringCache<string>({ ttlMs: 20, maxEntries: 2 });
    for (const name of ['a', 'b', 'c']) cache.set(name, name);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([null, 'b', 'c']);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([cache.get('b'), cache.get('c')]).toEqual([null, null]);
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

  it('logged by mistake are blotted out', () => {
    const lines: string[] = [];
    const logger = createLogger({ logLevel: 'info', logFormat: 'json' }, { write: (line) => void lines.push(line) });
    logger.info({ password: 'p1', body: { certPassword: 'p2', token: 'p3' }, apiKey: 'p4' }, 'oops');
    expect(lines.join('')).not.toMatch(/p[1234]/);
  });

  it('the text log is one readable line an event', () => {
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

async function databaseFiles(server: TestServer): Promise<Record<string, Buffer>> {
  const files = (await readdir(server.dataDir)).filter((file) => file.startsWith('app.db'));
  const entries = files.map(async (file) => [file, await readFile(join(server.dataDir, file))] as const);
  return Object.fromEntries(await Promise.all(entries));
}
