import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sriCodesPage } from '../documents/sri-codes-page.js';
import { readConfig } from './config.js';
import { configurationPage, environmentFile } from './config-reference.js';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

describe('the page of the SRI codes', () => {
  it.each(['en', 'es'] as const)('docs/%s/sri-codes.md is the output of `npm run reference`', (language) => {
    expect(read(`docs/${language}/sri-codes.md`)).toBe(sriCodesPage(language));
  });
});

describe('the pages of the configuration', () => {
  it.each(['en', 'es'] as const)('docs/%s/configuration.md is the output of `npm run reference`', (language) => {
    expect(read(`docs/${language}/configuration.md`)).toBe(configurationPage(language));
  });

  it('the pages give defaults in their own language', () => {
    expect(configurationPage('es')).toContain('| `BASE_URL` | donde escucha |');
    expect(configurationPage('en')).toContain('| `BASE_URL` | where it listens |');
  });

  it('.env.example is the output of `npm run reference`', () => {
    expect(read('.env.example')).toBe(environmentFile());
  });

  it('.env.example names every variable that the server reads, and no other', () => {
    const asked = new Set<string>();
    readConfig(new Proxy({}, { get: (_, name) => (typeof name === 'string' ? void asked.add(name) : undefined) }));
    const named = [...environmentFile().matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name ?? '');
    expect(named.toSorted()).toEqual([...asked].toSorted());
  });

  it('.env.example gives valid example values', () => {
    const lines = [...environmentFile().matchAll(/^#([A-Z_]+)=(.+)$/gm)];
    const env = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
    const { NODE_ENV: _, ...outsideProduction } = env;
    expect(() => readConfig(outsideProduction)).not.toThrow();
  });
});
