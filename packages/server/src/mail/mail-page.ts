import type { Language } from 'sri-core';

/**
 * The page of a mail in HTML. It sets no text or background colour, so that a mail program can show it dark or light.
 * It loads nothing.
 *
 * @param body HTML, already safe.
 */
export function mailPage(language: Language, body: readonly string[]): string {
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    // Keeps programs from turning keys and addresses into links.
    '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">',
    '<style>:root { color-scheme: light dark; }</style></head>',
    `<body style="${BODY}">`,
    `<div style="${TEXT}">`,
    ...body,
    '</div></body></html>',
  ].join('\n');
}

/** A table of `mailRow`s. */
export function mailTable(rows: readonly string[]): string {
  return `<table role="presentation" cellspacing="0" cellpadding="0" style="width:100%;border-collapse:collapse;margin:1.2em 0">${rows.join('\n')}</table>`;
}

/** A row: the label small above its value, which may be as long as a key. Both are HTML, already safe. */
export function mailRow(label: string, value: string): string {
  return `<tr><td style="${CELL}"><span style="font-size:.85em;opacity:.75">${label}</span><br>${value}</td></tr>`;
}

// --- internal ---

const BODY =
  'margin:0;padding:1.2em;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5';
/** Names, keys and links without blanks break too. */
const TEXT = 'max-width:36em;overflow-wrap:anywhere;word-break:break-word';
/** A grey that shows on white and on black. */
const CELL = 'padding:.45em 0;border-top:1px solid #888';
