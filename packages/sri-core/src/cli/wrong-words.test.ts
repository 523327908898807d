import { expect, it } from 'vitest';
import { runCoreCli } from './testing/run-core-cli.js';

it.each([
  [['verfy', 'x.xml'], 'es', '¿Quiso decir «verify»?'],
  [['key', 'pars', '123'], 'en', 'Did you mean «key parse»?'],
  [['--versoin'], 'es', '¿Quiso decir «--version»?'],
  [['key', 'build', '--numbre', '1'], 'es', '¿Quiso decir --number?'],
  [['key', 'build', '--jsn'], 'en', 'Did you mean --json?'],
])('suggests another word for %j in %s', async (argv, language, reported) => {
  const { code, errors } = await runCoreCli([...argv, '--lang', language]);
  expect([code, errors]).toEqual([2, expect.stringContaining(reported)]);
});

it('answers half a command in JSON', async () => {
  const { code, out } = await runCoreCli(['key', '--json']);
  expect([code, JSON.parse(out)]).toMatchObject([2, { ok: false, code: 'USAGE' }]);
});

it('suggests nothing without a close word', async () => {
  const { code, errors } = await runCoreCli(['facturar', '--lang', 'es']);
  expect([code, errors]).toEqual([2, expect.not.stringContaining('Quiso decir')]);
});

it("explains a check digit in the reader's language", async () => {
  const key = '2111202601179999999000110010010000000071234567811';
  expect((await runCoreCli(['key', 'parse', key, '--lang', 'es'])).out).not.toMatch(/\b(right|wrong|uncertain)\b/);
  expect((await runCoreCli(['key', 'parse', key, '--json'])).out).toMatch(/"rucCheckDigit": "(right|wrong|uncertain)"/);
});
