import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../testing/run-cli.js';
import { testFolder } from '../testing/test-folder.js';

const folder = testFolder('invoice-cli');

/** A body without the sums that can be derived. */
const BODY = {
  documentType: '01',
  buyer: { idType: '05', id: '1710034065', name: 'Ana', email: 'ana@example.com' },
  items: [
    {
      mainCode: 'P',
      description: 'Pan',
      quantity: '2',
      unitPrice: '1.50',
      taxes: [{ code: '2', rateCode: '4', rate: '15' }],
    },
  ],
  payments: [{ method: '01' }],
};

async function create(text: string, ...options: readonly string[]) {
  const path = join(folder, 'factura.json');
  await writeFile(path, text);
  // No server listens there: errors of the file are reported before any request.
  const settings = { SRI_URL: 'http://127.0.0.1:9', SRI_API_KEY: 'sri_test_x', SRI_ISSUER_ID: 'x' };
  return runCli(settings, 'invoice', 'create', path, ...options);
}

describe('invoice create', () => {
  it.each([
    ['es', 'Falta SRI_API_KEY.'],
    ['en', 'SRI_API_KEY is missing.'],
  ])('reports in one line that the API key is missing, and where to read more: %s', async (language, told) => {
    const { code, errors } = await runCli({}, 'invoice', 'create', 'x.json', '--lang', language);
    expect([code, errors.trim().split('\n')]).toEqual([
      2,
      [expect.stringContaining(told), expect.stringMatching(/: sri-server invoice create --help$/)],
    ]);
  });

  it('names the errors, except of sums that may be omitted', async () => {
    const [item] = BODY.items;
    const wrong = { ...BODY, items: [{ ...item, quantity: 2 }] };
    const answer = await create(JSON.stringify(wrong), '--json', '--lang', 'es');
    expect(answer.code).toBe(1);
    expect(answer.json()).toMatchObject({ ok: false, code: 'VALIDATION_FAILED' });
    const { errors } = answer.json<{ errors: readonly { field: string; message: string }[] }>();
    expect(errors.map(({ field }) => field)).toEqual(['items[0].quantity']);
    expect(errors[0]?.message).toContain('Debe ser');
    const english = await create(JSON.stringify(wrong), '--lang', 'en');
    expect(english.errors).toMatch(/items\[0\]\.quantity: Must be/);
  });

  it.each([
    ['cut short', '{"buyer": {', 'se corta antes de terminar'],
    ['with a comma too many', '{\n  "buyer": {},\n}', 'línea 3, columna 1'],
    ['that is invalid', 'hola', '«h» está fuera de lugar'],
  ])('reports a JSON %s in Spanish', async (_name, text, told) => {
    const { code, errors } = await create(text, '--lang', 'es');
    expect(code).toBe(1);
    expect(errors).toContain(told);
    expect(errors).not.toMatch(/Unexpected|Expected|JSON at/);
  });
});
