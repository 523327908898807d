import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { CommandFailure } from 'sri-core/cli';

/** The content of a file, whole or piece by piece. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes a file named on the command line, and replaces an earlier one. The file is written under another name, and
 * renamed once it is complete. After a failure the earlier file is unchanged.
 *
 * @returns its size in bytes. @throws CommandFailure FILE_NOT_WRITABLE; the error of the content.
 */
export async function writeWholeFile(path: string, content: FileContent): Promise<number> {
  const target = await findTarget(path);
  const draft = target.isPlain ? `${target.path}.${randomUUID().slice(0, 8)}.part` : target.path;
  const file = await refuseFaults(path, () => open(draft, target.isPlain ? 'wx' : 'w', 0o644));
  let size = 0;
  try {
    const pieces = typeof content === 'string' || content instanceof Uint8Array ? [Buffer.from(content)] : content;
    for await (const piece of pieces) {
      await refuseFaults(path, () => file.writeFile(piece));
      size += piece.length;
    }
    if (target.isPlain) await refuseFaults(path, () => file.datasync());
    await file.close();
    if (target.isPlain) await refuseFaults(path, () => rename(draft, target.path));
    return size;
  } catch (error) {
    await file.close().catch(() => {});
    if (target.isPlain) await rm(draft, { force: true });
    throw error;
  }
}

// --- internal ---

/** The file behind links. A device or a pipe is written to in place. */
async function findTarget(path: string): Promise<{ readonly path: string; readonly isPlain: boolean }> {
  const real = await realpath(path).catch(() => path);
  const found = await stat(real).catch(() => null);
  return { path: real, isPlain: found === null || found.isFile() };
}

async function refuseFaults<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const name = JSON.stringify(path);
    throw new CommandFailure('FILE_NOT_WRITABLE', {
      es: `${name} no se puede escribir (${code}).`,
      en: `${name} cannot be written (${code}).`,
    });
  }
}
