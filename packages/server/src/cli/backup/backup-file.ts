import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandFailure, giveName, requireFileName } from 'sri-core/cli';

/** What distinguishes a file from another. */
export interface FileDigest {
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * Refuses an existing file before the work for it begins.
 *
 * @param force replaces a file, though no folder. @throws UsageError; CommandFailure BACKUP_EXISTS
 */
export function refuseExisting(path: string, force: boolean): void {
  requireFileName(path);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    throw new CommandFailure('BACKUP_EXISTS', {
      es: `${path} es una carpeta. Nombre un archivo.`,
      en: `${path} is a folder. Name a file.`,
    });
  }
  if (found && !force) {
    throw new CommandFailure('BACKUP_EXISTS', {
      es: `${path} ya existe. Nombre otro archivo, o agregue --force.`,
      en: `${path} exists already. Name another file, or add --force.`,
    });
  }
}

/** The path of a file until it is complete. Makes its folder, and removes files of commands killed a day ago. */
export async function draftOf(path: string): Promise<string> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (!DRAFT_ENDING.test(name)) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (found && found.mtimeMs < Date.now() - DAY_MS) await rm(join(folder, name), { force: true });
  }
  return `${path}.${randomUUID()}.partial`;
}

/**
 * Gives a complete file its name.
 *
 * @param force replaces a file with the same name.
 * @throws CommandFailure BACKUP_EXISTS also for a file made since the work began.
 */
export async function publish(draft: string, path: string, force: boolean): Promise<void> {
  await giveName(draft, path, force).catch((cause: unknown) => {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    if (!isTaken) throw cause;
    throw new CommandFailure('BACKUP_EXISTS', { es: `${path} ya existe.`, en: `${path} exists already.` });
  });
  // The name is durable only once its folder is synced.
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}

/** The size and the digest of a file. */
export async function describeFile(path: string): Promise<FileDigest> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { sizeBytes: (await stat(path)).size, sha256: hash.digest('hex') };
}

// --- internal ---

/** Of a copy of any name, since names bear dates. SQLite has a journal beside the file that it writes. */
const DRAFT_ENDING = /\.[0-9a-f-]{36}\.partial(-journal)?$/;
/** A draft that is still written to is younger. */
const DAY_MS = 86_400_000;
