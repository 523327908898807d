import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../platform/config-values.js';
import { startServer } from '../server.js';
import { testFolder } from '../testing/test-folder.js';
import type { TestServer } from '../testing/test-server.js';
import { postJson, registerTenant } from '../testing/test-tenant.js';
import { makeTestTls, openReceiver } from '../testing/webhook-receiver.js';
import { readExtraCertificates } from './extra-certificates.js';

const tls = makeTestTls();
const folder = testFolder('ca');

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe('WEBHOOK_CA_FILE', () => {
  it.each<[string, string | null, RegExp]>([
    ['that does not exist', null, /^WEBHOOK_CA_FILE: the file cannot be read \(ENOENT\)\.$/],
    ['that is empty', '', /holds no certificate in PEM/],
    ['that is no PEM', '\x30\x82\x01\x0a', /holds no certificate in PEM/],
    [
      'that is broken',
      '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
      /a certificate in the file is broken/,
    ],
  ])('a file %s stops the start of a server, and the error names the setting', async (name, content, message) => {
    const path = content === null ? join(folder, 'missing.pem') : await file(`${name}.pem`, content);
    const started = startServer({ DATA_DIR: join(folder, 'never'), PORT: '0', WEBHOOK_CA_FILE: path });
    await expect(started).rejects.toThrow(ConfigError);
    await expect(started).rejects.toThrow(message);
  });

  it('rejects a directory, and returns null if unset', async () => {
    await expect(readExtraCertificates(folder)).rejects.toThrow('EISDIR');
    expect(await readExtraCertificates(null)).toBeNull();
  });

  it.skipIf(tls === null)('reads the certificates of a file, and no other part of it', async () => {
    const { ca = '', key = '' } = tls ?? {};
    const path = await file('both.pem', `# ours\n${key}\n${ca}\n${ca}`);
    const read = await readExtraCertificates(path);
    expect(read?.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(read).not.toContain('PRIVATE');
  });

  it.skipIf(tls === null).each([
    ['the file lets the server reach a receiver with a certificate of the file', true],
    ['a receiver with such a certificate is not reached without the file', false],
  ])('%s', async (_, isSet) => {
    const receiver = await openReceiver(tls ?? undefined);
    const dataDir = join(folder, `data-${isSet}`);
    const secret = 's'.repeat(32);
    const server = await startServer(
      {
        DATA_DIR: dataDir,
        PORT: '0',
        WEBHOOK_ALLOW_INSECURE: 'true',
        INTERNAL_SERVICE_SECRET: secret,
        ...(isSet ? { WEBHOOK_CA_FILE: await file('ca.pem', tls?.ca ?? '') } : {}),
      },
      { logger: silentLogger },
    );
    const client = { request: (path, init) => fetch(`${server.url}${path}`, init) } as TestServer;
    try {
      const tenant = await registerTenant(client);
      await verify(client, dataDir);
      const created = await postJson(client, '/v1/webhooks', tenant.auth, { url: receiver.url });
      expect(created.status).toBe(201);
      const { endpoint } = (await created.json()) as { endpoint: { id: string } };
      expect((await postJson(client, `/v1/webhooks/${endpoint.id}/test`, tenant.auth, {})).status).toBe(202);
      const first = async () => {
        const response = await client.request(`/v1/webhooks/${endpoint.id}/deliveries`, { headers: tenant.auth });
        return ((await response.json()) as { data: { attemptCount: number; status: string; lastError: string }[] })
          .data[0];
      };
      for (let round = 0; round < 400 && ((await first())?.attemptCount ?? 0) === 0; round += 1) await sleep(25);
      const wanted = isSet ? { status: 'DELIVERED', lastError: null } : { status: 'PENDING', lastError: 'TLS' };
      expect(await first()).toMatchObject(wanted);
      expect(receiver.seen).toHaveLength(isSet ? 1 : 0);
    } finally {
      await server.close();
      receiver.close();
    }
  });
});

// --- internal ---

/** Verifies the account by the link in its mail. */
async function verify(client: TestServer, dataDir: string): Promise<void> {
  const folder = join(dataDir, 'mail');
  for (let round = 0; round < 400; round += 1) {
    const [name] = (await readdir(folder).catch(() => [])).filter((each) => each.endsWith('.eml'));
    const mail = name ? (await readFile(join(folder, name), 'utf8')).replace(/\r/g, '').replace(/=\n/g, '') : '';
    const token = /\n([0-9a-f]{64})\n/.exec(mail)?.[1];
    if (token) {
      expect((await postJson(client, '/v1/verify-email', {}, { token })).status).toBe(200);
      return;
    }
    await sleep(25);
  }
  throw new Error('No mail came.');
}
