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
  readonly attachments?: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: Buffer;
    readonly cid?: string;
  }[];
}

/** The preview of a mail, with its pictures in the page instead of the list. */
export function toMailPreview({ id, to, subject, date, text, html, attachments = [] }: PreviewedMail): MailPreview {
  const pictures = attachments.filter(({ cid }) => cid !== undefined);
  const page = pictures.reduce(
    (shown, { cid, contentType, content }) =>
      shown.replaceAll(`"cid:${cid}"`, `"data:${contentType};base64,${content.toString('base64')}"`),
    html,
  );
  return {
    id,
    to,
    subject,
    date: date.toISOString(),
    text,
    html: page,
    attachments: attachments.filter(({ cid }) => cid === undefined).map(({ filename }) => filename),
  };
}
