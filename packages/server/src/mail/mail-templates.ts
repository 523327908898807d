import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language, LocalizedText } from 'sri-core';
import { ConfigError } from '../platform/config-values.js';
import { escapeHtml } from '../platform/escape-html.js';
import { LANGUAGES } from '../platform/language.js';
import { oneLine } from '../platform/one-line.js';
import { mailPage, mailRow, mailTable } from './mail-page.js';
import type { MailText } from './mail-writers.js';

/** The value of each `{{name}}` of a template. */
export type TemplateValues = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

/** The texts of the mail with a document in both languages. */
export type MailTemplates = Readonly<Record<Language, MailText>>;

/**
 * Reads the texts that replace built-in ones. A folder may hold any of these files, in UTF-8; missing files stay
 * built-in: `authorized.es.subject.txt`, `authorized.es.txt`, `authorized.es.html`, and the same with `en`.
 *
 * Each may use `{{issuer}}`, `{{greeting}}`, `{{buyer}}`, `{{documentType}}`, `{{number}}`, `{{issueDate}}`,
 * `{{totalLabel}}`, `{{total}}`, `{{accessKey}}`, `{{authorizationNumber}}`, `{{authorizationDate}}` and `{{notice}}`,
 * which is empty unless the document was annulled. In HTML, `<img src="{{logo}}">` shows the issuer's logo, which is empty
 * without one. Dates are as people write them, and the total is like `$1,234.50`. `{{buyer}}` is the counterparty of any type. A document without a
 * total leaves `{{total}}` empty. A mail about a test also gets its mark. In HTML the values are escaped.
 *
 * @param folder null for the built-in texts alone.
 * @throws ConfigError, naming every file that cannot be used.
 */
export function readMailTemplates(folder: string | null): MailTemplates {
  if (folder === null) return BUILT_IN;
  const problems: LocalizedText[] = [];
  const given = new Map<string, string>();
  for (const name of listFolder(folder)) {
    if (name.startsWith('.')) continue;
    if (!FILE_NAMES.includes(name))
      problems.push({ es: `${name} no es el nombre de un texto`, en: `${name} is not the name of a text` });
    else {
      const text = readText(join(folder, name));
      const unknown = text === null ? null : unknownPlaceholder(text);
      if (text === null) {
        problems.push({
          es: `${name} no es texto UTF-8 legible de hasta ${MAX_BYTES / 1024} KiB`,
          en: `${name} is not readable UTF-8 text of at most ${MAX_BYTES / 1024} KiB`,
        });
      } else if (unknown)
        problems.push({
          es: `${name} usa ${unknown}, que no existe`,
          en: `${name} uses ${unknown}, which does not exist`,
        });
      else given.set(name, text);
    }
  }
  if (problems.length > 0) throw refused(problems);
  const ofLanguage = (language: Language): MailText => ({
    subject: given.get(`authorized.${language}.subject.txt`)?.trim() ?? BUILT_IN[language].subject,
    text: given.get(`authorized.${language}.txt`) ?? BUILT_IN[language].text,
    html: given.get(`authorized.${language}.html`) ?? BUILT_IN[language].html,
  });
  return { es: ofLanguage('es'), en: ofLanguage('en') };
}

/**
 * Fills a mail's texts. Values are reduced to single lines, and escaped in HTML. A line of the text and a table row of the
 * HTML are left out when all their placeholders are empty.
 */
export function fillTemplate(template: MailText, values: TemplateValues): MailText {
  const plain = (name: keyof TemplateValues) => oneLine(values[name]);
  return {
    subject: fill(template.subject, plain).replace(/\s+/g, ' '),
    text: fill(withoutEmpty(template.text, TEXT_LINES, plain), plain).replace(/\n{3,}/g, '\n\n'),
    html: fill(withoutEmpty(template.html, TABLE_ROWS, plain), (name) => escapeHtml(plain(name))),
  };
}

// --- internal ---

const PLACEHOLDERS = [
  'issuer',
  'greeting',
  'buyer',
  'documentType',
  'number',
  'issueDate',
  'totalLabel',
  'total',
  'accessKey',
  'authorizationNumber',
  'authorizationDate',
  'notice',
  'logo',
] as const;
const FILE_NAMES = LANGUAGES.flatMap((language) =>
  ['subject.txt', 'txt', 'html'].map((ending) => `authorized.${language}.${ending}`),
);
const MAX_BYTES = 256 * 1024;
/** Number and total. */
const STRONG_ROWS = 2;

const TEXT_LINES = /.+\n?/g;
const TABLE_ROWS = /<tr\b[^>]*>.*?<\/tr>/gis;

/** Removes the parts of a template whose placeholders are all empty. */
function withoutEmpty(template: string, parts: RegExp, value: (name: keyof TemplateValues) => string): string {
  return template.replace(parts, (part) => {
    const used = PLACEHOLDERS.filter((name) => new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`).test(part));
    return used.length > 0 && used.every((name) => value(name) === '') ? '' : part;
  });
}

function fill(template: string, value: (name: keyof TemplateValues) => string): string {
  // One pass, so that a value that looks like a placeholder is not replaced.
  return template.replace(/\{\{\s*(\w+)\s*\}\}/g, (place, name: string) => {
    const known = PLACEHOLDERS.find((placeholder) => placeholder === name);
    return known ? value(known) : place;
  });
}

function unknownPlaceholder(text: string): string | null {
  for (const [place, name] of text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)) {
    if (!PLACEHOLDERS.some((placeholder) => placeholder === name)) return place;
  }
  return null;
}

function refused(problems: readonly LocalizedText[]): ConfigError {
  const sentence = (language: Language) => `${problems.map((problem) => problem[language]).join('; ')}.`;
  return new ConfigError([{ variable: 'MAIL_TEMPLATES', texts: { es: sentence('es'), en: sentence('en') } }]);
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    throw refused([{ es: 'nombre una carpeta que se pueda leer', en: 'give a folder that can be read' }]);
  }
}

function readText(path: string): string | null {
  try {
    const bytes = readFileSync(path);
    return bytes.byteLength > MAX_BYTES ? null : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Rows of the built-in texts: their labels by language, and their values. The first is the document itself. */
const ROWS: readonly { readonly label: LocalizedText; readonly value: string }[] = [
  { label: { es: '{{documentType}}', en: '{{documentType}}' }, value: '{{number}}' },
  { label: { es: '{{totalLabel}}', en: '{{totalLabel}}' }, value: '{{total}}' },
  { label: { es: 'Fecha de emisión', en: 'Issue date' }, value: '{{issueDate}}' },
  { label: { es: 'Fecha de autorización', en: 'Authorized on' }, value: '{{authorizationDate}}' },
  { label: { es: 'Clave de acceso', en: 'Access key' }, value: '{{accessKey}}' },
];

function texts(
  language: Language,
  { subject, body, files }: Readonly<Record<'subject' | 'body' | 'files', string>>,
): MailText {
  const rows = ROWS.map(({ label, value }) => [label[language], value] as const);
  const list = rows.map(([label, value]) => `${label}: ${value}`);
  return {
    subject,
    text: ['{{greeting}}', '', body, '', '{{notice}}', '', ...list, '', files, ''].join('\n'),
    html: mailPage(language, [
      // Left out with its row when the issuer has no logo. Programs that ignore the style take the height.
      '<table role="presentation" cellspacing="0" cellpadding="0"><tr><td style="padding:0 0 1em"><img src="{{logo}}" alt="" height="56" style="height:auto;max-height:56px;width:auto;max-width:100%;border-radius:4px"></td></tr></table>',
      '<p>{{greeting}}</p>',
      `<p>${body}</p>`,
      '<table role="presentation" cellspacing="0" cellpadding="0"><tr><td><strong>{{notice}}</strong></td></tr></table>',
      mailTable(
        rows.map(([label, value], index) => mailRow(label, index < STRONG_ROWS ? `<strong>${value}</strong>` : value)),
      ),
      `<p>${files}</p>`,
    ]),
  };
}

const BUILT_IN: MailTemplates = {
  es: texts('es', {
    subject: '{{documentType}} {{number}} de {{issuer}}',
    body: '{{issuer}} le envía su comprobante electrónico, autorizado por el SRI.',
    files:
      'Van adjuntos dos archivos: el RIDE (PDF), para leerlo o imprimirlo, y el XML autorizado, que es el documento con validez legal. Consérvelos.',
  }),
  en: texts('en', {
    subject: '{{documentType}} {{number}} from {{issuer}}',
    body: '{{issuer}} sends you your electronic document, authorized by the tax authority (SRI).',
    files:
      'Two files are attached: the RIDE (PDF), to read or print, and the authorized XML, which is the document with legal value. Keep them.',
  }),
};
