// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

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
    mail_days: MailDaysTable;
  }
}

declare module '../platform/database/operation-tables.js' {
  /** The outbox: mails are jobs, committed with their causes. A mail's lane is its account; price notices share one. */
  interface JobsTable {
    recipient: string | null;
    language: string | null;
    /** JSON: the values of the text, except the secret. */
    data: string | null;
    master_key_id: string | null;
    wrapped_key: string | null;
    /** The sealed token of the link; wiped once the mail is sent. */
    sealed_token: string | null;
    /** The document of the mail, with its scope; null for a mail about the account. */
    document_id: string | null;
    issuer_id: string | null;
    environment: string | null;
    access_key: string | null;
    /** The document whose authorization caused the mail, one to each address; null for a copy on request. */
    authorization_of: string | null;
    /** 1 once a caller requested the mail, which is then sent even if mails to buyers are off. */
    requested: number | null;
    /** The provider's reports since the mail was last sent, in order, separated by commas. */
    reports: string | null;
    /** The day in Ecuador on which the mail is counted; null before the first attempt. */
    counted_on: string | null;
  }
}
