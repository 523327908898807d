/** A mail as the console shows it to whoever develops with the server. */
export interface MailPreview {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  /** ISO 8601. */
  readonly date: string;
  readonly text: string;
  readonly html: string;
  /** The names of the files that go along. */
  readonly attachments: readonly string[];
}

/** A mail as far as it can be looked at. */
export interface PreviewedMail extends Omit<MailPreview, 'date' | 'attachments'> {
  readonly date: Date;
  readonly attachments?: readonly { readonly filename: string }[];
}

/** What is kept of a mail to be looked at. */
export function toMailPreview({ id, to, subject, date, text, html, attachments = [] }: PreviewedMail): MailPreview {
  return {
    id,
    to,
    subject,
    date: date.toISOString(),
    text,
    html,
    attachments: attachments.map(({ filename }) => filename),
  };
}
