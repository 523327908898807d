/** A mail as the console shows it to developers. */
export interface MailPreview {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  /** ISO 8601. */
  readonly date: string;
  readonly text: string;
  readonly html: string;
  /** The file names of its attachments. */
  readonly attachments: readonly string[];
}

/** The stored preview of a mail. */
export interface PreviewedMail extends Omit<MailPreview, 'date' | 'attachments'> {
  readonly date: Date;
  readonly attachments?: readonly { readonly filename: string }[];
}

/** The preview of a mail. */
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
