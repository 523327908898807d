import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { toMailPreview } from './mail-preview.js';

/** A mail, written out. */
export interface WrittenMail {
  /** The outbox row; names the file and the Message-ID. */
  readonly id: string;
  /** One plain address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: Date;
  /** Shown beside the address. */
  readonly toName?: string;
  /** Who gets the answers; the sender where absent. */
  readonly replyTo?: MailSender;
  readonly attachments?: readonly MailAttachment[];
}

/** A file that goes along with a mail. */
export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Who mails come from. */
export interface MailSender {
  readonly name: string;
  readonly address: string;
}

/** How mails leave the process. */
export interface MailTransport {
  /**
   * Resolves once the mail was handed over; rejects when it was not, with a message that holds no secret.
   *
   * @param signal once aborted, what is under way is broken off: it rejects, and the mail may have gone out.
   */
  send(mail: WrittenMail, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** The most that handing over one mail may take, waiting for a connection included. @param timeoutMs as configured. */
export function longestSendMs(timeoutMs: number): number {
  return timeoutMs * 1.5;
}

/**
 * Hands mails to an SMTP server, over connections that stay open for the mails after them.
 *
 * @param url `smtp://` or `smtps://`, with user and password where needed.
 * @param timeoutMs how long the server may say nothing; see `longestSendMs` for a whole mail.
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
      // A server that answers drop by drop never lets the socket's own limit come. Giving up closes the connection.
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
 * Writes each mail as `<id>.eml` into a folder, which is made when the first one is written.
 *
 * @param previews another folder, for the same mails as the console shows them; none are kept without one.
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
      // Written beside the folder and moved into it, so that whoever watches it never sees half a mail.
      const draft = `${folder}.${randomUUID()}`;
      await writeFile(draft, message, { mode: 0o600 });
      await rename(draft, join(folder, `${mail.id}.eml`));
    },
    close: () => composer.close(),
  };
}

/** Reads `Name <address>` or an address. @returns null when it is neither. */
export function parseMailSender(text: string): MailSender | null {
  const match = /^\s*(?:"?([^"<>\r\n]*?)"?\s*<([^\s<>@]+@[^\s<>@]+)>|([^\s<>@]+@[^\s<>@]+))\s*$/.exec(text);
  const address = match?.[2] ?? match?.[3];
  return address ? { name: match?.[1] ?? '', address } : null;
}

// --- internal ---

/** What the outbox uses at one time, and two for those who ask for a mail and wait. */
const CONNECTIONS = 6;
/** How long a server that was told goodbye may hold its connection. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Addresses go as objects and the envelope is fixed, so that no text can add a recipient.
 *
 * @throws Error when an address is more than one.
 */
function toMessage(mail: WrittenMail, sender: MailSender) {
  for (const address of [mail.to, mail.replyTo?.address ?? sender.address]) {
    if (UNUSABLE.test(address)) throw new Error('The mail has an address that is more than an address.');
  }
  return {
    from: { name: sender.name, address: sender.address },
    to: { name: oneLine(mail.toName ?? ''), address: mail.to },
    ...(mail.replyTo ? { replyTo: { name: oneLine(mail.replyTo.name), address: mail.replyTo.address } } : {}),
    envelope: { from: sender.address, to: [mail.to] },
    messageId: `<${mail.id}@${domainOf(sender)}>`,
    date: mail.date,
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    attachments:
      mail.attachments?.map((attachment) => ({ ...attachment, filename: oneLine(attachment.filename) })) ?? [],
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** Separators of lists, names and lines; no address that was checked on its way in has any of them. */
const UNUSABLE = /[\p{C}\p{Z}<>()[\],;:"\\]/u;

/** Also what a reader's program decodes has no line breaks to trip over, and nothing in it is decoded once more. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim();
}

function domainOf(sender: MailSender): string {
  return sender.address.slice(sender.address.indexOf('@') + 1);
}
