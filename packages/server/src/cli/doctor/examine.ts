import { dirname, resolve } from 'node:path';
import { createSriClient, systemRandom, translate } from 'sri-core';
import { printable, readInputFile, toText } from 'sri-core/cli';
import type { Config } from '../../config/config.js';
import { openSriTransport, sriUrls } from '../../config/sri-transport.js';
import { DatabaseNotReadyError, sqlitePathOf } from '../../open-database.js';
import { createServerClock } from '../../platform/clock.js';
import { ConfigError } from '../../platform/config-values.js';
import type { Services } from '../../platform/http/services.js';
import { sentenceOf } from '../../platform/language.js';
import type { ServerCall } from '../frame/command.js';
import type { OperatorAccess } from '../frame/operator-access.js';
import { findBrokenInvariants, findInCopies, findInFile, findInLocks, findInSecrets } from './database-checks.js';
import { findOnDisk } from './disk-check.js';
import { type DoctorFinding, fail, fine } from './finding.js';
import { findInIssuers } from './issuer-check.js';
import { findInMail } from './mail-check.js';
import { findAccessKeys, reconcile } from './reconcile.js';
import { findInRefusals } from './refusal-check.js';
import {
  FORMER_MASTER_KEY,
  findInConfigError,
  findInSettings,
  findMissing,
  fixMasterKeys,
  type NeededSettings,
} from './settings-check.js';
import { findAtSri } from './sri-check.js';
import { findInVoided } from './voided-check.js';

/** The parts of an examination, and its optional checks. */
export interface ExaminationCall extends Pick<ServerCall, 'config' | 'open' | 'env'> {
  readonly options: {
    readonly reconcile: boolean;
    /** A file with access keys, to reconcile. */
    readonly keys: string | null;
    readonly invariants: boolean;
  };
}

/** Checks everything that issuing needs. Sends and changes nothing. */
export async function examine(call: ExaminationCall): Promise<readonly DoctorFinding[]> {
  let config: Config;
  try {
    config = call.config();
  } catch (error) {
    // Wrong and missing settings are listed together, so that all can be fixed at once.
    if (!(error instanceof ConfigError)) throw error;
    const needed = neededIn(call.env);
    const isSet = Boolean(call.env['MASTER_KEYS']?.trim());
    return [...findInConfigError(error, fixMasterKeys({ isSet, dataDir: needed.dataDir })), ...findMissing(needed)];
  }
  const file = sqlitePathOf(config);
  const folders = new Set([config.dataDir, ...(file === null ? [] : [dirname(file)])].map((folder) => resolve(folder)));
  const [disks, sri, mail] = await Promise.all([
    Promise.all(Array.from(folders, findOnDisk)),
    findAtSri(config, await signingClock(call)),
    findInMail(config),
  ]);
  const stored: (DoctorFinding | null)[] = [];
  for await (const finding of findInDatabase(call)) stored.push(finding);
  return [...findInSettings(config), ...disks, ...stored, ...sri, mail].filter((finding) => finding !== null);
}

/** A finding as text: the finding, and its remedy below. */
export function printFinding(
  { verdict, message, fix }: DoctorFinding,
  language: ServerCall['language'],
): readonly string[] {
  const lines = [`${MARKS[verdict]} ${printable(translate(message, language))}`];
  if (fix !== null && verdict !== 'ok') lines.push(`    → ${printable(translate(fix, language))}`);
  return lines;
}

// --- internal ---

const MARKS = { ok: '✓', warn: '!', fail: '✗' } as const;

/** The settings, as far as they are known while others cannot be read. */
function neededIn(env: ExaminationCall['env']): NeededSettings {
  const text = (name: string) => env[name]?.trim() || null;
  return {
    production: env['NODE_ENV'] === 'production',
    baseUrl: text('BASE_URL'),
    smtpUrl: text('SMTP_URL'),
    use: text('USE') === 'own' ? 'own' : 'service',
    softwareProviderRuc: text('SOFTWARE_PROVIDER_RUC'),
    databaseUrl: text('DATABASE_URL'),
    dataDir: text('DATA_DIR') ?? 'data',
  };
}

/** Servers on PostgreSQL follow the clock of the database. */
async function signingClock({ config, open }: ExaminationCall) {
  const own = { clock: createServerClock(config().clockOffsetMs), isShared: false };
  if (sqlitePathOf(config()) !== null) return own;
  return open().then(
    ({ services: { clock } }) => ({ clock, isShared: true }),
    () => own,
  );
}

async function* findInDatabase(call: ExaminationCall): AsyncGenerator<DoctorFinding | null> {
  const file = await findInFile(sqlitePathOf(call.config()));
  yield file;
  // Findings from a damaged file mean nothing.
  if (file?.verdict === 'fail') return;
  let access: OperatorAccess;
  try {
    access = await call.open();
  } catch (error) {
    yield databaseFailure(error);
    return;
  }
  const { services, opened } = access;
  yield fine('database', {
    es: `La base de datos responde y está al día: ${opened.place}.`,
    en: `The database answers and is up to date: ${opened.place}.`,
  });
  yield findInSecrets(services, call.config());
  yield findInLocks(access);
  yield* findInIssuers(services);
  yield* findInRefusals(services);
  yield findInCopies(services);
  if (call.options.reconcile) yield* reconcileWithSri(services, call);
  if (call.options.invariants) yield* await findBrokenInvariants(access);
}

const OPENING_FIX = {
  es: 'Revise que el disco admita escrituras y que esta cuenta pueda escribir el archivo y su carpeta.',
  en: 'Check that the disk takes writes, and that this account may write the file and its folder.',
};

function databaseFailure(error: unknown): DoctorFinding | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof ConfigError) {
    const [found = null] = findInConfigError(error, FORMER_MASTER_KEY);
    return found;
  }
  // Nothing can be issued from here: the folder is wrong, or does not exist yet.
  if (error instanceof DatabaseNotReadyError)
    return fail('database', { ...error.texts, fix: error.cause ? OPENING_FIX : 'sri-server db migrate' });
  const sentence = { es: sentenceOf(error, 'es'), en: sentenceOf(error, 'en') };
  if (code === 'STORAGE_SCHEMA_TOO_NEW') {
    return fail('database', {
      ...sentence,
      fix: {
        es: 'Use la versión nueva del servidor; volver atrás es restaurar un respaldo.',
        en: 'Use the newer version of the server; going back means restoring a backup.',
      },
    });
  }
  return fail('database', {
    es: `La base de datos no se puede usar: ${code} ${sentence.es}`,
    en: `The database cannot be used: ${code} ${sentence.en}`,
    fix: {
      es: 'Revise DATABASE_URL y DATA_DIR, y que PostgreSQL esté en marcha.',
      en: 'Check DATABASE_URL and DATA_DIR, and that PostgreSQL is running.',
    },
  });
}

/** The environments whose documents the SRI itself has. */
const ENVIRONMENTS_AT_SRI = { live: ['sandbox', 'production'], simulator: ['production'], offline: [] } as const;

async function* reconcileWithSri(services: Services, call: ExaminationCall): AsyncGenerator<DoctorFinding> {
  const config = call.config();
  const path = call.options.keys;
  const keys =
    path === null ? [] : findAccessKeys(toText(await readInputFile(path, { maxBytes: 64 * 1024 * 1024 }), path));
  const clock = createServerClock(config.clockOffsetMs);
  const transport = openSriTransport(config);
  const environments = ENVIRONMENTS_AT_SRI[config.sriMode];
  const sri = createSriClient({ transport, urls: sriUrls(config), clock, random: systemRandom });
  try {
    yield* reconcile({ services, keys, environments, sri });
    yield* findInVoided({ services, environments, sri });
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown';
    yield fail('reconcile', { es: `El SRI no respondió: ${message}`, en: `The SRI did not answer: ${message}` });
  } finally {
    await transport.close();
  }
}
