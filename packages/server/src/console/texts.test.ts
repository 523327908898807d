import { readdirSync, readFileSync } from 'node:fs';
import { documentTypes } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { PLAN_NAMES, SUSPENSION_REASONS } from '../accounts/index.js';
import { NOTIFICATION_TYPES } from '../notifications/notification-types.js';

type Texts = Readonly<Record<string, string>>;
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
const { es } = (await load('texts/es.ts')) as { es: Texts };
const { en } = (await load('texts/en.ts')) as { en: Texts };
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
  it('exist in Spanish and English, with the same placeholders', () => {
    const placeholders = (texts: Texts) =>
      Object.entries(texts).map(([name, text]) => [name, [...text.matchAll(/\{\w+\}/g)].map(String).toSorted()]);
    expect(Object.keys(es).length).toBeGreaterThan(400);
    expect(placeholders(en)).toEqual(placeholders(es));
    expect(Object.entries({ ...es, ...en }).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('name the types of documents as the catalog does', () => {
    expect(documentTypes.map(({ code }) => [es[`type.${code}`], en[`type.${code}`]])).toEqual(
      documentTypes.map(({ description }) => [description.es, description.en]),
    );
  });

  it('name every plan', () => {
    expect(PLAN_NAMES.filter((plan) => !(`plan.${plan}` in es))).toEqual([]);
  });

  it('name every reason of a suspension', () => {
    expect(SUSPENSION_REASONS.filter((reason) => !(`suspension.${reason}` in es))).toEqual([]);
  });

  it('name every notification, and what is off only by choice', () => {
    const types = Object.entries(NOTIFICATION_TYPES);
    expect(types.map(([type]) => `notice.${type}`).filter((name) => !(name in es))).toEqual([]);
    const unlisted = types.flatMap(([type, { channels, listed }]) =>
      listed ? [] : channels.map((channel) => `{ type: '${type}', channel: '${channel}', enabled: true }`),
    );
    expect(
      unlisted.filter((preference) => !code.includes(preference)),
      'UNLISTED of pages/notifications.tsx',
    ).toEqual([]);
  });

  it('name every field of the forms, and every code that a field offers', () => {
    const needed = fields.flatMap(({ name, label, texts, codes = [] }) => [
      label ?? name,
      ...(texts ? codes.map((each) => `${texts}.${each}`) : []),
    ]);
    expect([...new Set(needed)].filter((name) => !(name in es))).toEqual([]);
  });

  it.each([
    ['../../../sri-core/src/lifecycle/', /\beventType: '([A-Z_]+)'/g],
    ['../mail/', /\bevent(?::| =) \{ type: '([A-Z_]+)'/g],
  ])('name every event of a document that the code in %s writes', (place, pattern) => {
    const from = new URL(place, import.meta.url);
    const sources = readdirSync(from).filter((name) => /(?<!\.test)\.ts$/.test(name));
    const written = sources.flatMap((name) => [...readFileSync(new URL(name, from), 'utf8').matchAll(pattern)]);
    expect(written).not.toEqual([]);
    expect(written.map(([, type]) => `event.${type}`).filter((name) => !(name in es))).toEqual([]);
  });

  it('name every cause of a failed delivery to a webhook', () => {
    const sender = readFileSync(new URL('../webhooks/webhook-sender.ts', import.meta.url), 'utf8');
    const causes = [...(/type SendingFault = (.*);/.exec(sender)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
      ([, each]) => each,
    );
    expect(causes).toContain('CONNECT');
    expect(causes.filter((cause) => !(`fault.${cause}` in es))).toEqual([]);
  });

  it('are all used', () => {
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
    expect(Object.keys(es).filter((name) => !isUsed(name))).toEqual([]);
  });
});
