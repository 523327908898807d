import { describe, expect, it } from 'vitest';
import { AGREEMENT_PLACEHOLDERS, fillAgreement, readPlaceholders } from './fill-agreement.js';
import { renderMarkdown } from './markdown.js';

const content = (markdown: string) => renderMarkdown(markdown).content;

describe('the Markdown of agreements', () => {
  it('takes the first heading as title', () => {
    expect(renderMarkdown('# Términos & más\n\nHola.')).toEqual({
      title: 'Términos &amp; más',
      content: '<p>Hola.</p>',
    });
    expect(renderMarkdown('Hola.\n# Uno')).toEqual({ title: '', content: '<p>Hola.</p>\n<h1>Uno</h1>' });
  });

  it.each([
    ['a paragraph of two lines', 'uno\ndos\n\ntres', '<p>uno\ndos</p>\n<p>tres</p>'],
    ['a heading right before text', '## A\ntexto', '<h2>A</h2>\n<p>texto</p>'],
    ['bullets', '- a\n- b\n  sigue', '<ul>\n<li>a</li>\n<li>b\nsigue</li>\n</ul>'],
    ['numbers after text', 'x\n1. a\n2. b', '<p>x</p>\n<ol>\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['a rule', 'a\n\n---\n\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
    ['emphasis', '**muy** *bien* `x<y`', '<p><strong>muy</strong> <em>bien</em> <code>x&lt;y</code></p>'],
    ['a link', '[aquí](https://a.ec/?x=1&y=2)', '<p><a href="https://a.ec/?x=1&#38;y=2">aquí</a></p>'],
    ['Windows line ends', '- a\r\n- b\r\n', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['nothing', '', ''],
  ])('renders %s', (_, markdown, html) => {
    expect(content(markdown)).toBe(html);
  });

  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['an image', '<img src=x onerror=alert(1)>'],
    ['a script behind a link', '[x](javascript:alert(1))'],
    ['a script behind a link in other letters', '[x](JaVaScRiPt:alert`1`)'],
    ['data behind a link', '[x](data:text/html,hola)'],
    ['a quote in a link', '[x](https://a.ec/"onmouseover="alert)'],
    ['markup in a heading', '# <b onclick=x>hola'],
  ])('renders no active content: %s', (_, markdown) => {
    const { title, content } = renderMarkdown(markdown);
    expect(title + content).not.toMatch(/<(?!\/?(?:p|a|h1|code|em)\b)|<a href="(?!https:)|<[^>]*\son\w+=/i);
  });
});

describe('the placeholders of agreements', () => {
  const values = {
    businessName: 'A *B* [c](https://x.ec) <i> {{ruc}} \n# D',
    ruc: '1790012345001',
    email: 'a_b@c.ec',
    date: '21/11/2026',
    version: '1.0',
  };

  it('fills placeholders with unchanged values', () => {
    const filled = fillAgreement('Para {{businessName}} y {{ email }}, {{otro}}.', values);
    expect(content(filled)).toBe('<p>Para A *B* [c](https://x.ec) &lt;i&gt; {{ruc}} # D y a_b@c.ec, {{otro}}.</p>');
  });

  it('recognizes placeholders by their names', () => {
    expect(readPlaceholders('{{ruc}} {{date}}')).toEqual({ unknown: null, allowed: AGREEMENT_PLACEHOLDERS });
    expect(readPlaceholders('{{ruc}} {{constructor}}').unknown).toBe('constructor');
  });
});
