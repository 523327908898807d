import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../testing/run-cli.js';

const SECRET = `whsec_${Buffer.from('un secreto de treinta y dos bytes').toString('base64')}`;
const BODY = JSON.stringify({ event: 'DOCUMENT_AUTHORIZED', deliveryId: 'd1', tenantId: 't1', timestamp: 1, data: {} });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sri-webhook-cli-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function verify(body: string, headers: string, ...options: readonly string[]) {
  await writeFile(join(folder, 'body.json'), body);
  await writeFile(join(folder, 'headers.txt'), headers);
  const words = ['webhooks', 'verify', join(folder, 'body.json'), '--headers', join(folder, 'headers.txt'), '--json'];
  const answer = await runCli({ SRI_WEBHOOK_SECRET: SECRET }, ...words, ...options);
  expect(answer.out + answer.errors).not.toContain(SECRET);
  return { exit: answer.code, ...answer.json<{ ok: boolean; reason?: string; event?: string }>() };
}

function headersOf(body: string, secondsAgo = 0): string {
  const timestamp = Math.floor(Date.now() / 1000) - secondsAgo;
  const signature = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex');
  return `Host: x\r\nX-Service-Timestamp: ${timestamp}\r\nX-Service-Signature: sha256=${signature}\r\n`;
}

describe('webhooks verify', () => {
  it('passes what its secret signed', async () => {
    expect(await verify(BODY, headersOf(BODY))).toMatchObject({ ok: true, event: 'DOCUMENT_AUTHORIZED' });
  });

  it.each([
    ['a body that was written anew', JSON.stringify(JSON.parse(BODY), null, 2), headersOf(BODY), 'signature'],
    ['no headers', BODY, 'Host: x\n', 'headers'],
    ['an old one', BODY, headersOf(BODY, 3600), 'age'],
    ['a body that is no event', '[]', headersOf('[]'), 'body'],
  ])('explains %s', async (_name, body, headers, reason) => {
    expect(await verify(body, headers)).toMatchObject({ exit: 1, ok: false, reason });
  });

  it('passes over the age when it is asked to', async () => {
    expect(await verify(BODY, headersOf(BODY, 3600), '--ignore-age')).toMatchObject({ ok: true });
  });

  it('asks for the secret and the headers', async () => {
    expect((await runCli({}, 'webhooks', 'verify', 'x')).errors).toContain('SRI_WEBHOOK_SECRET');
    expect((await runCli({ SRI_WEBHOOK_SECRET: SECRET }, 'webhooks', 'verify', 'x')).errors).toContain('--headers');
  });
});
