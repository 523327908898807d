import type { WrittenMail } from './mail-transport.js';
import type { MailKind, OutboxMail } from './outbox-mail.js';

/** The text of a mail in one language. */
export type MailText = Pick<WrittenMail, 'subject' | 'text' | 'html'>;

/** A mail from its writer; the outbox adds id, recipient and date. */
export type MailContent = Omit<WrittenMail, 'id' | 'to' | 'date'>;

/** Writes a mail of one kind. @throws Error when the mail cannot be written now. */
export type MailWriter = (mail: OutboxMail) => MailContent | Promise<MailContent>;

/** The writer of each kind. Each area supplies the writers of its own mails. */
export type MailWriters = Readonly<Record<MailKind, MailWriter>>;
