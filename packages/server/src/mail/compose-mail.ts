import { join } from 'node:path';
import {
  createFileTransport,
  createSmtpTransport,
  type MailSender,
  type MailTransport,
  parseMailSender,
} from './mail-transport.js';

/** The configuration of mail transport. */
export interface MailSettings {
  readonly dataDir: string;
  /** Null for mails that are written to files. */
  readonly smtpUrl: string | null;
  readonly smtpTimeoutMs: number;
  readonly mailFrom: string | null;
}

/** The transport of mails: the configured SMTP server, else files of the data directory. */
export function composeMail(config: MailSettings, baseUrl: string): MailTransport {
  const sender = mailSender(config, baseUrl);
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

// --- internal ---

function mailSender(config: MailSettings, baseUrl: string): MailSender {
  const configured = config.mailFrom === null ? null : parseMailSender(config.mailFrom);
  return configured ?? { name: '', address: `no-reply@${new URL(baseUrl).hostname}` };
}
