import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../platform/config-values.js';
import { testFolder } from '../testing/test-folder.js';
import { fillTemplate, readMailTemplates } from './mail-templates.js';

const VALUES = {
  issuer: 'Ñandú & Hijos <S.A.>',
  buyer: 'Ana\r\nBcc: otra@ejemplo.ec {{total}}',
  greeting: 'Hola, Ana:',
  documentType: 'Factura',
  number: '001-002-000000003',
  issueDate: '21/11/2026',
  totalLabel: 'Total',
  total: '$11.50',
  accessKey: '1'.repeat(49),
  authorizationNumber: '1'.repeat(49),
  authorizationDate: '2026-11-21T10:00:00-05:00',
  notice: '',
  logo: '',
};

/** The text of a page, as a reader sees it. */
const shown = (html: string) =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ');

describe('the texts of the mail to a buyer', () => {
  it('the mail to a buyer has its texts in both languages, with type and number in the subject', () => {
    const { es, en } = readMailTemplates(null);
    expect(fillTemplate(es, VALUES).subject).toBe('Factura 001-002-000000003 de Ñandú & Hijos <S.A.>');
    expect(fillTemplate(en, VALUES).subject).toBe('Factura 001-002-000000003 from Ñandú & Hijos <S.A.>');
    for (const template of [es, en]) {
      const { text, html } = fillTemplate(template, VALUES);
      expect(text).toContain(VALUES.accessKey);
      expect(text).not.toContain('\n\n\n');
      expect(html).not.toContain('<S.A.>');
      expect(html).toContain('&#38; Hijos &#60;S.A.&#62;');
    }
  });

  it('the mail to a buyer omits the total that a document does not have', () => {
    const { es } = readMailTemplates(null);
    const { text, html } = fillTemplate(es, { ...VALUES, totalLabel: 'Valor retenido', total: '$1.75' });
    expect(text).toContain('\nValor retenido: $1.75\n');
    expect(shown(html)).toContain('Valor retenido $1.75 Fecha de emisión');
    const without = fillTemplate(es, { ...VALUES, totalLabel: '', total: '' });
    expect(`${without.text} ${without.html}`).not.toContain('$');
    expect(shown(without.html)).toContain('Factura 001-002-000000003 Fecha de emisión 21/11/2026');
    expect(without.text).toContain(`Fecha de emisión: 21/11/2026\n`);
  });

  it.each(['es', 'en'] as const)('the mail to a buyer has the same words as text and as a page: %s', (language) => {
    const values = { ...VALUES, notice: 'Este comprobante fue anulado.' };
    const { text, html } = fillTemplate(readMailTemplates(null)[language], values);
    // Labels stand above their values on the page, without a colon.
    const words = (content: string) =>
      content
        .replace(/:(?=\s)/g, '')
        .replace(/\s+/g, ' ')
        .trim();
    expect(words(shown(html))).toBe(words(text));
  });

  it.each(['es', 'en'] as const)(
    'the mail to a buyer loads nothing, has no link and sets no colour: %s',
    (language) => {
      const { html } = fillTemplate(readMailTemplates(null)[language], { ...VALUES, logo: 'cid:logo' });
      expect([...html.matchAll(/\b(?:src|href|background)\s*=\s*"([^"]*)"/g)].map(([, url]) => url)).toEqual([
        'cid:logo',
      ]);
      expect(html).not.toMatch(/url\(|@import|<(?:a|script|link|iframe)\b/i);
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      expect(html).not.toMatch(/background|[;"]color:/);
    },
  );

  it('the mail to a buyer has no picture without a logo', () => {
    const { es } = readMailTemplates(null);
    expect(fillTemplate(es, VALUES).html).not.toContain('<img');
  });

  it('a value stays one line and is never read as a placeholder', () => {
    const filled = fillTemplate(
      { subject: '{{buyer}}', text: '{{buyer}}{{notice}}', html: '<p>{{buyer}}</p>' },
      VALUES,
    );
    const buyer = 'Ana Bcc: otra@ejemplo.ec {{total}}';
    expect(filled).toEqual({ subject: buyer, text: buyer, html: `<p>${buyer}</p>` });
  });
});

describe('a folder of texts', () => {
  const folder = testFolder('mail');

  it('a folder of texts replaces its own files alone', async () => {
    await writeFile(join(folder, 'authorized.es.subject.txt'), 'Su {{ documentType }}\n');
    const { es, en } = readMailTemplates(folder);
    expect(fillTemplate(es, VALUES).subject).toBe('Su Factura');
    expect(es.text).toBe(readMailTemplates(null).es.text);
    expect(en).toEqual(readMailTemplates(null).en);
  });

  it('a folder with mistakes is refused with a list of all mistakes', async () => {
    await writeFile(join(folder, 'autorizado.txt'), 'x');
    await writeFile(join(folder, 'authorized.en.html'), '{{buyr}}');
    await writeFile(join(folder, 'authorized.en.txt'), Uint8Array.of(0xff, 0xfe));
    await writeFile(join(folder, 'authorized.es.txt'), 'x'.repeat(256 * 1024 + 1));
    expect(() => readMailTemplates(folder)).toThrow(ConfigError);
    expect(() => readMailTemplates(folder)).toThrow(
      /^MAIL_TEMPLATES: (?=.*autorizado\.txt)(?=.*\{\{buyr\}\})(?=.*authorized\.en\.txt)(?=.*authorized\.es\.txt)/,
    );
  });

  it('a missing folder of texts is refused', () => {
    expect(() => readMailTemplates(join(folder, 'nowhere'))).toThrow(/^MAIL_TEMPLATES: give a folder/);
  });
});
