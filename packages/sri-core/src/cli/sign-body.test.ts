import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ecuadorDate, toIsoDate, toIssueDate } from '../calendar.js';
import { DOCUMENT_TYPES, documentTypeOf } from '../documents/registry.js';
import { SAMPLE_ISSUER } from '../testing/sample-bodies.js';
import { createTestP12 } from '../testing/test-p12.js';
import { runCoreCli } from './testing/run-core-cli.js';

const ENV = { SRI_P12_PASSWORD: 'x' };
let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sri-sign-'));
  await writeFile(at('a.p12'), await createTestP12({ ruc: SAMPLE_ISSUER.ruc, password: 'x' }));
  await writeFile(at('issuer.json'), JSON.stringify(SAMPLE_ISSUER));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The first example of a type on this day, without the amounts of its taxes. */
function bodyOf(code: (typeof DOCUMENT_TYPES)[number]): string {
  const today = toIssueDate(ecuadorDate(new Date()));
  return JSON.stringify(documentTypeOf(code).examples[0], (name, value: unknown) => {
    if (name === 'taxAmount') return undefined;
    const day = typeof value === 'string' ? toIsoDate(value) : null;
    return day !== null && day >= '2026-11-21' ? today : value;
  });
}

const sign = (path: string, ...words: readonly string[]) =>
  runCoreCli(['sign', path, '--p12', at('a.p12'), '--issuer', at('issuer.json'), ...words], { env: ENV });

describe('sign', () => {
  it.each(DOCUMENT_TYPES)(
    'signs the body of type %s into a file that `verify` passes and `ride` prints',
    async (code) => {
      await writeFile(at(`${code}.json`), bodyOf(code));
      const signed = await sign(at(`${code}.json`), '--number', '002-003-41', '--force', '--json');
      const { accessKey, file } = JSON.parse(signed.out);
      expect([signed.code, file], signed.out).toEqual([0, at(`${code}-firmado.xml`)]);
      expect([accessKey.slice(8, 10), accessKey.slice(23, 39)]).toEqual([code, '1002003000000041']);
      expect(await readFile(file, 'utf8')).toContain(`<${documentTypeOf(code).root} id="comprobante"`);
      expect((await runCoreCli(['verify', file])).code).toBe(0);
      expect((await runCoreCli(['ride', file, '--force'])).code).toBe(0);
    },
  );

  it.each<[string, string, readonly string[], number, string | RegExp]>([
    ['no number', '{}', [], 2, '--number'],
    ['another form of number', '{}', ['--number', '1'], 2, '001-001-000000001'],
    ['the number zero', '{}', ['--number', '001-001-0'], 2, '001-001-000000001'],
    ['no JSON', '{"a":', ['--number', '001-001-1'], 1, 'se corta antes de terminar'],
    ['a body of no type', '{}', ['--number', '001-001-1'], 1, 'documentType'],
    ['another type', '{"documentType":"02"}', ['--number', '001-001-1'], 1, '01, 03, 04'],
    [
      'every field of a body',
      '{"documentType":"05","issueDate":"01/01/2020","reasons":[]}',
      ['--number', '001-001-1'],
      1,
      /buyer: .*originalDocument: .*reasons: .*payments: .*issueDate: /s,
    ],
  ])('names the fault of %s, and writes nothing', async (_name, text, words, code, reported) => {
    await writeFile(at('bad.json'), text);
    const answer = await sign(at('bad.json'), ...words, '--lang', 'es');
    expect([answer.code, answer.out]).toEqual([code, '']);
    expect(answer.errors).toMatch(reported);
    await expect(readFile(at('bad-firmado.xml'))).rejects.toThrow('ENOENT');
  });

  it('names the faults of the issuer', async () => {
    await writeFile(at('good.json'), bodyOf('01'));
    await writeFile(at('incomplete.json'), '{"ruc":"1"}');
    const answer = await sign(at('good.json'), '--issuer', at('incomplete.json'), '--number', '001-001-1', '--json');
    expect(JSON.parse(answer.out)).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: expect.arrayContaining([expect.objectContaining({ field: 'issuer.ruc' })]),
    });
  });
});
