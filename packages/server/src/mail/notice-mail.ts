import type { Language } from 'sri-core';
import { escapeHtml } from '../platform/escape-html.js';
import { mailPage, mailRow, mailTable } from './mail-page.js';
import type { MailText } from './mail-writers.js';

/** The content of a mail to an account: paragraphs, and a table of figures. */
export interface Notice {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Label and value. A row with an empty value is left out. */
  readonly rows: readonly (readonly [string, string])[];
}

/** Lays out a mail to an account, as text and as a page. */
export function writeNotice({ subject, paragraphs, rows }: Notice, language: Language): MailText {
  const table = rows.filter(([, value]) => value !== '');
  return {
    subject,
    text: [
      ...paragraphs.flatMap((line) => [line, '']),
      ...table.map(([label, value]) => `${label}: ${value}`),
      '',
    ].join('\n'),
    html: mailPage(language, [
      ...paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`),
      mailTable(table.map(([label, value]) => mailRow(escapeHtml(label), escapeHtml(value)))),
    ]),
  };
}
