import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startChildServer } from '../testing/child-server.js';
import { ownHistory } from '../testing/own-account.js';
import { parseMail } from '../testing/parse-mail.js';
import { openSmtpSink } from '../testing/smtp-sink.js';
import { registrationForm } from '../testing/test-tenant.js';

it('a mail is sent again under the same id if its sender is killed before it stores the result', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sri-killed-'));
  const sink = await openSmtpSink();
  const settings = { DATA_DIR: dataDir, SMTP_URL: sink.url, BASE_URL: 'https://api.ec' };
  const first = await startChildServer({ settings });
  sink.mode = 'hang';
  const registered = await first.request('/v1/register', { method: 'POST', body: await registrationForm() });
  const { apiKey } = (await registered.json()) as { apiKey: string };
  await vi.waitFor(() => expect(sink.waiting).toBe(1), { timeout: 10_000 });
  await first.kill();
  // The mail server has the whole mail, and accepts it.
  sink.release();
  sink.mode = 'ok';
  expect(sink.mails).toHaveLength(1);

  const second = await startChildServer({ settings: { ...settings, CLOCK_OFFSET: '+10m' } });
  const sentEvents = async () => {
    const events = await ownHistory(second, { auth: { authorization: `Bearer ${apiKey}` } });
    return events.filter(({ eventType }) => eventType === 'VERIFICATION_EMAIL_SENT').length;
  };
  await vi.waitFor(async () => expect(await sentEvents()).toBe(1), { timeout: 10_000 });
  const ids = sink.mails.map(({ content }) => parseMail(content).headers.get('message-id'));
  expect(ids).toEqual([expect.stringMatching(/^<[0-9a-f-]{36}@api\.ec>$/), ids[0]]);
  await second.kill();
  await sink.down();
  await rm(dataDir, { recursive: true });
});
