import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import type { Config } from '../../config/config.js';
import { findRefusedCopies } from '../../mail/refused-copy-rows.js';
import { checkInvariants } from '../../ops/invariants/check-invariants.js';
import { DatabaseDamagedError, requireWholeFile } from '../../platform/database/file-check.js';
import type { Services } from '../../platform/http/services.js';
import { readMasterKeyFile } from '../../platform/secrets/master-key-file.js';
import { requireMasterKeys } from '../../platform/secrets/sealing.js';
import { countByMasterKey } from '../../platform/secrets/secret-rows.js';
import { MasterKeyNeededError } from '../../platform/secrets/vault.js';
import type { OperatorAccess } from '../frame/operator-access.js';
import { type DoctorFinding, fail, fine, warn } from './finding.js';

/**
 * Whether the file of a SQLite database is undamaged, whatever its size.
 * @param path null if the database is not a file.
 * @returns null if there is no file, or none that can be read: the check of the database says why.
 */
export async function findInFile(path: string | null): Promise<DoctorFinding | null> {
  if (path === null || !existsSync(path)) return null;
  try {
    await requireWholeFile(path);
    return fine('databaseFile', { es: 'El archivo de la base no está dañado.', en: 'The database file is undamaged.' });
  } catch (error) {
    if (!(error instanceof DatabaseDamagedError)) return null;
    return fail('databaseFile', {
      es: 'El archivo de la base está dañado.',
      en: 'The database file is damaged.',
      fix: {
        es: 'Detenga el servidor, guarde una copia del archivo y restaure un respaldo: sri-server admin restore <archivo> --force',
        en: 'Stop the server, keep a copy of the file, and restore a backup: sri-server admin restore <file> --force',
      },
    });
  }
}

/** Whether every stored secret is under a configured master key. */
export async function findInSecrets({ database, vault }: Services, config: Config): Promise<DoctorFinding> {
  const { byId } = config.masterKeys ?? (await readMasterKeyFile(config.dataDir, { create: false })).masterKeys;
  const counts = await database.read(countByMasterKey);
  const missing = [...counts].filter(([id]) => !byId.has(id));
  if (missing.length > 0) {
    const list = missing.map(([id, count]) => `${id} (${count})`).join(', ');
    return fail('masterKeys', {
      es: `Hay secretos bajo claves maestras que no están: ${list}.`,
      en: `Secrets are under master keys that are not set: ${list}.`,
      fix: {
        es: 'Agréguelas detrás de la actual en MASTER_KEYS.',
        en: 'Add them behind the current one in MASTER_KEYS.',
      },
    });
  }
  try {
    await database.read((tables) => requireMasterKeys(tables, vault));
  } catch (error) {
    if (!(error instanceof MasterKeyNeededError)) throw error;
    return fail('masterKeys', {
      ...error.texts,
      fix: {
        es: 'Ponga en MASTER_KEYS la clave que tenía ese nombre; con otra el servidor no arranca.',
        en: 'Put the key that had this name into MASTER_KEYS; with another the server does not start.',
      },
    });
  }
  return [...counts.keys()].every((id) => id === vault.currentMasterKeyId)
    ? fine('masterKeys', {
        es: 'Todo lo guardado está bajo la clave maestra actual.',
        en: 'Everything stored is under the current master key.',
      })
    : warn('masterKeys', {
        es: 'Hay secretos bajo una clave maestra anterior.',
        en: 'Some secrets are under a former master key.',
        fix: 'sri-server keys rotate-master',
      });
}

/** Behind PgBouncer the server cannot set how long PostgreSQL keeps the transaction of a frozen process. */
export async function findInLocks({ opened, services }: OperatorAccess): Promise<DoctorFinding | null> {
  if (opened.sqliteVersion !== null) return null;
  const { rows } = await services.database.read((tables) =>
    sql<{ account: string; limit: string }>`select quote_ident(current_user) as account,
      current_setting('idle_in_transaction_session_timeout') as limit`.execute(tables),
  );
  const [found] = rows;
  if (found?.limit !== '0') return null;
  return warn('database', {
    es: 'PostgreSQL no termina las transacciones de un servidor congelado o perdido: sus filas quedan bloqueadas.',
    en: 'PostgreSQL does not end the transactions of a frozen or lost server: their rows stay locked.',
    fix: `alter role ${found.account} set idle_in_transaction_session_timeout = '10s'`,
  });
}

/** Documents that the SRI authorized with a text that differs from the signed one. The signed file was kept. */
export async function findInCopies({ database }: Services): Promise<DoctorFinding> {
  const { accessKeys, total } = await database.read((tables) => findRefusedCopies(tables, NAMED_COPIES));
  if (total === 0) {
    return fine('copies', {
      es: 'Lo que el SRI devolvió con cada autorización es lo que se firmó.',
      en: 'What the SRI sent with each authorization is what was signed.',
    });
  }
  const named = accessKeys.join(', ') + (total > accessKeys.length ? ' …' : '');
  return warn('copies', {
    es: `Documentos que el SRI autorizó con un texto que no es el firmado: ${total}. Se conservó el firmado: ${named}`,
    en: `Documents that the SRI authorized with a text that is not the signed one: ${total}. The signed one was kept: ${named}`,
    fix: {
      es: 'Consulte esas claves en el portal del SRI, y revise qué hay entre este servidor y el SRI (proxy, TLS).',
      en: 'Look these keys up at the portal of the SRI, and see what stands between this server and the SRI (proxy, TLS).',
    },
  });
}

/** Stored data that should not be possible. */
export async function findBrokenInvariants({ services, opened }: OperatorAccess): Promise<readonly DoctorFinding[]> {
  const { database, vault } = services;
  const violations = await checkInvariants({
    database,
    vault,
    storage: opened.storage,
    signatures: VERIFIED_SIGNATURES,
    keepsNotifications: false,
  });
  if (violations.length === 0) return [ALL_AGREES];
  return violations.map(({ invariant, object, explanation }) => ({
    check: `invariants.${invariant}`,
    verdict: 'fail',
    message: `${object}: ${explanation}`,
    fix: {
      es: 'No siga emitiendo con esta base; guárdela y abra un informe con esta salida.',
      en: 'Do not go on issuing with this database; keep it and report this output.',
    },
  }));
}

// --- internal ---

/** Access keys that the finding lists; the rest is only counted. */
const NAMED_COPIES = 5;

/** Verifying takes a millisecond each. This many, spread over all documents, show a fault that is not a single one. */
const VERIFIED_SIGNATURES = 1000;

const ALL_AGREES = fine('invariants', {
  es: 'Todo lo guardado concuerda: numeración, estados, trabajos, firmas, secretos y sumas.',
  en: 'Everything stored agrees: numbering, states, jobs, signatures, secrets and counts.',
});
