import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { CommandFailure } from './failure.js';

/** The content of a file, whole or piece by piece. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes a file named on the command line. With `force` it is written under another name, and renamed once it is
 * complete. A failure leaves no part of it, and an earlier file unchanged.
 *
 * @param options.force replaces an existing file.
 * @param options.secret makes the file readable by its owner only.
 * @returns its size in bytes.
 * @throws CommandFailure FILE_EXISTS, FILE_NOT_WRITABLE; the error of the content.
 */
export async function writeOutputFile(
  path: string,
  content: FileContent,
  { force = false, secret = false }: { readonly force?: boolean; readonly secret?: boolean } = {},
): Promise<number> {
  try {
    const { target, draft } = force ? await placesOf(path) : { target: path, draft: path };
    const file = await open(draft ?? target, draft === null ? 'w' : 'wx', secret ? 0o600 : 0o644);
    try {
      let size = 0;
      for await (const piece of piecesOf(content)) {
        await file.writeFile(piece);
        size += piece.length;
      }
      if (draft !== null) await file.datasync();
      await file.close();
      if (draft !== null && draft !== target) await rename(draft, target);
      return size;
    } catch (error) {
      await file.close().catch(() => {});
      if (draft !== null) await rm(draft, { force: true });
      throw error;
    }
  } catch (error) {
    throw toFailure(error, path);
  }
}

// --- internal ---

/** The file behind links, and its name until it is complete; null for a device or a pipe, which has no other name. */
async function placesOf(path: string): Promise<{ readonly target: string; readonly draft: string | null }> {
  const target = await realpath(path).catch(() => path);
  const found = await stat(target).catch(() => null);
  const isPlain = found === null || found.isFile();
  return { target, draft: isPlain ? `${target}.${randomUUID().slice(0, 8)}.part` : null };
}

function piecesOf(content: FileContent): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  return typeof content === 'string' || content instanceof Uint8Array ? [Buffer.from(content)] : content;
}

/** The words for a failed system call; any other error unchanged. */
function toFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  const name = JSON.stringify(path);
  return error.code === 'EEXIST'
    ? new CommandFailure('FILE_EXISTS', {
        es: `${name} ya existe. Nombre otro archivo, o agregue --force.`,
        en: `${name} exists already. Name another file, or add --force.`,
      })
    : new CommandFailure('FILE_NOT_WRITABLE', {
        es: `${name} no se puede escribir (${String(error.code)}).`,
        en: `${name} cannot be written (${String(error.code)}).`,
      });
}
