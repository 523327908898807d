import { randomUUID } from 'node:crypto';
import { chown, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { CommandFailure } from 'sri-core/cli';
import { parseEnvText, readUtf8 } from '../frame/read-env-file.js';

/** A settings file with a pending change of one variable. */
export interface EnvDraft {
  /** The value of the variable in the file; null if the file does not set it. */
  readonly value: string | null;
  /** Where the new file waits. */
  readonly path: string;
  /** Stores the new value on disk, next to the old file. */
  write(value: string): Promise<void>;
  /** Replaces the old file, atomically. */
  commit(): Promise<void>;
  /** Leaves the file unchanged. */
  discard(): Promise<void>;
}

/**
 * Prepares a change of one variable in a file such as `.env`. Writes to the folder before anything else, so that an
 * unwritable folder is detected in time. Only the owner of the old file can read the new one.
 * @throws CommandFailure ENV_FILE_NOT_USABLE if the file cannot be read or is not in UTF-8, or its folder cannot be written.
 */
export async function draftEnvFile(path: string, variable: string): Promise<EnvDraft> {
  const place = await usable(path, () => realpath(path));
  const before = await usable(path, () => readUtf8(place));
  const draft = `${place}.${randomUUID()}.part`;
  await usable(path, async () => (await open(draft, 'wx', 0o600)).close());
  const pattern = new RegExp(`^[^\\S\\n]*(?:export\\s+)?${variable}[^\\S\\n]*=.*$`, 'gm');
  return {
    value: parseEnvText(before)[variable] || null,
    path: draft,
    async write(value) {
      const line = `${variable}=${value}`;
      const ending = before === '' || before.endsWith('\n') ? '' : '\n';
      const isThere = before.search(pattern) >= 0;
      const after = isThere ? before.replace(pattern, () => line) : `${before}${ending}${line}\n`;
      await usable(path, () => writeFile(draft, after, { flush: true }));
      // The service could not read a file of root.
      if (process.getuid?.() === 0) {
        const { uid, gid } = await stat(place);
        await chown(draft, uid, gid);
      }
    },
    commit: () => rename(draft, place),
    discard: () => rm(draft, { force: true }),
  };
}

// --- internal ---

async function usable<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new CommandFailure('ENV_FILE_NOT_USABLE', {
      es: `${JSON.stringify(path)} no se puede usar (${code}). Con --show-keys no se escribe: las claves se muestran.`,
      en: `${JSON.stringify(path)} cannot be used (${code}). With --show-keys nothing is written: the keys are shown.`,
    });
  }
}
