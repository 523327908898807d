import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger, systemClock } from 'sri-core';
import { createSimulator, toNodeListener } from 'sri-core/simulator';
import { createTestP12 } from 'sri-core/testing';
import { describe, expect, it } from 'vitest';
import { startServer } from '../server.js';
import { databaseSettings } from '../testing/database-settings.js';
import { asWebApplication, WEB_SETTINGS } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import type { TestServer } from '../testing/test-server.js';
import { createDocument, postJson, registerTenant } from '../testing/test-tenant.js';

const RUC = '1792999999001';

/** Repeats a request until the answer is as expected, for five seconds at most. */
async function until<T>(ask: () => Promise<T>, isFine: (value: T) => boolean): Promise<T> {
  for (let round = 0; ; round += 1) {
    const value = await ask();
    if (isFine(value) || round === 100) return value;
    await sleep(50);
  }
}

describe.each(await databaseKinds())('the way to production over sockets, on two servers and $name', (kind) => {
  it.skipIf(kind.missing !== null)(
    '[R012] [R021] [R304] the journey leads from a registration to a document that the production SRI has authorized',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'sri-journey-'));
      const database = await kind.create();
      // A server on loopback takes the place of the SRI.
      const sri = createSimulator({ clock: systemClock, authorizationDelayMs: 0 });
      const sriServer = createServer(toNodeListener(sri.handle)).listen(0, '127.0.0.1');
      await once(sriServer, 'listening');
      const settings = {
        PORT: '0',
        DATA_DIR: dataDir,
        ...databaseSettings(database.url),
        SRI_PRODUCTION_URL: `http://127.0.0.1:${(sriServer.address() as AddressInfo).port}/comprobantes-electronicos-ws`,
        SRI_AUTH_FIRST_DELAY: '10ms',
        ...WEB_SETTINGS,
      };
      const running = [await startServer(settings, { logger: silentLogger })];
      running.push(await startServer(settings, { logger: silentLogger }));
      const [one, two] = running.map(
        ({ url }) => ({ request: (path, init) => fetch(`${url}${path}`, init) }) as TestServer,
      );
      if (!one || !two) throw new Error('Two servers were started.');
      try {
        const cert = await createTestP12({ ruc: RUC, password: 'clave' });
        const tenant = await registerTenant(one, { ruc: RUC, cert, certPassword: 'clave' });
        const folder = join(dataDir, 'mail');
        const [mail] = await until(
          () => readdir(folder).catch(() => [] as string[]),
          (files) => files.length > 0,
        );
        const token = /^[0-9a-f]{64}$/m.exec(await readFile(join(folder, mail ?? ''), 'utf8'))?.[0];
        expect((await postJson(two, '/v1/verify-email', {}, { token })).status).toBe(200);

        const web = asWebApplication(tenant.tenantId);
        const promote = (server: TestServer) => postJson(server, '/v1/tenants/promote', web, {});
        expect(await (await promote(two)).json()).toMatchObject({ code: 'AGREEMENT_ACCEPTANCE_REQUIRED' });
        const accepted = await postJson(one, '/v1/tenants/agreements', web, { termsVersion: '1.0' });
        expect(accepted.status).toBe(200);

        const answers = await Promise.all([one, two, one, two].map(promote));
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
        const bodies = await Promise.all(answers.map((answer) => answer.json()));
        const apiKeys = (bodies as { apiKeys?: readonly { apiKey: string }[] }[]).flatMap((body) => body.apiKeys ?? []);
        expect(apiKeys).toHaveLength(1);
        for (const server of [one, two]) {
          const ask = async () => (await server.request('/v1/tenants/me', { headers: tenant.auth })).status;
          expect(await until(ask, (status) => status === 401)).toBe(401);
        }

        const auth = { authorization: `Bearer ${apiKeys[0]?.apiKey}` };
        const headers = { ...auth, 'x-issuer-id': tenant.issuerId };
        const { accessKey, sequential } = await createDocument(two, { ...tenant, auth, headers });
        expect(sequential).toBe('000000001');
        expect((await postJson(one, `/v1/documents/${accessKey}/send`, headers, {})).status).toBe(202);
        const status = async () => {
          const response = await one.request(`/v1/documents/${accessKey}`, { headers });
          return ((await response.json()) as { document: { status: string } }).document.status;
        };
        expect(await until(status, (value) => value === 'AUTHORIZED')).toBe('AUTHORIZED');
        expect(sri.journal.map(({ operation }) => operation)).toEqual(['reception', 'authorization']);
      } finally {
        await Promise.all(running.map((server) => server.close()));
        sriServer.close();
        await database.remove();
        await rm(dataDir, { recursive: true, force: true });
      }
    },
    30_000,
  );
});
