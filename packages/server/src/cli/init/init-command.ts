import { chmod, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DEFAULT_DOCUMENT_TYPE, DOCUMENT_TYPES, ecuadorDate, openP12 } from 'sri-core';
import {
  CommandFailure,
  type CommandOptions,
  openWithPassword,
  readInputFile,
  textOption,
  toText,
  UsageError,
} from 'sri-core/cli';
import { TEST_COMPANY } from '../../operator/create-test-company.js';
import { fileNameOf, shortExample } from '../batch/example-bodies.js';
import { findTable } from '../batch/tables/index.js';
import { templateCsv } from '../batch/write-template.js';
import { defineServerCommand, type ServerCall } from '../frame/command.js';
import { quoteWord } from '../frame/shell-word.js';
import { createFirstTenant, type FirstTenant } from './first-tenant.js';

const INIT_OPTIONS = {
  ruc: textOption('digits', {
    es: 'El RUC del emisor; si no, uno que nadie tiene',
    en: "The issuer's RUC; default: an unused one",
  }),
  name: textOption('text', { es: 'Razón social', en: 'Business name' }),
  email: textOption('address', { es: 'El correo de la cuenta', en: "The account's e-mail address" }),
  p12: textOption('file', {
    es: 'Su certificado; si no, se hace uno de prueba',
    en: 'Your certificate; default one made for tests',
  }),
  'password-file': textOption('file', {
    es: 'Un archivo con la contraseña de su P12; si no, SRI_P12_PASSWORD',
    en: 'A file with the password of your P12; otherwise SRI_P12_PASSWORD',
  }),
} as const satisfies CommandOptions;

/** `init` */
export const initCommand = defineServerCommand({
  about: {
    es: 'Hace una carpeta con .env (claves maestras nuevas), un P12 de prueba, una cuenta de pruebas con su clave de API y\nejemplos. No toca una carpeta que ya tenga algo.',
    en: 'Makes a folder with .env (fresh master keys), a P12 for tests, a sandbox account with its API key, and examples.\nA folder that holds something already is left alone.',
  },
  args: [{ name: 'folder', optional: true, description: { es: 'Si no, facturacion', en: 'Default facturacion' } }],
  options: INIT_OPTIONS,
  async run(call) {
    const folder = call.args[0] ?? 'facturacion';
    const place = resolve(folder);
    await requireEmpty(folder);
    const fail = (error: NodeJS.ErrnoException) => {
      throw notUsable(folder, error);
    };
    const isNew = (await mkdir(place, { recursive: true, mode: 0o700 }).catch(fail)) !== undefined;
    // Filled apart and moved up at the end. A folder that is there is not replaced: a shell may stand in it, or a disk is
    // mounted there.
    const draft = await mkdtemp(join(place, DRAFT)).catch(fail);
    let tenant: FirstTenant;
    try {
      tenant = await fillFolder(draft, call);
      await moveUp(draft, place).catch(async (error: NodeJS.ErrnoException) => {
        // Another command has filled it since.
        await requireEmpty(folder);
        fail(error);
      });
    } finally {
      await rm(draft, { recursive: true, force: true });
      // It fails for a folder that is filled.
      if (isNew) await rmdir(place).catch(() => {});
    }
    const commands = [
      `cd ${quoteWord(folder)} && npx sri-server serve --dev`,
      `cd ${quoteWord(folder)} && npx sri-server batch issue ejemplo.csv --ride rides`,
    ];
    const { ruc, issuerId } = tenant;
    return {
      json: { ok: true, folder, ruc, issuerId, files: FILES, next: commands },
      text: call.language === 'es' ? inSpanish(folder, commands) : inEnglish(folder, commands),
      notices: call.env['DATABASE_URL'] ? [NOT_IN_THAT_DATABASE] : [],
    };
  },
});

// --- internal ---

const FILES = [
  '.env',
  '.gitignore',
  'certificado.p12',
  'data/',
  'ejemplo.csv',
  ...DOCUMENT_TYPES.map((code) => `${fileNameOf(code)}.json`),
];
const NOT_IN_THAT_DATABASE = {
  es: 'La cuenta está en el SQLite de esa carpeta, no en la base de DATABASE_URL: quite esa variable antes de seguir.',
  en: 'The account is in the SQLite file of that folder, not in the database of DATABASE_URL: unset that variable first.',
};
/** Begins the name of the part of the folder that is filled first. A killed command leaves it. */
const DRAFT = '.init-';
const { ruc: TEST_RUC, password: TEST_PASSWORD } = TEST_COMPANY;

async function requireEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw notUsable(folder, error);
  });
  if (found.every((name) => name.startsWith(DRAFT))) return;
  throw new CommandFailure('FOLDER_NOT_EMPTY', {
    es: `${JSON.stringify(folder)} ya tiene algo. Nombre una carpeta nueva.`,
    en: `${JSON.stringify(folder)} holds something already. Name a new folder.`,
  });
}

function notUsable(folder: string, { message }: NodeJS.ErrnoException): CommandFailure {
  return new CommandFailure('FOLDER_NOT_USABLE', {
    es: `${JSON.stringify(folder)} no se puede usar (${message}).`,
    en: `${JSON.stringify(folder)} cannot be used (${message}).`,
  });
}

async function moveUp(draft: string, place: string): Promise<void> {
  await chmod(place, 0o700);
  // This name comes first: it is not given where another command has filled the folder.
  for (const name of new Set(['data', ...(await readdir(draft))])) await rename(join(draft, name), join(place, name));
}

async function fillFolder(folder: string, call: ServerCall<typeof INIT_OPTIONS>): Promise<FirstTenant> {
  const { options } = call;
  const { p12, password } = await readCertificate(call);
  const { certificate } = await openWithPassword(password, (given) => openP12(p12, given));
  const ruc = options.ruc ?? certificate.ruc ?? TEST_RUC;
  if (!/^\d{10}001$/.test(ruc))
    throw new UsageError({
      es: 'Un RUC tiene 13 dígitos y termina en 001.',
      en: 'A RUC has 13 digits and ends with 001.',
    });
  const { newMasterKey } = await import('../../platform/secrets/master-keys.js');
  const masterKeys = newMasterKey();
  const tenant = await createFirstTenant({
    dataDir: join(folder, 'data'),
    masterKeys,
    p12,
    password,
    ruc,
    businessName: options.name ?? 'Mi empresa de prueba',
    email: options.email ?? 'pruebas@example.com',
    language: call.language,
  });
  await writeFile(join(folder, '.env'), envFile(masterKeys, tenant), { mode: 0o600 });
  await writeFile(join(folder, '.gitignore'), '.env*\ndata/\n*.p12\n*.pfx\n');
  await writeFile(join(folder, 'certificado.p12'), p12, { mode: 0o600 });
  const today = ecuadorDate(new Date());
  await writeFile(join(folder, 'ejemplo.csv'), templateCsv(findTable(DEFAULT_DOCUMENT_TYPE), today));
  for (const code of DOCUMENT_TYPES) {
    const body = `${JSON.stringify(shortExample(code, today), null, 2)}\n`;
    await writeFile(join(folder, `${fileNameOf(code)}.json`), body);
  }
  return tenant;
}

async function readCertificate({ options, env, terminal }: ServerCall<typeof INIT_OPTIONS>) {
  if (options.p12 === null) {
    const ruc = options.ruc ?? TEST_RUC;
    const { createTestP12 } = await import('sri-core/testing');
    return { p12: await createTestP12({ ruc, password: TEST_PASSWORD }), password: TEST_PASSWORD };
  }
  const path = options['password-file'];
  const inFile =
    path === null ? null : toText(await readInputFile(path, { maxBytes: 4096, terminal }), path).replace(/\r?\n$/, '');
  return {
    p12: new Uint8Array(await readInputFile(options.p12, { maxBytes: 256 * 1024 })),
    password: inFile ?? env['SRI_P12_PASSWORD'] ?? null,
  };
}

function envFile(masterKeys: string, { apiKey, issuerId }: FirstTenant): string {
  return [
    '# Hecho por «sri-server init». No lo pierda ni lo publique: sin MASTER_KEYS nada de lo guardado puede firmar.',
    '# Made by «sri-server init». Keep it, and keep it secret: without MASTER_KEYS nothing stored can sign.',
    `MASTER_KEYS=${masterKeys}`,
    'DATA_DIR=./data',
    '# Sus propias empresas, sin planes ni límites. Your own companies, without plans or limits.',
    'USE=own',
    '',
    '# invoice, batch, webhooks:',
    'SRI_URL=http://127.0.0.1:3000',
    `SRI_API_KEY=${apiKey}`,
    `SRI_ISSUER_ID=${issuerId}`,
    '',
  ].join('\n');
}

function inSpanish(folder: string, commands: readonly string[]): string {
  return [
    `Listo: ${folder}/ tiene .env, un certificado de prueba (contraseña «${TEST_PASSWORD}»), una cuenta de pruebas con su`,
    'clave de API (en .env), un ejemplo.csv y un JSON de cada tipo de comprobante.',
    '',
    'Ahora, en esta terminal:',
    `  ${commands[0]}`,
    'y en otra:',
    `  ${commands[1]}`,
  ].join('\n');
}

function inEnglish(folder: string, commands: readonly string[]): string {
  return [
    `Done: ${folder}/ holds .env, a test certificate (password «${TEST_PASSWORD}»), a sandbox account with its API key (in`,
    '.env), an ejemplo.csv and a JSON of each type of document. The mails of the account to buyers are in English, or in',
    'Spanish with --lang es.',
    '',
    'Now, in this terminal:',
    `  ${commands[0]}`,
    'and in another one:',
    `  ${commands[1]}`,
  ].join('\n');
}
