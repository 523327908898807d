import { readdirSync, readFileSync } from 'node:fs';
import { documentTypes } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { PLAN_NAMES, SUSPENSION_REASONS } from '../accounts/index.js';
import { NOTIFICATION_TYPES } from '../notifications/notification-types.js';

interface Field {
  readonly kind: string;
  readonly name: string;
  readonly label?: string;
  readonly texts?: string;
  readonly codes?: readonly string[];
  readonly fields?: readonly Field[];
}

const folder = new URL('../../console/src/', import.meta.url);
/** The modules as the console's pages have them: they need no browser. */
const load = async (name: string) => import(new URL(name, folder).href);
const { TEXTS } = (await load('texts/texts.ts')) as {
  TEXTS: Readonly<Record<string, { readonly es: string; readonly en: string }>>;
};
const { FORMS } = (await load('forms/forms.ts')) as { FORMS: Readonly<Record<string, { fields: readonly Field[] }>> };

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const code = files
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('texts/'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');
const allFields = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) => [field, ...allFields(field.fields ?? [])]);
const fields = Object.values(FORMS).flatMap((form) => allFields(form.fields));

describe('the texts of the console', () => {
  it('the texts have the same placeholders in Spanish and English', () => {
    const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted();
    const texts = Object.entries(TEXTS);
    expect(texts.length).toBeGreaterThan(400);
    expect(texts.map(([name, { en }]) => [name, placeholders(en)])).toEqual(
      texts.map(([name, { es }]) => [name, placeholders(es)]),
    );
    expect(texts.filter(([, { es, en }]) => es.trim() === '' || en.trim() === '')).toEqual([]);
  });

  it('the texts name the types of documents as the catalog does', () => {
    expect(documentTypes.map(({ code }) => TEXTS[`type.${code}`])).toEqual(
      documentTypes.map(({ description: { es, en } }) => ({ es, en })),
    );
  });

  it('the texts name every plan', () => {
    expect(PLAN_NAMES.filter((plan) => !(`plan.${plan}` in TEXTS))).toEqual([]);
  });

  it('the texts name every reason of a suspension', () => {
    expect(SUSPENSION_REASONS.filter((reason) => !(`suspension.${reason}` in TEXTS))).toEqual([]);
  });

  it('the texts name every notification, and the page lists every type that the interface does not', () => {
    const types = Object.entries(NOTIFICATION_TYPES);
    expect(types.map(([type]) => `notice.${type}`).filter((name) => !(name in TEXTS))).toEqual([]);
    const unlisted = types.flatMap(([type, { channels, listed }]) =>
      listed ? [] : channels.map((channel) => `{ type: '${type}', channel: '${channel}', enabled: true }`),
    );
    expect(
      unlisted.filter((preference) => !code.includes(preference)),
      'UNLISTED of pages/notifications.tsx',
    ).toEqual([]);
  });

  it('the texts name every field of the forms, and every code that a field offers', () => {
    const needed = fields.flatMap(({ name, label, texts, codes = [] }) => [
      label ?? name,
      ...(texts ? codes.map((each) => `${texts}.${each}`) : []),
    ]);
    expect([...new Set(needed)].filter((name) => !(name in TEXTS))).toEqual([]);
  });

  it.each([
    ['../../../sri-core/src/lifecycle/', /\beventType: '([A-Z_]+)'/g],
    ['../mail/', /\bevent(?::| =) \{ type: '([A-Z_]+)'/g],
  ])('the texts name every event of a document that the code in %s writes', (place, pattern) => {
    const from = new URL(place, import.meta.url);
    const sources = readdirSync(from).filter((name) => /(?<!\.test)\.ts$/.test(name));
    const written = sources.flatMap((name) => [...readFileSync(new URL(name, from), 'utf8').matchAll(pattern)]);
    expect(written).not.toEqual([]);
    expect(written.map(([, type]) => `event.${type}`).filter((name) => !(name in TEXTS))).toEqual([]);
  });

  it('the texts name every cause of a failed delivery to a webhook', () => {
    const sender = readFileSync(new URL('../webhooks/webhook-sender.ts', import.meta.url), 'utf8');
    const causes = [...(/type SendingFault = (.*);/.exec(sender)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
      ([, each]) => each,
    );
    expect(causes).toContain('CONNECT');
    expect(causes.filter((cause) => !(`fault.${cause}` in TEXTS))).toEqual([]);
  });

  it('the console uses every text', () => {
    const ofFields = new Set(fields.map(({ name, label }) => label ?? name));
    // Names of fields and elements, classes, and values of queries may be the same words.
    const texts = code
      .replaceAll(/\b(?:id|name)="[^"]*"|\bclass=(?:"[^"]*"|\{[^}]*\})/g, '')
      .replaceAll(/(?:\bname: |\bissuerId\??: |\bALL = |ElementById\(|\bparty\(|\w\[)'\w+'/g, '');
    const isUsed = (name: string) => {
      const [prefix] = name.split('.');
      const mentions = [
        `'${name}'`,
        `"${name}"`,
        `named('${prefix}'`,
        `'${prefix}')`,
        `\`${prefix}.$`,
        `texts: '${prefix}'`,
      ];
      return ofFields.has(name) || mentions.some((mention) => texts.includes(mention));
    };
    expect(Object.keys(TEXTS).filter((name) => !isUsed(name))).toEqual([]);
  });
});
