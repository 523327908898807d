import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { link, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { flagOption } from './command.js';
import { CommandFailure, codeOf, UsageError } from './failure.js';

/** The option that replaces an existing file. */
export const FORCE_OPTION = flagOption({ es: 'Aunque el archivo exista', en: 'Even if the file exists' });

/** The content of a file, whole or piece by piece. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes a file named on the command line. The file is written under another name, and gets its own once it is
 * complete. After a failure there is no file, or the earlier one is unchanged.
 *
 * @param options.force replaces an existing file.
 * @param options.secret makes the file readable by its owner only.
 * @returns its size in bytes. @throws UsageError; CommandFailure FILE_EXISTS, FILE_NOT_WRITABLE; the error of the content.
 */
export async function writeOutputFile(
  path: string,
  content: FileContent,
  { force = false, secret = false }: { readonly force?: boolean; readonly secret?: boolean } = {},
): Promise<number> {
  requireFileName(path);
  const target = await findTarget(path);
  if (!force && target.isThere) throw existsAlready(path);
  const draft = target.isPlain ? `${target.path}.${randomUUID().slice(0, 8)}.part` : target.path;
  const mode = secret ? 0o600 : 0o644;
  const file = await refuseFaults(path, () => open(draft, target.isPlain ? 'wx' : 'w', mode));
  const stopListening = target.isPlain ? removeOnStop(draft) : () => {};
  let size = 0;
  try {
    const pieces = typeof content === 'string' || content instanceof Uint8Array ? [Buffer.from(content)] : content;
    for await (const piece of pieces) {
      await refuseFaults(path, () => file.writeFile(piece));
      size += piece.length;
    }
    if (target.isPlain) await refuseFaults(path, () => file.datasync());
    await file.close();
    if (target.isPlain) await refuseFaults(path, () => giveName(draft, target.path, force));
    return size;
  } catch (error) {
    await file.close().catch(() => {});
    if (target.isPlain) await rm(draft, { force: true });
    throw error;
  } finally {
    stopListening();
  }
}

/** Refuses `-`: the standard output has the result of the command. @throws UsageError */
export function requireFileName(path: string): void {
  if (path === '-')
    throw new UsageError({
      es: 'Nombre un archivo: este comando no escribe en la salida estándar («-»).',
      en: 'Name a file: this command does not write to standard output («-»).',
    });
}

/**
 * Gives a complete file its name.
 *
 * @param force replaces a file of that name.
 * @throws the error of the system: EEXIST for a file of that name.
 */
export async function giveName(draft: string, path: string, force: boolean): Promise<void> {
  if (force) return rename(draft, path);
  try {
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    // Some file systems support no hard links.
    return rename(draft, path);
  }
  await rm(draft, { force: true });
}

// --- internal ---

interface Target {
  readonly path: string;
  /** False for a folder, which `force` does not replace. */
  readonly isThere: boolean;
  readonly isPlain: boolean;
}

/** Removes a draft when a signal ends the program. A command that handles signals itself completes its file. */
function removeOnStop(draft: string): () => void {
  const signals = (['SIGINT', 'SIGTERM'] as const).filter((signal) => process.listenerCount(signal) === 0);
  const stop = (signal: NodeJS.Signals) => {
    rmSync(draft, { force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.once(signal, stop);
  return () => {
    for (const signal of signals) process.removeListener(signal, stop);
  };
}

/** The file behind links. A device or a pipe is written to in place. */
async function findTarget(path: string): Promise<Target> {
  const real = await realpath(path).catch(() => path);
  const found = await stat(real).catch(() => null);
  return { path: real, isThere: found?.isDirectory() === false, isPlain: found === null || found.isFile() };
}

async function refuseFaults<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') throw existsAlready(path);
    const name = JSON.stringify(path);
    throw new CommandFailure('FILE_NOT_WRITABLE', {
      es: `${name} no se puede escribir (${code}).`,
      en: `${name} cannot be written (${code}).`,
    });
  }
}

function existsAlready(path: string): CommandFailure {
  const name = JSON.stringify(path);
  return new CommandFailure('FILE_EXISTS', {
    es: `${name} ya existe. Nombre otro archivo, o agregue --force.`,
    en: `${name} exists already. Name another file, or add --force.`,
  });
}
