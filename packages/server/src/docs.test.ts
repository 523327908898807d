import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PLAN_LIMITS } from './accounts/index.js';
import { NOTIFICATION_TYPES } from './notifications/notification-types.js';
import { isMembers } from './openapi/json-schema.js';
import { at, list, operations, resolved } from './testing/described.js';
import { rewriteFences } from './testing/docs/fences.js';
import { deadLinks } from './testing/docs/links.js';
import { deadMentions } from './testing/docs/mentions.js';
import { PAGES, ROOT } from './testing/docs/pages.js';
import { deadRequests } from './testing/docs/requests.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const pagesIn = (language: string) => readdirSync(join(ROOT, 'docs', language)).toSorted();

describe('the documentation', () => {
  it('the documentation has the same pages and headings in both languages', () => {
    expect(pagesIn('es')).toEqual(pagesIn('en'));
    const headings = (path: string) => [...read(path).matchAll(/^#+ /gm)].map(([hashes]) => hashes);
    expect(headings('README.es.md')).toEqual(headings('README.md'));
    for (const page of pagesIn('en')) expect(headings(`docs/es/${page}`), page).toEqual(headings(`docs/en/${page}`));
  });

  it('llms.txt lists every page and every example', () => {
    const listed = read('llms.txt');
    const examples = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.ts'));
    const paths = [...pagesIn('en').map((page) => `docs/en/${page}`), ...examples.map((name) => `examples/${name}`)];
    const missing = paths.filter((path) => !listed.includes(`](${path})`));
    expect(missing, 'not in llms.txt').toEqual([]);
  });

  it.each(['en', 'es'])('docs/%s names every notification in webhooks.md, and every limit in server.md', (language) => {
    const missingIn = (page: string, names: readonly string[]) =>
      names.filter((name) => !read(`docs/${language}/${page}`).includes(`\`${name}\``));
    expect(missingIn('webhooks.md', Object.keys(NOTIFICATION_TYPES))).toEqual([]);
    expect(missingIn('server.md', Object.keys(PLAN_LIMITS.FREE))).toEqual([]);
  });

  it.each([...PAGES, 'llms.txt'])('%s links only to files and headings that exist', (page) => {
    expect(deadLinks(page, read(page))).toEqual([]);
  });

  it.each([...PAGES, 'llms.txt'])('%s mentions only files, scripts and commands that exist', async (page) => {
    expect(await deadMentions(read(page))).toEqual([]);
  });

  it.each([...PAGES, 'llms.txt'])('%s mentions only routes that exist, and bodies they accept', (page) => {
    expect(deadRequests(read(page))).toEqual([]);
  });

  it('the documentation names every parameter of the interface', () => {
    const prose = pagesIn('en').map((page) => rewriteFences(read(`docs/en/${page}`), () => ''));
    const spans = prose.flatMap((text) => [...text.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, span = '']) => span));
    const code = new Set(spans.flatMap((span) => span.match(/[\w-]+/g) ?? []));
    const missing = operations.flatMap(({ name, operation }) =>
      list(operation['parameters'])
        .map((parameter) => String(at(isMembers(parameter) ? resolved(parameter) : parameter, 'name')))
        .filter((parameter) => !code.has(parameter) && !name.includes(`{${parameter}}`))
        .map((parameter) => `${name} ${parameter}`),
    );
    expect(missing).toEqual([]);
  });

  it('the check finds broken links', () => {
    const dead = ['none.md', '../../none', 'cli.md#none', '#none', 'cli.md#una-factura'];
    const alive = ['cli.md', 'operator.md#backup', '../es/cli.md#un-comprobante', '#here', 'https://example.com/none'];
    const page = ['# Here', ...[...dead, ...alive].map((target) => `[text](${target})`)].join('\n');
    expect(deadLinks('docs/en/made-up.md', page)).toEqual(dead);
  });

  it('the check finds mentions of missing files, scripts, commands and variables', async () => {
    const dead = [
      ...['examples/none.ts', 'npm run none', 'sri-server none', 'sri-server doctor --none', 'NONE_OF_THESE=1'],
      ...['npx sri-core serve', 'sri-core cert none'],
    ];
    const alive = [
      ...['examples/invoice.json', 'npm run chaos', 'sri-server doctor --json', 'sri-server admin', 'TRUST_PROXY=1'],
      ...['npx sri-core verify factura.xml', 'sri-core'],
    ];
    const page = [...dead, ...alive].map((code) => `\`${code}\``).join(' and\n');
    expect(await deadMentions(page)).toEqual(dead);
  });

  it('the check finds invalid requests', () => {
    const page = [
      '`POST /v1/none`, `GET /v1/keys/:id` and `DELETE /v1/keys/:id`; `GET /v1/documents?none=&page=`, `GET /v1/documents?page=`',
      '| `PATCH /v1/admin/tenants/:id/status` | `{"status":"GONE"}`, `{"status":"ACTIVE"}`, `{"status":"ACTIVE","none":1}` |',
      '| `PATCH /v1/admin/tenants/:id/tier` | `{"status":"ACTIVE"}`, `{"subscriptionTier":"GROWTH"}` |',
      'Without a route: `{"none":1}`',
      '`GET`, `POST /v1/keys`; `GET`, `PUT /v1/keys/:id`; `POST …/send`, `GET …/none`',
    ].join('\n\n');
    expect(deadRequests(page)).toEqual([
      ...['POST /v1/none', 'GET /v1/keys/:id', 'GET /v1/documents?none=&page='],
      ...['{"status":"GONE"}', '{"status":"ACTIVE","none":1}', '{"status":"ACTIVE"}'],
      ...['PUT /v1/keys/:id', 'GET …/none'],
    ]);
  });
});
