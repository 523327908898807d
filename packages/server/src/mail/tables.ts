// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Mails to send, committed with what caused them. */
export interface MailOutboxTable {
  id: string;
  tenant_id: string;
  kind: string;
  recipient: string;
  language: string;
  /** JSON: what the text needs besides the secret. */
  data: string;
  master_key_id: string | null;
  wrapped_key: string | null;
  /** The sealed token of the link; wiped once the mail is out. */
  sealed_token: string | null;
  status: string;
  attempt_count: number;
  due_at: number;
  lease_until: number;
  lease_token: number;
  last_error: string | null;
  created_at: number;
  sent_at: number | null;
  /** The document it is about, with the scope that finds it; null on a mail about the account. */
  document_id: string | null;
  issuer_id: string | null;
  environment: string | null;
  access_key: string | null;
  /** The document whose authorization it tells, once each; null on a copy to another address. */
  authorization_of: string | null;
  /** 1 once somebody asked for it: then it goes out even where such mails are switched off. */
  requested: number;
  /** What its provider has reported since it was last sent, in that order, with commas between. */
  reports: string;
  /** The day in Ecuador among whose mails it is counted; null before it is tried. */
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
