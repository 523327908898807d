import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from 'sri-core';
import { expect, it, vi } from 'vitest';
import { startServer } from '../server.js';
import { openSmtpSink } from '../testing/smtp-sink.js';
import { registrationForm } from '../testing/test-tenant.js';

it('a server sends other mails while a mail hangs, and waits for it at its stop', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sri-stop-'));
  const sink = await openSmtpSink();
  const settings = { PORT: '0', DATA_DIR: dataDir, SMTP_URL: sink.url, ONBOARDING_RATE: '100/1h' };
  const server = await startServer(settings, { logger: silentLogger });
  const register = async (email: string, ruc: string) => {
    const body = await registrationForm({ email, ruc });
    const response = await fetch(`${server.url}/v1/register`, { method: 'POST', body });
    expect(response.status).toBe(201);
    return ((await response.json()) as { apiKey: string }).apiKey;
  };
  const received = () => sink.mails.map(({ recipients }) => recipients.join());
  sink.modeByRecipient.set('lento@ejemplo.ec', 'hang');
  const apiKey = await register('lento@ejemplo.ec', '1791000001001');
  await vi.waitFor(() => expect(sink.waiting).toBe(1), { timeout: 10_000 });
  // The mail is sent before the next scheduled round, and long before the hanging mail times out.
  await register('rapido@ejemplo.ec', '1791000002001');
  await vi.waitFor(() => expect(received()).toEqual(['RCPT TO:<rapido@ejemplo.ec>']), { timeout: 4000 });

  let closed = false;
  const closing = server.close().then(() => {
    closed = true;
  });
  await vi.waitFor(() => expect(fetch(`${server.url}/healthz`)).rejects.toThrow(), { timeout: 10_000 });
  expect([closed, sink.waiting]).toEqual([false, 1]);
  sink.release();
  await closing;
  expect(received()).toContain('RCPT TO:<lento@ejemplo.ec>');

  // Its result was stored before the end.
  const again = await startServer(settings, { logger: silentLogger });
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${again.url}/v1/tenants/events`, { headers });
  const { events } = (await response.json()) as { events: { eventType: string }[] };
  expect(events.map(({ eventType }) => eventType)).toContain('VERIFICATION_EMAIL_SENT');
  await again.close();
  expect(sink.mails).toHaveLength(2);
  await sink.down();
  await rm(dataDir, { recursive: true });
});
