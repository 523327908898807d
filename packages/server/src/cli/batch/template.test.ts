import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCUMENT_TYPES, DOCUMENTS } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../testing/run-cli.js';
import { testFolder } from '../../testing/test-folder.js';
import { CSV_TABLES } from './tables/index.js';

const folder = testFolder('template');

describe('batch template', () => {
  it('lists the types, and names the valid types for an unknown type', async () => {
    const { out } = await runCli({}, 'batch', 'template', '--lang', 'es');
    for (const code of DOCUMENT_TYPES) expect(out).toContain(`${code}    ${DOCUMENTS[code].texts.name.es}`);
    const unknown = await runCli({}, 'batch', 'template', '7', '--lang', 'es');
    expect([unknown.code, unknown.errors]).toEqual([2, expect.stringContaining(DOCUMENT_TYPES.join(', '))]);
    const untyped = await runCli({}, 'batch', 'template', '--out', folder, '--lang', 'es');
    expect([untyped.code, untyped.errors]).toEqual([2, expect.stringContaining('Nombre el tipo')]);
  });

  it('the column table of each type has texts in both languages and no name twice', () => {
    expect(Object.keys(CSV_TABLES).toSorted()).toEqual(DOCUMENT_TYPES);
    for (const [code, { documentType, columns, withoutColumn }] of Object.entries(CSV_TABLES)) {
      expect(documentType).toBe(code);
      const notes = [withoutColumn, ...Object.values(columns).map(({ note }) => note)];
      expect(notes.filter(({ es, en }) => es === '' || es === en)).toEqual([]);
      const names = Object.values(columns).flatMap((column) => column.names);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });

  it.each(DOCUMENT_TYPES.flatMap((code) => [[code, 'csv'] as const, [code, 'jsonl'] as const]))(
    'writes a file of type %s as %s that passes --check, and overwrites none',
    async (code, kind) => {
      const path = join(folder, `${code}.${kind}`);
      const words = ['batch', 'template', code, '--out', path, ...(kind === 'jsonl' ? ['--jsonl'] : [])];
      const written = await runCli({}, ...words, '--json');
      expect(written.json()).toMatchObject({ ok: true, file: path, documentType: code });
      const check = await runCli({}, 'batch', 'issue', path, '--check', '--json');
      expect([check.code, check.json()]).toMatchObject([0, { ok: true, wrong: 0, warned: 0 }]);
      expect((await readFile(path, 'utf8')).trim().split('\n').length).toBeGreaterThan(kind === 'csv' ? 2 : 0);
      expect((await runCli({}, ...words, '--json')).json()).toMatchObject({ code: 'FILE_EXISTS' });
    },
  );
});
