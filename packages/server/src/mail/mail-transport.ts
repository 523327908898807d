import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { oneLine } from '../platform/one-line.js';
import { toMailPreview } from './mail-preview.js';

/** A mail, ready to send. */
export interface WrittenMail {
  /** The outbox row; names the file and the Message-ID. */
  readonly id: string;
  /** One plain address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: Date;
  /** Shown next to the address. */
  readonly toName?: string;
  /** The reply address; the sender where absent. */
  readonly replyTo?: MailSender;
  readonly attachments?: readonly MailAttachment[];
}

/** An attachment of a mail. */
export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** The name of a picture that the HTML shows as `cid:` and this name, and that is no separate file. */
  readonly cid?: string;
}

/** The sender of mails. */
export interface MailSender {
  readonly name: string;
  readonly address: string;
}

/** Sends mails. */
export interface MailTransport {
  /**
   * Resolves once the mail was handed over; else rejects with a message without secrets.
   *
   * @param signal aborts a running send: it rejects, and the mail may have been sent.
   */
  send(mail: WrittenMail, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** The longest time to hand over one mail, including the wait for a connection. @param timeoutMs as configured. */
export function longestSendMs(timeoutMs: number): number {
  return timeoutMs * 1.5;
}

/**
 * Sends mails to an SMTP server, over connections that stay open for later mails.
 *
 * @param url `smtp://` or `smtps://`, with user and password where needed.
 * @param timeoutMs the longest silence of the server; see `longestSendMs` for a whole mail.
 */
export function createSmtpTransport(url: string, sender: MailSender, timeoutMs = 30_000): MailTransport {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: Math.min(10_000, timeoutMs),
    greetingTimeout: Math.min(10_000, timeoutMs),
    socketTimeout: timeoutMs,
    socketCloseTimeout: CLOSE_TIMEOUT_MS,
    name: domainOf(sender),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail, signal) {
      // A server that answers byte by byte never reaches the socket's own timeout. The abort closes the connection.
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), longestSendMs(timeoutMs));
      try {
        const stop = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
        await transport.sendMail({ ...toMessage(mail, sender), signal: stop });
      } catch (error) {
        if (!late.signal.aborted) throw error;
        throw Object.assign(new Error('The mail server took too long.'), { code: 'ETIMEDOUT' });
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close(),
  };
}

/**
 * Writes each mail as `<id>.eml` into a folder, which is created with the first one.
 *
 * @param previews another folder, for the previews of the console; without it none are stored.
 */
export function createFileTransport(folder: string, sender: MailSender, previews?: string): MailTransport {
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'unix',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      const { message } = await composer.sendMail(toMessage(mail, sender));
      if (!Buffer.isBuffer(message)) throw new Error('The mail was not composed in memory.');
      await mkdir(folder, { recursive: true });
      if (previews) {
        await mkdir(previews, { recursive: true });
        await writeFile(join(previews, `${mail.id}.json`), JSON.stringify(toMailPreview(mail)), { mode: 0o600 });
      }
      // Written next to the folder and moved into it, so that a reader never sees half a mail.
      const draft = `${folder}.${randomUUID()}`;
      await writeFile(draft, message, { mode: 0o600 });
      await rename(draft, join(folder, `${mail.id}.eml`));
    },
    close: () => composer.close(),
  };
}

// --- internal ---

/** The connections of the outbox, and two for mails on request. */
const CONNECTIONS = 6;
/** How long a server may hold its connection after QUIT. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Addresses are objects and the envelope is fixed, so that no text can add a recipient.
 *
 * @throws Error when a text holds more than one address.
 */
function toMessage(mail: WrittenMail, sender: MailSender) {
  for (const address of [mail.to, mail.replyTo?.address ?? sender.address]) {
    if (UNUSABLE.test(address)) throw new Error('The mail has an address that is more than an address.');
  }
  return {
    from: { name: sender.name, address: sender.address },
    to: { name: headerText(mail.toName ?? ''), address: mail.to },
    ...(mail.replyTo ? { replyTo: { name: headerText(mail.replyTo.name), address: mail.replyTo.address } } : {}),
    envelope: { from: sender.address, to: [mail.to] },
    messageId: `<${mail.id}@${domainOf(sender)}>`,
    date: mail.date,
    subject: headerText(mail.subject),
    text: mail.text,
    html: mail.html,
    attachments:
      mail.attachments?.map((attachment) => ({ ...attachment, filename: headerText(attachment.filename) })) ?? [],
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** Separators of lists, names and lines; no validated address has any of them. */
const UNUSABLE = /[\p{C}\p{Z}<>()[\],;:"\\]/u;

/** The text of a header in one line. Encoded words are broken, so that a mail program decodes none. */
function headerText(text: string): string {
  return oneLine(text).replaceAll('=?', '= ?');
}

function domainOf(sender: MailSender): string {
  return sender.address.slice(sender.address.indexOf('@') + 1);
}
