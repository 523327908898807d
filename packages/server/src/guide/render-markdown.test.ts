import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFolderWith } from '../platform/package-folder.js';
import { headingNames, renderMarkdown } from './render-markdown.js';

const place = {
  language: 'en',
  base: '/guide/en/',
  titleOf: (name: string) => (name === 'faq' ? 'Questions & answers' : undefined),
} as const;
const render = (markdown: string) => renderMarkdown(markdown, place).html;

describe('Markdown as HTML', () => {
  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['an image that fails', 'text <img src=x onerror=alert(1)> more'],
    ['a frame in a table', '| a |\n|---|\n| <iframe src="https://example.com"></iframe> |'],
    ['an attribute in a heading', '## <b onclick="x">y</b>'],
    ['a comment that ends early', '<!-- --><svg onload=alert(1)>'],
    ['a block', '<div style="position:fixed">\n\nover\n\n</div>'],
    ['a name of a language', '```"><script>alert(1)</script>\nx\n```'],
  ])('shows HTML as text: %s', (_name, markdown) => {
    const html = render(markdown);
    expect(html).not.toMatch(/<(script|img|iframe|b|svg|div style)\b/);
    expect(html.replace(/&#60;.*/gs, '')).not.toMatch(/\son\w+=/);
  });

  it.each([
    ['[a](server.md)', '/guide/en/server'],
    ['[a](server.md#going-to-production)', '/guide/en/server#going-to-production'],
    ['[a](#here)', '#here'],
    ['[a](https://example.com/?a=1&b="2")', 'https://example.com/?a=1&#38;b=&#34;2&#34;'],
    ['<http://127.0.0.1:3000>', 'http://127.0.0.1:3000'],
  ])('links %s to %s', (markdown, address) => {
    expect(render(markdown)).toContain(`<a href="${address}">`);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//example.com',
    '../../etc/passwd',
    'JaVaScRiPt:x',
    'vbscript:x',
  ])('creates no link from %s', (address) => {
    expect(render(`[a](${address})`)).toBe('<p>a</p>\n');
  });

  it('replaces a file name by the page’s title', () => {
    expect(render('[faq.md](faq.md#x) [faq](faq.md)')).toBe(
      '<p><a href="/guide/en/faq#x">Questions &#38; answers</a> <a href="/guide/en/faq">faq</a></p>\n',
    );
  });

  it('keeps the lines of code', () => {
    expect(render('```sh\ncurl "$A" <b>\n  & x\n```')).toBe(
      '<pre tabindex="0" role="group" aria-label="Code: sh"><code>curl &#34;$A&#34; &#60;b&#62;\n  &#38; x</code></pre>\n',
    );
    expect(render('`DATABASE_URL`')).toBe('<p><code class="word">DATABASE_<wbr>URL</code></p>\n');
    expect(render('`a<b>`')).toBe('<p><code class="word">a&#60;b&#62;</code></p>\n');
  });

  it('renders a state diagram as a table', () => {
    const html = render('```mermaid\nstateDiagram-v2\n    [*] --> SIGNED: create\n    SIGNED --> SENT\n```');
    expect(html).toContain('<td>–</td><td><span class="arrow">create</span></td><td><code>SIGNED</code></td>');
    expect(html).toContain(
      '<td><code>SIGNED</code></td><td><span class="arrow"></span></td><td><code>SENT</code></td>',
    );
    expect(html).not.toContain('stateDiagram');
  });

  it('lists the headings below the title', () => {
    const { headings } = renderMarkdown('# T\n\n## One `a`\n\n### Two\n\n## One `a`', place);
    expect(headings).toEqual([
      { id: 'one-a', text: 'One a', depth: 2 },
      { id: 'two', text: 'Two', depth: 3 },
      { id: 'one-a-1', text: 'One a', depth: 2 },
    ]);
  });
});

describe('the names of headings', () => {
  it.each([
    ['Pasar a producción', 'pasar-a-producción'],
    ['«FIRMA INVÁLIDA» y otros rechazos', 'firma-inválida-y-otros-rechazos'],
    ['1. A folder, and a server', '1-a-folder-and-a-server'],
    ['C#', 'c'],
  ])('the heading «%s» has the name %s', (text, name) => {
    expect(headingNames()(text)).toBe(name);
  });
});

describe('the style of the guide', () => {
  it('the style of the guide has the colours of the console', () => {
    const colours = (path: string) => {
      const css = readFileSync(join(findFolderWith('console/page.html'), path), 'utf8');
      return Object.fromEntries(
        [...css.matchAll(/^(\s+)--([\w-]+): (#\w+);$/gm)].map(([, indent, name, value]) => [
          `${indent?.length} ${name}`,
          value,
        ]),
      );
    };
    expect(colours('console/src/style/base.css')).toMatchObject(colours('guide/guide.css'));
  });
});
