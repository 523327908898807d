import { escapeHtml } from '../platform/escape-html.js';
import type { Language } from '../platform/language.js';
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
    html: [
      `<!doctype html><html lang="${language}"><body style="font-family:sans-serif;line-height:1.5;color:#222">`,
      ...paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`),
      `<table style="border-collapse:collapse">${table.map(toRow).join('')}</table>`,
      '</body></html>',
    ].join('\n'),
  };
}

/** A text without line ends and control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

// --- internal ---

function toRow([label, value]: readonly [string, string]): string {
  return `<tr><td style="padding:.2em 1em .2em 0;color:#555">${escapeHtml(label)}</td><td>${escapeHtml(value)}</td></tr>`;
}
