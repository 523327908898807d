import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startServer } from '../server.js';
import { runCli, startCliProcess } from '../testing/run-cli.js';
import { testFolder } from '../testing/test-folder.js';
import { postJson, registerTenant } from '../testing/test-tenant.js';

const SECRET = `whsec_${Buffer.from('secreto de treinta y dos bytes. ').toString('base64')}`;
const BODY = JSON.stringify({ event: 'DOCUMENT_AUTHORIZED', deliveryId: 'd1', tenantId: 't1', timestamp: 1, data: {} });

const ADMIN_TOKEN = 'una-palabra-de-treinta-y-dos-bytes';

const folder = testFolder('webhook-cli');

async function verify(body: string, headers: string, ...options: readonly string[]) {
  return verifyWith(SECRET, body, headers, ...options);
}

async function verifyWith(secret: string, body: string, headers: string, ...options: readonly string[]) {
  await writeFile(join(folder, 'body.json'), body);
  await writeFile(join(folder, 'headers.txt'), headers);
  const words = ['webhooks', 'verify', join(folder, 'body.json'), '--headers', join(folder, 'headers.txt'), '--json'];
  const answer = await runCli({ SRI_WEBHOOK_SECRET: secret }, ...words, ...options);
  expect(answer.out + answer.errors).not.toContain(SECRET);
  return { exit: answer.code, ...answer.json<{ ok: boolean; code?: string; reason?: string; event?: string }>() };
}

/** The headers of the server with both signatures, which may have different secrets here. */
function bothHeadersOf(body: string, { service = SECRET, standard = SECRET } = {}): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const own = (key: string | Buffer, head: string) => createHmac('sha256', key).update(`${head}.${body}`);
  const key = Buffer.from(standard.slice('whsec_'.length), 'base64');
  return [
    `X-Service-Timestamp: ${timestamp}`,
    `X-Service-Signature: sha256=${own(service, String(timestamp)).digest('hex')}`,
    'webhook-id: d1',
    `webhook-timestamp: ${timestamp}`,
    `webhook-signature: v1,${own(key, `d1.${timestamp}`).digest('base64')}`,
  ].join('\r\n');
}
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

function headersOf(body: string, secondsAgo = 0): string {
  const timestamp = Math.floor(Date.now() / 1000) - secondsAgo;
  const signature = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex');
  return `Host: x\r\nX-Service-Timestamp: ${timestamp}\r\nX-Service-Signature: sha256=${signature}\r\n`;
}

describe('webhooks verify', () => {
  it('webhooks verify accepts a delivery that its secret signed', async () => {
    expect(await verify(BODY, headersOf(BODY))).toMatchObject({ ok: true, event: 'DOCUMENT_AUTHORIZED' });
  });

  it.each([
    ['a rewritten body', JSON.stringify(JSON.parse(BODY), null, 2), headersOf(BODY), 'signature'],
    ['no headers', BODY, 'Host: x\n', 'headers'],
    ['an old delivery', BODY, headersOf(BODY, 3600), 'age'],
    ['a body that is not an event', '[]', headersOf('[]'), 'body'],
  ])('webhooks verify explains %s', async (_name, body, headers, reason) => {
    expect(await verify(body, headers)).toMatchObject({ exit: 1, ok: false, reason });
  });

  it.each([
    ['with a letter too many', `${SECRET}x`],
    ['with four letters too many', SECRET.replace('=', 'AAAA=')],
    ['with another last letter', SECRET.replace(/.=$/, 'B=')],
    ['without its last sign', SECRET.slice(0, -1)],
    ['without its last four signs', SECRET.slice(0, -4)],
    ['without its prefix', SECRET.slice('whsec_'.length)],
    ['with a space behind it', `${SECRET} `],
    ['with a line end behind it', `${SECRET}\n`],
  ])('webhooks verify shows the form of a secret, given a secret %s', async (_name, secret) => {
    expect(await verifyWith(secret, BODY, bothHeadersOf(BODY))).toMatchObject({
      exit: 1,
      code: 'WEBHOOK_SECRET_INVALID',
      detail: expect.stringContaining('whsec_ and 44 signs, the last one a =, without spaces and line breaks'),
    });
  });

  it('webhooks verify checks both signatures of a delivery', async () => {
    expect(await verify(BODY, bothHeadersOf(BODY))).toMatchObject({
      ok: true,
      signatures: ['webhook-signature', 'x-service-signature'],
    });
    for (const [wrong, named] of [
      [{ service: OTHER }, 'x-service-signature: '],
      [{ standard: OTHER }, 'webhook-signature: '],
    ] as const) {
      expect(await verify(BODY, bothHeadersOf(BODY, wrong))).toMatchObject({
        exit: 1,
        code: 'WEBHOOK_VERIFICATION_FAILED',
        reason: 'signature',
        detail: expect.stringContaining(named),
      });
    }
  });

  it('webhooks verify ignores the age with --ignore-age', async () => {
    expect(await verify(BODY, headersOf(BODY, 3600), '--ignore-age')).toMatchObject({ ok: true });
  });

  it('webhooks verify reports a shortened signature as incomplete', async () => {
    const answer = await verify(BODY, headersOf(BODY).trimEnd().slice(0, -1));
    expect(answer).toMatchObject({ reason: 'headers', detail: expect.stringContaining('incomplete') });
  });

  it('webhooks verify requires the secret and the headers', async () => {
    expect((await runCli({}, 'webhooks', 'verify', 'x')).errors).toContain('SRI_WEBHOOK_SECRET');
    expect((await runCli({ SRI_WEBHOOK_SECRET: SECRET }, 'webhooks', 'verify', 'x')).errors).toContain('--headers');
  });
});

describe('webhooks remove', () => {
  const ID = '00000000-0000-4000-8000-000000000000';
  const remove = (url: string) =>
    runCli({ SRI_URL: url, SRI_API_KEY: 'sri_test_x' }, 'webhooks', 'remove', ID, '--lang', 'es');

  it('webhooks remove names a server that does not answer, and another program on its port', async () => {
    const other = createServer((_request, response) => response.writeHead(404).end('<h1>Not Found</h1>'));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const strange = await remove(url);
    expect([strange.code, strange.errors]).toEqual([1, expect.stringMatching(/^SERVER_ANSWER_UNKNOWN: .*HTTP 404/)]);
    await new Promise((resolve) => other.close(resolve));
    const silent = await remove(url);
    expect([silent.code, silent.errors]).toEqual([
      1,
      expect.stringContaining(`SERVER_UNREACHABLE: No responde ${url} (ECONNREFUSED).`),
    ]);
  });
});

describe('webhooks listen', () => {
  it('webhooks listen shows a delivery that arrives before its secret, and survives an aborted delivery', async () => {
    let endpointUrl = '';
    let removed = 0;
    const early: Promise<number>[] = [];
    const fake = createServer(async (request, response) => {
      if (request.method === 'POST') {
        endpointUrl = ((await json(request)) as { url: string }).url;
        const timestamp = String(Math.floor(Date.now() / 1000));
        const signature = createHmac('sha256', SECRET).update(`${timestamp}.${BODY}`).digest('hex');
        const headers = { 'x-service-timestamp': timestamp, 'x-service-signature': `sha256=${signature}` };
        const delivery = fetch(endpointUrl, { method: 'POST', headers, body: BODY }).then(({ status }) => status);
        early.push(delivery);
        await Promise.race([delivery, setTimeout(200)]);
      }
      if (request.method === 'DELETE') removed += 1;
      const endpoint = { id: 'e1', url: endpointUrl, eventTypes: [], active: true };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: true, endpoints: [], endpoint, secret: SECRET }));
    });
    await once(fake.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(fake.address() as AddressInfo).port}`;
    const { child, answer } = startCliProcess({ SRI_URL: url, SRI_API_KEY: 'sri_test_x' }, [
      'webhooks',
      'listen',
      '--json',
    ]);
    try {
      await once(child.stderr, 'data');
      expect(await early[0]).toBe(204);
      const broken = connect(Number(new URL(endpointUrl).port), '127.0.0.1');
      broken.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc');
      await once(broken, 'connect');
      broken.end();
      await once(broken.resume(), 'close');
      expect((await fetch(endpointUrl)).status).toBe(200);
      child.kill('SIGINT');
      const { code, out } = await answer;
      expect([code, removed]).toEqual([0, 1]);
      expect(out).toContain('"event":"DOCUMENT_AUTHORIZED"');
      expect(out).toContain('"refused":"aborted"');
    } finally {
      child.kill('SIGKILL');
      fake.close();
    }
  });

  it('webhooks listen names the commands that make room when the plan allows no further webhook', async () => {
    const settings = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', WEBHOOK_ALLOW_INSECURE: 'true' };
    const server = await startServer({ ...settings, ADMIN_TOKEN });
    try {
      const target = { request: (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init) };
      const { apiKey, auth, tenantId } = await registerTenant(target);
      const asOperator = { authorization: `Bearer ${ADMIN_TOKEN}` };
      expect((await postJson(target, `/v1/admin/tenants/${tenantId}/verify`, asOperator, {})).status).toBe(200);
      const url = 'http://hooks.example.com/';
      expect((await postJson(target, '/v1/webhooks', auth, { url, eventTypes: [] })).status).toBe(201);
      const { code, errors } = await runCli(
        { SRI_URL: server.url, SRI_API_KEY: apiKey },
        ...['webhooks', 'listen', '--lang', 'es'],
      );
      expect([code, errors]).toEqual([1, expect.stringContaining('webhooks remove <id>')]);
      expect(errors).toContain('WEBHOOK_ENDPOINT_LIMIT_REACHED');
    } finally {
      await server.close();
    }
  });
});
