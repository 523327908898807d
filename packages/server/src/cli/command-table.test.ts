import { translate } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { runCli } from '../testing/run-cli.js';
import { COMMANDS } from './commands.js';

/** The commands that are promised to an operator. */
const PROMISED = [
  'init',
  'serve',
  'doctor',
  ...['inspect', 'make-test'].map((word) => `cert ${word}`),
  'sign',
  'verify',
  ...['parse', 'build'].map((word) => `key ${word}`),
  'ride',
  ...['create', 'send', 'status', 'wait'].map((word) => `invoice ${word}`),
  ...['list', 'get', 'xml', 'ride', 'export', 'void', 'rebuild'].map((word) => `documents ${word}`),
  'received',
  'withholding draft',
  ...['issue', 'template'].map((word) => `batch ${word}`),
  ...['listen', 'verify'].map((word) => `webhooks ${word}`),
  ...['migrate', 'backup', 'restore'].map((word) => `db ${word}`),
  'keys rotate-master',
  ...['tenants', 'suspend', 'unsuspend', 'promote'].map((word) => `admin ${word}`),
  ...['payments verify', 'payments reject', 'prices publish', 'jobs retry'].map((word) => `admin ${word}`),
  'openapi',
  'simulate',
];

describe('the table of commands', () => {
  it('the table has every promised command once', () => {
    const names = COMMANDS.map(({ name }) => name);
    expect(PROMISED.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });

  it.each(COMMANDS.map(({ name }) => name))(
    '%s documents itself in both languages and names an unknown option',
    async (name) => {
      const words = name.split(' ');
      const [es, en] = await Promise.all(
        ['es', 'en'].map((language) => runCli({}, ...words, '--help', '--lang', language)),
      );
      expect([es?.code, en?.code]).toEqual([0, 0]);
      expect(es?.out).toContain(`Uso: sri-server ${name}`);
      expect(en?.out).toContain(`Usage: sri-server ${name}`);
      const command = COMMANDS.find((each) => each.name === name);
      expect(command && translate(command.summary, 'es')).not.toBe(command && translate(command.summary, 'en'));
      const options = Object.keys((await command?.load())?.options ?? {});
      for (const option of options) expect(es?.out).toContain(`--${option}`);
      // Programs get JSON and users a sentence; both get exit code 2.
      const refused = await runCli({}, ...words, '--no-such-option', '--json');
      expect([refused.code, refused.json()]).toMatchObject([2, { ok: false, code: 'USAGE' }]);
      const reported = await runCli({ LC_ALL: 'es_EC.UTF-8' }, ...words, '--no-such-option');
      expect([reported.code, reported.out]).toEqual([2, '']);
      expect(reported.errors).toContain('No hay una opción --no-such-option.');
    },
  );
});
