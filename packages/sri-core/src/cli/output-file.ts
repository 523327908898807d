import { rm, writeFile } from 'node:fs/promises';
import { CommandFailure } from './failure.js';

/**
 * Writes a file named on the command line.
 *
 * @param options.force overwrites an existing file.
 * @param options.secret makes the file readable by its owner only.
 * @throws CommandFailure FILE_EXISTS, FILE_NOT_WRITABLE
 */
export async function writeOutputFile(
  path: string,
  content: Uint8Array | string,
  { force = false, secret = false }: { readonly force?: boolean; readonly secret?: boolean } = {},
): Promise<void> {
  try {
    await writeFile(path, content, { flag: force ? 'w' : 'wx', mode: secret ? 0o600 : 0o644 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const name = JSON.stringify(path);
    if (code === 'EEXIST') {
      throw new CommandFailure('FILE_EXISTS', {
        es: `${name} ya existe. Nombre otro archivo, o agregue --force.`,
        en: `${name} exists already. Name another file, or add --force.`,
      });
    }
    // A half file would have the name of a whole one, and a repeated command would leave it there.
    if (!force) await rm(path, { force: true }).catch(() => {});
    throw new CommandFailure('FILE_NOT_WRITABLE', {
      es: `${name} no se puede escribir (${code}).`,
      en: `${name} cannot be written (${code}).`,
    });
  }
}
