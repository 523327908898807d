import { existsSync } from 'node:fs';
import { chown, link, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { CommandFailure } from 'sri-core/cli';
import { CORE_MIGRATIONS, type MigrationPlan, SchemaTooNewError } from 'sri-storage-adapters';
import { SERVER_MIGRATIONS } from '../../migrations.js';
import { describeFile, draftOf, type FileDigest, publish, refuseExisting } from './backup-file.js';

/** A copy of a database in one file, checked. */
export interface BackupFile extends FileDigest {
  readonly path: string;
  readonly tenants: number;
  readonly documents: number;
}

/**
 * Copies a SQLite database into one file while servers write to it: everything committed up to one moment, and nothing
 * later. The copy is checked before it gets its name. Only its owner may read it.
 * @throws CommandFailure BACKUP_EXISTS, BACKUP_FAILED
 */
export async function backupSqlite(
  databasePath: string,
  targetPath: string,
  { force }: { readonly force: boolean },
): Promise<BackupFile> {
  // A server with the open file would go on writing into the file without a name.
  if (await isPartOf(databasePath, targetPath)) {
    throw new CommandFailure('BACKUP_EXISTS', {
      es: `${targetPath} es la base de datos misma. Nombre otro archivo.`,
      en: `${targetPath} is the database itself. Name another file.`,
    });
  }
  refuseExisting(targetPath, force);
  const draft = await draftOf(targetPath);
  try {
    await copyInto(databasePath, draft);
    const counts = await checkCopy(draft).catch(() => {
      throw new CommandFailure('BACKUP_FAILED', {
        es: 'La copia no salió entera, y se descartó.',
        en: 'The copy is not whole, so it was thrown away.',
      });
    });
    for (const ending of LOGS) await rm(targetPath + ending, { force: true });
    await publish(draft, targetPath, force);
    return { path: targetPath, ...(await describeFile(targetPath)), ...counts };
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Replaces the configured database with a backup. No server may be using it. An existing database is kept next to it
 * under another name.
 * @returns the size and digest of the backup, as printed when it was made (the database holds the same content with
 * other bytes), and the path of the former database; null if there was none.
 * @throws CommandFailure BACKUP_INVALID, DATABASE_EXISTS, DATABASE_IN_USE; SchemaTooNewError
 */
export async function restoreSqlite(
  backupPath: string,
  databasePath: string,
  { force, now }: { readonly force: boolean; readonly now: Date },
): Promise<BackupFile & { readonly formerPath: string | null }> {
  const counts = await requireWhole(backupPath);
  const isThere = existsSync(databasePath);
  if (isThere && !force) {
    throw new CommandFailure('DATABASE_EXISTS', {
      es: `${databasePath} ya existe. Agregue --force para poner el respaldo en su lugar.`,
      en: `${databasePath} exists already. Add --force to put the backup in its place.`,
    });
  }
  if (isThere) await requireUnused(databasePath);
  const draft = await draftOf(databasePath);
  try {
    await copyInto(backupPath, draft);
    await checkCopy(draft);
    await giveToOwnerOf(isThere ? databasePath : dirname(databasePath), draft);
    const former = `${databasePath}.before-restore-${now.toISOString().replaceAll(/[:.]/g, '-')}`;
    // The name always leads to a database: without one, a server that starts now would begin with an empty one.
    if (isThere) await link(databasePath, former).catch(() => rename(databasePath, former));
    for (const ending of LOGS) {
      if (existsSync(databasePath + ending)) await rename(databasePath + ending, former + ending);
    }
    await publish(draft, databasePath, isThere);
    return { path: databasePath, ...(await describeFile(backupPath)), ...counts, formerPath: isThere ? former : null };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Opens an existing file. */
export async function openFile(path: string, options: { readonly readonly: boolean }): Promise<Database> {
  const { default: BetterSqlite } = await import('better-sqlite3');
  return new BetterSqlite(path, { ...options, fileMustExist: true, timeout: 5_000 });
}

/** @throws CommandFailure BACKUP_INVALID if the file is damaged or not a database of this server; SchemaTooNewError */
export function requireWhole(path: string): Promise<Pick<BackupFile, 'tenants' | 'documents'>> {
  return checkCopy(path).catch((error: unknown) => {
    if (error instanceof SchemaTooNewError) throw error;
    if (!existsSync(path)) {
      throw new CommandFailure('BACKUP_INVALID', { es: `${path} no existe.`, en: `${path} does not exist.` });
    }
    const why = error instanceof Error ? error.message : 'unknown';
    throw new CommandFailure('BACKUP_INVALID', {
      es: `${path} no es una base entera de este servidor: ${why}`,
      en: `${path} is no whole database of this server: ${why}`,
    });
  });
}

/**
 * An open connection keeps the file in write-ahead mode, so that no other process can end that mode.
 * @throws CommandFailure DATABASE_IN_USE
 */
export async function requireUnused(path: string): Promise<void> {
  const inUse = new CommandFailure('DATABASE_IN_USE', {
    es: `Algo tiene abierto ${path}. Detenga antes el servidor.`,
    en: `Something has ${path} open. Stop the server first.`,
  });
  let database: Database;
  try {
    database = await openFile(path, { readonly: false });
  } catch {
    return;
  }
  try {
    database.pragma('busy_timeout = 200');
    if (database.pragma('journal_mode = delete', { simple: true }) !== 'delete') throw inUse;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // Damage is the reason to restore a backup.
    if (error === inUse || /^SQLITE_(BUSY|LOCKED)/.test(code)) throw inUse;
  } finally {
    database.close();
  }
}

// --- internal ---

/** Files that SQLite applies to the database beside them, also files of a former database with its name. */
const LOGS = ['-wal', '-shm', '-journal'] as const;

/** Whether a path leads to the database or one of its logs, which SQLite would apply or remove. */
async function isPartOf(databasePath: string, path: string): Promise<boolean> {
  const database = await realpath(databasePath);
  const inFolder = async () => join(await realpath(dirname(path)), basename(path));
  const target = await realpath(path)
    .catch(inFolder)
    .catch(() => path);
  return ['', ...LOGS].some((ending) => target === `${database}${ending}`);
}

/**
 * @throws Error if the file is damaged or not a database of this server; SchemaTooNewError if a newer version made it.
 */
async function checkCopy(path: string): Promise<Pick<BackupFile, 'tenants' | 'documents'>> {
  const database = await openFile(path, { readonly: true });
  try {
    const found = database.pragma('integrity_check', { simple: true });
    if (found !== 'ok') throw new Error(`its integrity check says ${String(found)}.`);
    if ((database.pragma('foreign_key_check') as unknown[]).length > 0)
      throw new Error('rows name others that are gone.');
    requireKnownSchema(database);
    const count = (table: string) => Number(database.prepare(`select count(*) from ${table}`).pluck().get());
    return { tenants: count('tenants'), documents: count('sri_documents') };
  } finally {
    database.close();
  }
}

/** Creates an empty file first, so that no other user ever has the right to read it. */
async function copyInto(sourcePath: string, draft: string): Promise<void> {
  await (await open(draft, 'wx', 0o600)).close();
  const source = await openFile(sourcePath, { readonly: true });
  try {
    source.prepare('vacuum into ?').run(draft);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown';
    throw new CommandFailure('BACKUP_FAILED', {
      es: `La base de datos no se puede copiar: ${why}`,
      en: `The database cannot be copied: ${why}`,
    });
  } finally {
    source.close();
  }
  const file = await open(draft, 'r+');
  await file.sync();
  await file.close();
}

function requireKnownSchema(database: Database): void {
  for (const plan of [CORE_MIGRATIONS, SERVER_MIGRATIONS]) {
    const applied = database.prepare('select name from sri_migrations where namespace = ?').pluck().all(plan.namespace);
    const unknown = applied.map(String).filter((name) => !isKnown(plan, name));
    if (unknown.length > 0) throw new SchemaTooNewError(plan.namespace, unknown);
    if (applied.length === 0) throw new Error(`it holds no tables of ${plan.namespace}.`);
  }
}

function isKnown({ migrations }: MigrationPlan, name: string): boolean {
  return migrations.some((migration) => migration.name === name);
}

/** Root restores for the account of the server, which could not open a file of root. */
async function giveToOwnerOf(place: string, draft: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(place);
  await chown(draft, uid, gid);
}
