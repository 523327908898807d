import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { previewFolder } from '../mail/compose-mail.js';
import type { MailPreview } from '../mail/mail-preview.js';
import type { Exchange } from '../platform/http/exchange.js';
import { isFromThisMachine } from '../platform/http/own-machine.js';

/** Whether mails are written on this machine instead of sent, and the request comes from it. Never in production. */
export function showsMailPreviews(exchange: Exchange): boolean {
  const { config } = exchange.services;
  return !config.production && config.smtpUrl === null && isFromThisMachine(exchange);
}

/** An entry of a list of mails. */
export type MailHead = Pick<MailPreview, 'id' | 'to' | 'subject' | 'date'>;

/** The newest mails written into the data directory, newest first. */
export async function listMailPreviews(dataDir: string): Promise<readonly MailHead[]> {
  const names = await readdir(previewFolder({ dataDir })).catch(() => []);
  const newest = names
    .flatMap((name) => /^([\w-]+)\.json$/.exec(name)?.[1] ?? [])
    .toSorted()
    .toReversed();
  const mails = await Promise.all(newest.slice(0, LISTED).map((id) => readMailPreview(dataDir, id)));
  return mails.flatMap((mail) => (mail ? [{ id: mail.id, to: mail.to, subject: mail.subject, date: mail.date }] : []));
}

/** A mail written into the data directory; null if no mail has that id. */
export async function readMailPreview(dataDir: string, id: string): Promise<MailPreview | null> {
  if (!/^[\w-]{1,80}$/.test(id)) return null;
  const text = await readFile(join(previewFolder({ dataDir }), `${id}.json`), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as MailPreview);
}

// --- internal ---

const LISTED = 100;
