import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { forgeKey } from '../testing/forged-key.js';
import { sampleFactura } from '../testing/sample-comprobante.js';
import { writeTestContainer } from '../testing/test-container.js';
import { createTestIdentity, createTestP12 } from '../testing/test-p12.js';
import { runCoreCli } from './testing/run-core-cli.js';

const DAY_MS = 86_400_000;
let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sri-cert-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const withPassword = (password: string) => ({ env: { SRI_P12_PASSWORD: password } });

describe('cert', () => {
  it('`cert make-test` makes a P12 in the layout of Banco Central, and `sign` picks the right pair', async () => {
    const path = at('bce.p12');
    expect(await runCoreCli(['cert', 'make-test', '--out', path])).toMatchObject({
      code: 0,
      errors: 'Password: prueba\n',
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const { code, out } = await runCoreCli(['cert', 'inspect', path, '--json'], withPassword('prueba'));
    const { choice } = JSON.parse(out) as { choice: { reason: string }[] };
    expect([code, choice.map(({ reason }) => reason)]).toEqual([0, ['notForSigning', 'chosen', 'isAuthority']]);
    const again = await runCoreCli(['cert', 'make-test', '--out', path, '--json']);
    expect([again.code, JSON.parse(again.out)]).toMatchObject([1, { code: 'FILE_EXISTS' }]);
  });

  it('`cert inspect` reads the password from a file, with or without a line end, and prints no password', async () => {
    await writeFile(at('secret'), 'clave ñ 1\n');
    const made = await runCoreCli(['cert', 'make-test', '--out', at('own.p12'), '--password-file', at('secret')]);
    expect(made).toMatchObject({ code: 0, errors: '' });
    const answers = [
      await runCoreCli(['cert', 'inspect', at('own.p12'), '--password-file', at('secret')]),
      await runCoreCli(['cert', 'inspect', at('own.p12')], withPassword('clave ñ 1')),
    ];
    expect(answers.map(({ code }) => code)).toEqual([0, 0]);
    expect(JSON.stringify([made, answers])).not.toContain('clave ñ');
  });

  it.each([
    ['wrong', 'SECRETO-mal'],
    ['with a blank behind it', 'prueba '],
    ['in other letters', 'PRUEBA'],
    ['empty', ''],
    ['endless', 'x'.repeat(5000)],
  ])('`cert inspect` reports a wrong password that is %s, without repeating it', async (_name, password) => {
    await writeFile(at('plain.p12'), await createTestP12({ password: 'prueba' }));
    for (const language of ['es', 'en']) {
      const { code, out, errors } = await runCoreCli(
        ['cert', 'inspect', at('plain.p12'), '--lang', language],
        withPassword(password),
      );
      expect([code, out]).toEqual([1, '']);
      expect(errors).toMatch(/^CERTIFICATE_PASSWORD_INVALID: (La contraseña no es|The password is not)/);
      if (password.trim().length > 6) expect(errors).not.toContain(password);
    }
  });

  it('`cert make-test` makes a P12 of the given layout, holder and days, and warns of its end and authority', async () => {
    const made = ['--out', at('sd.p12'), '--layout', 'security-data', '--name', 'Ana', '--days', '30'];
    expect(await runCoreCli(['cert', 'make-test', ...made], withPassword('otra'))).toMatchObject({
      code: 0,
      errors: '',
    });
    const inspect = ['cert', 'inspect', at('sd.p12')];
    const { choice, certificate } = JSON.parse((await runCoreCli([...inspect, '--json'], withPassword('otra'))).out);
    expect([choice.length, certificate]).toMatchObject([2, { holder: 'Ana', ruc: '1799999990001' }]);
    const { errors } = await runCoreCli(inspect, withPassword('otra'));
    expect(errors).toMatch(/expires in (29|30) days.*\nWho issued it is not known/);
  });

  it.each([
    [0.5, 'en menos de un día:'],
    [1.5, 'en 1 día:'],
    [2.5, 'en 2 días:'],
  ])('`cert inspect` prints the whole days of a certificate with %d days left', async (days, reported) => {
    const validTo = new Date(Date.now() + days * DAY_MS);
    await writeFile(at('ending.p12'), await createTestP12({ validFrom: new Date(Date.now() - DAY_MS), validTo }));
    const words = ['cert', 'inspect', at('ending.p12'), '--lang', 'es'];
    expect((await runCoreCli(words, withPassword('prueba'))).errors).toContain(`Vence ${reported}`);
  });

  it('`cert inspect` shows a certificate that is not in force yet, and exits with 1', async () => {
    const validFrom = new Date(Date.now() + DAY_MS);
    await writeFile(at('early.p12'), await createTestP12({ validFrom }));
    const { code, errors } = await runCoreCli(['cert', 'inspect', at('early.p12')], withPassword('prueba'));
    expect([code, errors]).toEqual([1, expect.stringContaining('not in force yet')]);
  });

  it('`cert inspect` shows an expired certificate, and exits with 1', async () => {
    const validTo = new Date(Date.now() - 5 * DAY_MS);
    await writeFile(at('old.p12'), await createTestP12({ validFrom: new Date(validTo.getTime() - DAY_MS), validTo }));
    const { code, errors, out } = await runCoreCli(
      ['cert', 'inspect', at('old.p12'), '--lang', 'es'],
      withPassword('prueba'),
    );
    expect(code).toBe(1);
    expect(errors).toContain('VENCIDO');
    expect(out).toMatch(/^vigente +no$/m);
  });

  it('`cert inspect` reports a missing password, and reads it from the standard input on request', async () => {
    await writeFile(at('asked.p12'), await createTestP12({ password: 'prueba' }));
    for (const language of ['es', 'en']) {
      const none = await runCoreCli(['cert', 'inspect', at('asked.p12'), '--lang', language], { input: 'prueba\n' });
      expect([none.code, none.errors]).toEqual([
        1,
        expect.stringMatching(/^CERTIFICATE_PASSWORD_MISSING: .*--password-file/),
      ]);
    }
    const words = ['cert', 'inspect', at('asked.p12'), '--password-file', '-'];
    expect(await runCoreCli(words, { input: 'prueba\n' })).toMatchObject({ code: 0 });
  });

  it('`cert inspect` answers entirely in Spanish: labels, and why a P12 does not open', async () => {
    await writeFile(at('own.p12'), await createTestP12({ password: 'prueba' }));
    const shown = await runCoreCli(['cert', 'inspect', at('own.p12'), '--lang', 'es'], withPassword('prueba'));
    expect(shown.out).toMatch(/^titular +/m);
    expect(shown.out).toMatch(/^días restantes +\d+/m);
    expect(shown.out).not.toMatch(/holder|daysLeft|issuerName|knownAuthority|validTo|inForce/);
    const wrong = await runCoreCli(['cert', 'inspect', at('own.p12'), '--lang', 'es'], withPassword('otra'));
    expect(wrong.errors).toMatch(/^CERTIFICATE_PASSWORD_INVALID: La contraseña no es[^()]+\n$/);
  });

  it('`cert inspect` distinguishes a certificate and a key from a P12', async () => {
    const { certificate, privateKey } = await createTestIdentity();
    await writeFile(at('one.cer'), certificate);
    await writeFile(at('key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const plain = await runCoreCli(['cert', 'inspect', at('one.cer')]);
    expect([plain.code, plain.errors]).toEqual([0, expect.stringContaining('without a private key')]);
    const key = await runCoreCli(['cert', 'inspect', at('key.pem')]);
    expect([key.code, key.errors]).toEqual([1, expect.stringContaining('private key in PEM')]);
    expect(key.errors).not.toContain('MII');
  });

  it.each([
    [
      'base64 text',
      async () => Buffer.from(await createTestP12()).toString('base64'),
      /base64/,
      /base64: decodifíquelo/,
    ],
    [
      'a P12 that is cut off',
      async () => (await createTestP12()).subarray(0, 900),
      /has 900 of its/,
      /tiene 900 de sus/,
    ],
    ['a page', async () => '<!doctype html><title>Sesión vencida</title>', /a web page/, /una página web/],
  ])(
    '`cert inspect` names the file given instead of a P12, in both languages: %s',
    async (_name, make, english, spanish) => {
      await writeFile(at('other.p12'), await make());
      for (const [language, reported] of [
        ['en', english],
        ['es', spanish],
      ] as const) {
        const { code, errors } = await runCoreCli(
          ['cert', 'inspect', at('other.p12'), '--lang', language],
          withPassword('prueba'),
        );
        expect([code, errors]).toEqual([1, expect.stringMatching(reported)]);
        expect(errors).toMatch(/^CERTIFICATE_INVALID: /);
      }
    },
  );
});

describe('sign and ride', () => {
  it('`sign` and `ride` turn an unsigned XML into a file that `verify` passes, and a PDF', async () => {
    const { xml } = sampleFactura({ ruc: '1799999990001', issueDate: today() });
    await writeFile(at('factura.xml'), `\uFEFF${xml}`);
    await writeFile(at('sign.p12'), await createTestP12());
    const signing = ['sign', at('factura.xml'), '--p12', at('sign.p12')];
    expect(await runCoreCli(signing, withPassword('prueba'))).toMatchObject({ code: 0, errors: '' });
    const target = at('factura-firmado.xml');
    expect((await runCoreCli(['verify', target])).code).toBe(0);
    const twice = await runCoreCli([...signing, '--json'], withPassword('prueba'));
    expect([twice.code, JSON.parse(twice.out)]).toMatchObject([1, { code: 'FILE_EXISTS' }]);
    const signedTwice = await runCoreCli(['sign', target, '--p12', at('sign.p12'), '--json'], withPassword('prueba'));
    expect(JSON.parse(signedTwice.out)).toMatchObject({ code: 'XML_NOT_SIGNABLE' });
    expect(await runCoreCli(['ride', target, '--out', at('ride.pdf')])).toMatchObject({ code: 0 });
    expect((await readFile(at('ride.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
    const noLogo = await runCoreCli(['ride', target, '--out', at('other.pdf'), '--logo', target, '--json']);
    expect([noLogo.code, JSON.parse(noLogo.out)]).toMatchObject([1, { code: 'IMAGE_INVALID' }]);
  });
});

describe('a P12 of a public certificate and a different key', () => {
  it('every command rejects a P12 with the certificate of another key, and writes nothing', async () => {
    const { certificate } = await createTestIdentity();
    await writeFile(
      at('forged.p12'),
      writeTestContainer([{ certificate, privateKey: forgeKey(certificate) }], { password: 'x' }),
    );
    await writeFile(at('plain.xml'), sampleFactura({ ruc: '1799999990001', issueDate: today() }).xml);
    const before = await readdir(folder);
    for (const words of [
      ['cert', 'inspect', at('forged.p12')],
      ['sign', at('plain.xml'), '--p12', at('forged.p12')],
    ]) {
      const { code, out } = await runCoreCli([...words, '--json'], withPassword('x'));
      expect([code, JSON.parse(out)]).toMatchObject([1, { ok: false, code: 'CERTIFICATE_KEY_NOT_FOUND' }]);
    }
    expect(await readdir(folder)).toEqual(before);
  });
});

describe('key', () => {
  it('`key build` builds keys that `key parse` reads', async () => {
    const number = ['--ruc', '1799999990001', '--number', '002-003-45', '--date', '05/11/2026'];
    const built = await runCoreCli(['key', 'build', ...number, '--production', '--numeric-code', '00000007']);
    const { out } = await runCoreCli(['key', 'parse', built.out.trim().replace(/(.{4})/g, '$1 '), '--json']);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      key: { environment: 'production', number: '002-003-000000045', documentName: 'Invoice', numericCode: '00000007' },
    });
  });

  it('`key build` dates a key by the day in Ecuador', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T03:00:00Z') });
    try {
      const { out } = await runCoreCli(['key', 'build', '--ruc', '1799999990001', '--number', '001-001-1']);
      expect(out.slice(0, 8)).toBe('21112026');
    } finally {
      vi.useRealTimers();
    }
  });

  it('`key parse` prints the correct check digit of a wrong key', async () => {
    const { out } = await runCoreCli(['key', 'build', '--ruc', '1799999990001', '--number', '001-001-1']);
    const key = out.trim();
    const digit = Number(key[48]);
    const wrong = await runCoreCli(['key', 'parse', key.slice(0, 48) + ((digit + 1) % 10), '--lang', 'es']);
    expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining(`debe ser ${digit}.`)]);
    expect((await runCoreCli(['key', 'parse', '123'])).errors).toContain('3 characters');
  });
});

function today(): string {
  const [year, month, day] = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10).split('-');
  return `${day}/${month}/${year}`;
}
