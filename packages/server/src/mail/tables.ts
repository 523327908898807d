// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** The outbox: mails to send, committed with their causes. */
export interface MailOutboxTable {
  id: string;
  tenant_id: string;
  kind: string;
  recipient: string;
  language: string;
  /** JSON: the values of the text, except the secret. */
  data: string;
  master_key_id: string | null;
  wrapped_key: string | null;
  /** The sealed token of the link; wiped once the mail is sent. */
  sealed_token: string | null;
  status: string;
  attempt_count: number;
  due_at: number;
  lease_until: number;
  lease_token: number;
  last_error: string | null;
  created_at: number;
  sent_at: number | null;
  /** The document of the mail, with its scope; null for a mail about the account. */
  document_id: string | null;
  issuer_id: string | null;
  environment: string | null;
  access_key: string | null;
  /** The document whose authorization caused the mail, one to each address; null for a copy on request. */
  authorization_of: string | null;
  /** 1 once a caller requested it: then it is sent even where such mails are switched off. */
  requested: number;
  /** The provider's reports since it was last sent, in order, separated by commas. */
  reports: string;
  /** The day in Ecuador on which it is counted; null before the first attempt. */
  counted_on: string | null;
}

/** Mails of documents by account, environment and day in Ecuador. */
export interface MailDaysTable {
  tenant_id: string;
  environment: string;
  /** `YYYY-MM-DD`. */
  day: string;
  mail_count: number;
}

declare module '../platform/database/tables.js' {
  interface ServerTables {
    mail_outbox: MailOutboxTable;
    mail_days: MailDaysTable;
  }
}
