import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';

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
  /** Resolves once the mail was handed over; rejects when it was not, with a message that holds no secret. */
  send(mail: WrittenMail): Promise<void>;
  close(): void;
}

/**
 * Hands mails to an SMTP server.
 *
 * @param url `smtp://` or `smtps://`, with user and password where needed.
 * @param timeoutMs how long the server may say nothing; half as long again is the most that a whole mail may take.
 */
export function createSmtpTransport(url: string, sender: MailSender, timeoutMs = 30_000): MailTransport {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: Math.min(10_000, timeoutMs),
    greetingTimeout: Math.min(10_000, timeoutMs),
    socketTimeout: timeoutMs,
    name: domainOf(sender),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      const done = new AbortController();
      // A server that answers drop by drop never lets the socket's own limit come.
      const late = sleep(timeoutMs * 1.5, null, { ref: false, signal: done.signal }).then(() => {
        throw Object.assign(new Error('The mail server took too long.'), { code: 'ETIMEDOUT' });
      });
      late.catch(() => {});
      try {
        await Promise.race([transport.sendMail(toMessage(mail, sender)), late]);
      } finally {
        done.abort();
      }
    },
    close: () => transport.close(),
  };
}

/** Writes each mail as `<id>.eml` into a folder, which is made when the first one is written. */
export function createFileTransport(folder: string, sender: MailSender): MailTransport {
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

/** Addresses go as objects and the envelope is fixed, so that no text can add a recipient. */
function toMessage(mail: WrittenMail, sender: MailSender) {
  return {
    from: { name: sender.name, address: sender.address },
    to: { name: mail.toName ?? '', address: mail.to },
    ...(mail.replyTo ? { replyTo: { name: mail.replyTo.name, address: mail.replyTo.address } } : {}),
    envelope: { from: sender.address, to: [mail.to] },
    messageId: `<${mail.id}@${domainOf(sender)}>`,
    date: mail.date,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    attachments: mail.attachments?.map((attachment) => ({ ...attachment })) ?? [],
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function domainOf(sender: MailSender): string {
  return sender.address.slice(sender.address.indexOf('@') + 1);
}
