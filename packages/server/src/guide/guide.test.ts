import { readdirSync, readFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { join } from 'node:path';
import { type Language, silentLogger } from 'sri-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../platform/language.js';
import { findFolderWith } from '../platform/package-folder.js';
import { type RunningServer, startServer } from '../server.js';
import { testFolder } from '../testing/test-folder.js';
import { openTestServer } from '../testing/test-server.js';
import { GUIDE_GROUPS, GUIDE_PAGE_NAMES } from './guide-pages.js';

const ROOT = findFolderWith('docs/es/quick-start-server.md');
const readPage = (language: Language, name: string) => readFileSync(join(ROOT, 'docs', language, `${name}.md`), 'utf8');
const PAGES = LANGUAGES.flatMap((language) => GUIDE_PAGE_NAMES.map((name) => [language, name] as const));
/** The size limit of a page with its style. */
const MOST_BYTES = 60 * 1024;

const dataDir = testFolder('guide');
let server: RunningServer;
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers, redirect: 'manual' });

beforeAll(async () => {
  server = await startServer({ PORT: '0', DATA_DIR: dataDir }, { logger: silentLogger });
});
afterAll(() => server.close());

describe('the table of the guide', () => {
  it.each(LANGUAGES)('the table names every page of docs/%s once', (language) => {
    const files = readdirSync(join(ROOT, 'docs', language)).map((name) => name.replace(/\.md$/, ''));
    expect([...GUIDE_PAGE_NAMES].toSorted(), 'guide/guide-pages.ts').toEqual(files.toSorted());
  });

  it('the table equals the list of llms.txt', () => {
    const listed = readFileSync(join(ROOT, 'llms.txt'), 'utf8').match(/^- .*\(docs\/.*$/gm);
    const lines = GUIDE_GROUPS.flatMap(({ pages }) => pages).map(({ name, about }) => {
      const title = /^# (.+)$/m.exec(readPage('en', name))?.[1];
      return `- [${title}](docs/en/${name}.md): ${about.en}`;
    });
    expect(listed).toEqual(lines);
  });
});

describe('the pages of the guide', () => {
  it.each(PAGES)('the page %s/%s is complete and small', async (language, name) => {
    const answer = await get(`/guide/${language}/${name}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await answer.text();
    const title = /^# (.+)$/m.exec(readPage(language, name))?.[1] ?? '';
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(`<title>${title.replaceAll("'", '&#39;')} · `);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).not.toMatch(/<!--|<script(?! type="module" src="\/guide)|<style|style=|\son\w+=/);
    const style = await (await get('/guide/assets/guide.css')).text();
    expect(Buffer.byteLength(html) + Buffer.byteLength(style)).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('the pages have no broken link to a page or to a heading', async () => {
    const seen = new Map<string, Promise<string | null>>();
    const fetched = (path: string) => {
      const known = seen.get(path) ?? get(path).then(async (answer) => (answer.ok ? answer.text() : null));
      seen.set(path, known);
      return known;
    };
    const starts = ['/', ...LANGUAGES.map((language) => `/guide/${language}`)];
    const pages = [...starts, ...PAGES.map(([language, name]) => `/guide/${language}/${name}`)];
    const broken: string[] = [];
    let links = 0;
    for (const page of pages) {
      const html = (await fetched(page)) ?? '';
      for (const [, address = ''] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
        links += 1;
        const { origin, pathname, hash } = new URL(address, `${server.url}${page}`);
        if (origin !== server.url) {
          expect(address).toMatch(/^https?:\/\//);
          continue;
        }
        const target = await fetched(pathname);
        const id = decodeURIComponent(hash.slice(1));
        if (target === null || (id !== '' && !target.includes(`id="${id}"`))) broken.push(`${page} → ${address}`);
      }
    }
    expect(broken).toEqual([]);
    expect(links).toBeGreaterThan(2000);
  });

  it('the pages are also Markdown at the same address with .md, with working links', async () => {
    const broken: string[] = [];
    for (const [language, name] of PAGES) {
      const answer = await get(`/guide/${language}/${name}.md`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
      const markdown = await answer.text();
      for (const [, target = ''] of markdown.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        if (!(await get(new URL(target, answer.url).pathname)).ok) broken.push(`${language}/${name} → ${target}`);
      }
    }
    expect(broken).toEqual([]);
    const index = await (await get('/guide/es.md')).text();
    expect(index).toContain('- [Conceptos](/guide/es/concepts.md): ');
  });

  it('the pages have a policy that blocks content from elsewhere, and name nothing outside the server', async () => {
    const answer = await get('/guide/es/security');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    const loaded = [
      ...(await answer.text()).matchAll(/<(?:link rel="(?:icon|stylesheet)"|script|img)[^>]*(?:src|href)="([^"]+)"/g),
    ];
    expect(loaded).toHaveLength(4);
    for (const [, address] of loaded) expect(address).toMatch(/^\/guide\/assets\//);
  });

  it('the server does not send an unchanged page again, and answers HEAD', async () => {
    for (const path of [
      '/guide/es',
      '/guide/en/server',
      '/guide/en/server.md',
      '/guide/assets/guide.css',
      '/llms.txt',
    ]) {
      const first = await get(path);
      const etag = first.headers.get('etag') ?? '';
      expect(first.headers.get('cache-control')).toBe('no-cache');
      const again = await get(path, { 'if-none-match': etag });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const head = await fetch(`${server.url}${path}`, { method: 'HEAD' });
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
    }
  });

  it.each([
    ['/guide', 'es', '/guide/es'],
    ['/guide', 'en-US,en;q=0.9', '/guide/en'],
    ['/guide', 'fr', '/guide/es'],
    ['/guide/faq', 'en', '/guide/en/faq'],
  ])('%s redirects a reader of %s to %s', async (path, language, target) => {
    const answer = await get(path, { 'accept-language': language });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, target]);
    expect(answer.headers.get('vary')).toBe('Accept-Language');
  });

  it.each([
    '/guide/fr',
    '/guide/es/nothing',
    '/guide/es/.md',
    '/guide/es/server.md.md',
    '/guide/es/..%2fes%2fserver',
    '/guide/es/..%2f..%2fllms.txt',
    '/guide/es/..%5c..%5cpackage.json',
    '/guide/es/%2e%2e%2f%2e%2e%2fpackage.json',
    '/guide/es/server%00.md',
    '/guide/es/%252e%252e%252fserver',
    '/guide/es/%ff',
    '/guide/es/__proto__',
    '/guide/constructor/server',
    '/guide/../docs/es/server.md',
    '/guide/es/../../package.json',
    '/guide/assets/..%2fpackage.json',
    '/guide/assets/constructor',
    '/guide/assets/guide.css%00',
    `/guide/es/${'a'.repeat(4000)}`,
  ])('the guide does not serve %s', async (path) => {
    // Sent raw: fetch would normalize the path.
    const status = await new Promise((resolve, reject) => {
      const { port } = new URL(server.url);
      httpGet({ host: '127.0.0.1', port, path }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
    });
    expect(status).toBe(404);
  });
});

describe('the texts of the guide for programs', () => {
  it('llms.txt is a list whose links all work', async () => {
    const list = await (await get('/llms.txt')).text();
    const links = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, address = '']) => address);
    expect(links).toHaveLength(GUIDE_PAGE_NAMES.length);
    for (const address of links) expect((await fetch(address)).status, address).toBe(200);
    expect(list).not.toMatch(/\]\(examples|docs\/en/);
  });

  it('llms-full.txt has all pages as one text', async () => {
    const all = await (await get('/llms-full.txt')).text();
    for (const name of GUIDE_PAGE_NAMES) expect(all).toContain(`\n# ${/^# (.+)$/m.exec(readPage('en', name))?.[1]}\n`);
    expect(all).not.toMatch(/\]\((?!https?:|#|\/)/);
  });
});

describe('a server without the guide (GUIDE=off)', () => {
  it('GUIDE=off removes the pages and all links to them', async () => {
    const plain = await openTestServer(null, { settings: { GUIDE: 'off' } });
    for (const path of [
      '/guide',
      '/guide/es',
      '/guide/es/server',
      '/guide/assets/guide.css',
      '/llms.txt',
      '/llms-full.txt',
    ]) {
      expect((await plain.request(path)).status, path).toBe(404);
    }
    for (const path of ['/', '/docs', '/docs/errors', '/docs/errors/not-found']) {
      const html = await (await plain.request(path)).text();
      expect(html).toContain('href="/console"');
      expect(html).not.toContain('/guide');
    }
    await plain.close();
  });
});

describe('the first page of a server', () => {
  it('the first page links to the guide, the console, the reference and the errors', async () => {
    for (const [language, title] of [
      ['es', 'Facturación electrónica'],
      ['en', 'Electronic invoicing'],
    ] as const) {
      const html = await (await get('/', { 'accept-language': language })).text();
      expect(html).toContain(`<h1>${title}</h1>`);
      for (const address of [`/guide/${language}`, '/console', '/docs', '/docs/errors']) {
        expect(html).toContain(`href="${address}"`);
      }
    }
  });

  it('the pages of errors and the reference link to the guide', async () => {
    for (const path of ['/docs', '/docs/errors', '/docs/errors/not-found']) {
      expect(await (await get(path, { 'accept-language': 'en' })).text()).toContain('href="/guide/en"');
    }
  });
});
