import type { OutboxWorkerDeps } from './outbox-worker.js';

export { mailFolder } from './compose-mail.js';
export { recordOnDocument } from './document-outcome.js';
export { releaseUnverifiedMails } from './held-mail-rows.js';
export { mailPage } from './mail-page.js';
export { mailReasonIn } from './mail-reasons.js';
export { fillTemplate, type MailTemplates } from './mail-templates.js';
export type { MailAttachment, MailTransport } from './mail-transport.js';
export type { MailContent, MailText, MailWriter, MailWriters } from './mail-writers.js';
export { writeNotice } from './notice-mail.js';
export {
  BILLING_MAIL_KINDS,
  type BillingMailKind,
  type MailedDocument,
  type OutboxMail,
  type RefusalMailKind,
} from './outbox-mail.js';
export { type MailOutcome, type OutboxWorkerDeps, sendMailNow } from './outbox-worker.js';
export {
  areMailsSent,
  insertMail,
  insertMailsOnce,
  listUnsentMails,
  markWaitingMailsSkipped,
  requeueMails,
  skipUnsentMails,
  WENT_OUT,
} from './rows.js';
export { safeName } from './safe-name.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** The parts that send mails. */
    readonly outbox: OutboxWorkerDeps;
  }
}
