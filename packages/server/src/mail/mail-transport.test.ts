import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseMail } from '../testing/parse-mail.js';
import { openSmtpSink, type SinkMode, type SmtpSink } from '../testing/smtp-sink.js';
import { describeMailError } from './mail-error.js';
import {
  createFileTransport,
  createSmtpTransport,
  longestSendMs,
  type MailTransport,
  type WrittenMail,
} from './mail-transport.js';

const SENDER = { name: 'Facturación', address: 'no-reply@api.ec' };
const TIMEOUT_MS = 500;
const INJECTED = 'Ana\r\nBcc: otra@ejemplo.ec\r\n\r\nhola';
const mail = (over: Partial<WrittenMail> = {}): WrittenMail => ({
  id: 'a1',
  to: 'maria@ejemplo.ec',
  subject: 'Confirme',
  text: 'Hola',
  html: '<p>Hola</p>',
  date: new Date('2026-11-21T15:00:00Z'),
  ...over,
});

describe('mails over SMTP', () => {
  let sink: SmtpSink;
  let transport: MailTransport;
  beforeAll(async () => {
    sink = await openSmtpSink();
    const url = sink.url.replace('//', '//usuario:hunter2@');
    transport = createSmtpTransport(url, SENDER, TIMEOUT_MS);
  });
  afterAll(async () => {
    transport.close();
    await sink.down();
  });
  afterEach(() => {
    sink.mode = 'ok';
    sink.mails.length = 0;
    sink.commands.length = 0;
  });

  it('a mail has a fixed envelope and its own Message-ID', async () => {
    await transport.send(mail());
    expect(sink.commands.slice(0, 4)).toEqual([
      'EHLO api.ec',
      expect.stringMatching(/^MAIL FROM:<no-reply@api\.ec>/),
      'RCPT TO:<maria@ejemplo.ec>',
      'DATA',
    ]);
    const { headers } = parseMail(sink.mails[0]?.content ?? '');
    expect(headers.get('message-id')).toBe('<a1@api.ec>');
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('from')).toBe('Facturación <no-reply@api.ec>');
  });

  it('a mail shows encoded-looking text unchanged, in the subject and in names', async () => {
    // Decoded it would read «Pague ahora».
    const encoded = '=?utf-8?B?UGFndWUgYWhvcmE=?=';
    const replyTo = { name: encoded, address: 'a@b.ec' };
    await transport.send(mail({ subject: `${encoded} de Ejemplo`, toName: encoded, replyTo }));
    const { headers } = parseMail(sink.mails[0]?.content ?? '');
    for (const name of ['subject', 'to', 'reply-to']) {
      expect(headers.get(name), name).toContain('= ?utf-8?B?UGFndWUgYWhvcmE= ?=');
      expect(headers.get(name), name).not.toContain('Pague ahora');
    }
  });

  it('mails share connections', async () => {
    const before = sink.connections;
    for (let count = 0; count < 20; count += 1) await transport.send(mail());
    expect(sink.connections - before).toBeLessThanOrEqual(1);
    await Promise.all(Array.from({ length: 40 }, () => transport.send(mail())));
    expect(sink.connections - before).toBeLessThanOrEqual(6);
    expect(sink.mails).toHaveLength(60);
  });

  it.each<[SinkMode, RegExp | string]>([
    ['4xx', '451 4.3.0 try later'],
    ['5xx', '554 5.7.1 refused'],
    ['noRecipient', /550 5\.1\.1 no such mailbox/],
    ['hang', 'The mail server did not answer.'],
    ['drip', 'The mail server did not answer.'],
    ['drop', 'The mail server did not answer.'],
  ])(
    'a server that answers %s fails in time, is reported without secrets, and the next mail is sent',
    async (mode, reported) => {
      sink.mode = mode;
      const startedAt = performance.now();
      const error = await transport.send(mail()).catch((thrown: unknown) => thrown);
      expect(performance.now() - startedAt).toBeLessThan(longestSendMs(TIMEOUT_MS) + 2_000);
      expect(error).toBeInstanceOf(Error);
      expect(describeMailError(error)).toEqual(
        typeof reported === 'string' ? reported : expect.stringMatching(reported),
      );
      expect(String(error)).not.toContain('hunter2');
      sink.mode = 'ok';
      await transport.send(mail({ id: 'b2' }));
      expect(sink.mails.map(({ content }) => parseMail(content).headers.get('message-id'))).toEqual(['<b2@api.ec>']);
    },
  );

  it('a server that answers byte by byte is cut off, and its connection is freed', async () => {
    sink.mode = 'drip';
    const failed = await Promise.allSettled(Array.from({ length: 12 }, () => transport.send(mail())));
    expect(failed.every(({ status }) => status === 'rejected')).toBe(true);
    sink.mode = 'ok';
    // A mail that was cut off after its last byte may still arrive.
    const ids = Array.from({ length: 6 }, (_, index) => `later-${index}`);
    await Promise.all(ids.map((id) => transport.send(mail({ id }))));
    const arrived = sink.mails.map(({ content }) => parseMail(content).headers.get('message-id'));
    expect(arrived).toEqual(expect.arrayContaining(ids.map((id) => `<${id}@api.ec>`)));
  });

  it('a server that refuses the password is reported without the password', async () => {
    const url = sink.url.replace('//', '//usuario:hunter2@');
    sink.mode = 'noLogin';
    const fresh = createSmtpTransport(url, SENDER, TIMEOUT_MS);
    const error = await fresh.send(mail()).catch((thrown: unknown) => thrown);
    fresh.close();
    expect(describeMailError(error)).toBe('The mail server refused our login.');
    expect(String(error)).not.toMatch(/hunter2|usuario/);
    expect(sink.commands).toContain(`AUTH PLAIN ${Buffer.from('\0usuario\0hunter2').toString('base64')}`);
    expect(sink.commands.some((line) => line.startsWith('MAIL'))).toBe(false);
  });

  it('an unreachable server is an error without secrets', async () => {
    const nowhere = createSmtpTransport('smtp://usuario:hunter2@127.0.0.1:1', SENDER);
    const error = await nowhere.send(mail()).catch((thrown: unknown) => thrown);
    nowhere.close();
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toContain('hunter2');
    expect(describeMailError(error)).toBe('The mail server did not answer.');
  });

  it.each<[string, Partial<WrittenMail>]>([
    ['subject', { subject: INJECTED }],
    ['recipient’s name', { toName: INJECTED }],
    ['reply name', { replyTo: { name: INJECTED, address: 'yo@ejemplo.ec' } }],
    [
      'name of a file',
      { attachments: [{ filename: `${INJECTED}.xml`, contentType: 'application/xml', content: Buffer.from('<a/>') }] },
    ],
  ])('a %s with line breaks adds no header and no recipient', async (_name, over) => {
    await transport.send(mail(over));
    expect(sink.commands.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<maria@ejemplo.ec>']);
    const [sunk] = sink.mails;
    const { headers, parts } = parseMail(sunk?.content ?? '');
    expect(headers.has('bcc')).toBe(false);
    expect([...headers.keys()].filter((name) => name === 'to')).toHaveLength(1);
    expect(headers.get('to')).not.toContain('\n');
    expect(parts.length).toBeGreaterThan(0);
    expect(sunk?.content).not.toMatch(/^bcc:/im);
  });

  it.each([
    'a@ejemplo.ec\r\nRCPT TO:<otra@ejemplo.ec>',
    'a@ejemplo.ec\nBcc: otra@ejemplo.ec',
    'a@ejemplo.ec, otra@ejemplo.ec',
    'a@ejemplo.ec>,<otra@ejemplo.ec',
    '"x" <otra@ejemplo.ec>',
    'a@ejemplo.ec\u0000',
    'a@ejemplo.ec\u2028otra@ejemplo.ec',
  ])('the address %j is used neither as recipient nor for replies', async (address) => {
    await expect(transport.send(mail({ to: address }))).rejects.toThrow('more than an address');
    await expect(transport.send(mail({ replyTo: { name: '', address } }))).rejects.toThrow('more than an address');
    expect(sink.commands).toEqual([]);
  });
});

describe('mails in a folder', () => {
  it('a mail in a folder is complete and private, and cannot gain a recipient', async () => {
    const home = await mkdtemp(join(tmpdir(), 'sri-mail-'));
    const folder = join(home, 'correo');
    const previews = join(home, 'previews');
    const transport = createFileTransport(folder, SENDER, previews);
    await transport.send(mail({ subject: INJECTED }));
    transport.close();
    expect(await readdir(folder)).toEqual(['a1.eml']);
    const text = await readFile(join(folder, 'a1.eml'), 'utf8');
    expect(text).toContain('Message-ID: <a1@api.ec>');
    expect(text).toContain('To: maria@ejemplo.ec');
    expect(text).not.toMatch(/^Bcc:/m);
    for (const path of [join(folder, 'a1.eml'), join(previews, 'a1.json')]) {
      expect((await stat(path)).mode & 0o077).toBe(0);
    }
    await rm(home, { recursive: true });
  });
});
