import { join } from 'node:path';
import { createFileTransport, createSmtpTransport, type MailSender, type MailTransport } from './mail-transport.js';

/** The configuration of mail transport. */
export interface MailSettings {
  readonly dataDir: string;
  /** Null for mails that are written to files. */
  readonly smtpUrl: string | null;
  readonly smtpTimeoutMs: number;
  /** Null for a no-reply address at the server's own host. */
  readonly mailFrom: MailSender | null;
}

/** The transport of mails: the configured SMTP server, otherwise files of the data directory. */
export function composeMail(config: MailSettings, baseUrl: string): MailTransport {
  const sender = config.mailFrom ?? { name: '', address: `no-reply@${new URL(baseUrl).hostname}` };
  return config.smtpUrl
    ? createSmtpTransport(config.smtpUrl, sender, config.smtpTimeoutMs)
    : createFileTransport(mailFolder(config), sender, previewFolder(config));
}

/** The folder of mails that are written instead of sent. */
export function mailFolder(config: Pick<MailSettings, 'dataDir'>): string {
  return join(config.dataDir, 'mail');
}

/** The folder of mail previews for the console. */
export function previewFolder(config: Pick<MailSettings, 'dataDir'>): string {
  return join(config.dataDir, 'mail-previews');
}
