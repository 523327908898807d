import { readdirSync, readFileSync } from 'node:fs';
import { documentTypes } from 'sri-core';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../console/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const pages = ['', 'pages/', 'forms/'].flatMap((under) =>
  readdirSync(new URL(under || './', folder)).flatMap((name) =>
    name.endsWith('.js') && name !== 'texts.js' ? [`${under}${name}`] : [],
  ),
);
const code = pages.map(read).join('\n');
/** Each text by its name, with its placeholders. */
const texts = new Map(
  [...read('texts.js').matchAll(/^ {2}'?([\w.]+)'?: \[([\s\S]*?)\],$/gm)].map(([, name = '', both = '']) => [
    name,
    both,
  ]),
);
const quoted = (source: string) =>
  [...source.matchAll(/'((?:[^'\\]|\\.)*)'|"([^"]*)"/g)].map(([, one, two]) => one ?? two ?? '');

describe('the texts of the console', () => {
  it('exist in Spanish and English, with the same placeholders', () => {
    expect(texts.size).toBeGreaterThan(150);
    for (const [name, both] of texts) {
      const forms = quoted(both);
      expect([name, forms.length]).toEqual([name, 2]);
      const [es = [], en = []] = forms.map((text) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted());
      expect([name, en]).toEqual([name, es]);
    }
  });

  it('name the types of documents as the catalog does', () => {
    const named = documentTypes.map(({ code }) => quoted(texts.get(`type.${code}`) ?? ''));
    expect(named).toEqual(documentTypes.map(({ description }) => [description.es, description.en]));
  });

  it('are exactly those that the pages name', () => {
    const named = new Set([...code.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, name = '']) => name));
    expect([...named].filter((name) => !texts.has(name))).toEqual([]);
    const isNamed = (name: string) => {
      const [prefix] = name.split('.');
      return [`'${name}'`, `\`${prefix}.$`, `texts: '${prefix}'`].some((mention) => code.includes(mention));
    };
    expect([...texts.keys()].filter((name) => !isNamed(name))).toEqual([]);
  });
});
