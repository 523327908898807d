import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCli } from '../testing/run-cli.js';
import { findTable } from './batch/tables/index.js';
import { templateCsv } from './batch/write-template.js';
import { COMMANDS } from './commands.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const page = (language: string) => readFile(join(ROOT, 'docs', language, 'cli.md'), 'utf8');

describe.each(['en', 'es'])('docs/%s/cli.md', (language) => {
  it('the page names every command', async () => {
    const markdown = await page(language);
    const prose = markdown.slice(0, markdown.indexOf('<!-- made of: sri-server --help -->'));
    const missing = COMMANDS.filter(({ name }) => !name.startsWith('admin ') && !prose.includes(name));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

describe('examples/cli', () => {
  it.each(['facturas.csv', 'notas.jsonl'])('batch issue accepts the example %s', async (name) => {
    const { code, out } = await runCli({}, 'batch', 'issue', join(ROOT, 'examples/cli', name), '--check');
    expect([code, out]).toEqual([0, expect.stringMatching(/wrong +0/)]);
  });

  it('the example facturas.csv equals the file that init makes', async () => {
    expect(await readFile(join(ROOT, 'examples/cli/facturas.csv'), 'utf8')).toBe(
      templateCsv(findTable('01'), '2026-11-21'),
    );
  });
});
