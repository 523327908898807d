import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandFailure } from 'sri-core/cli';

/** A settings file with a pending change of one variable. */
export interface EnvDraft {
  /** The value of the variable in the file; null if it is not set there. */
  readonly value: string | null;
  /** Replaces the old file with the new value, atomically. */
  commit(value: string): Promise<void>;
  /** Leaves the file unchanged. */
  discard(): Promise<void>;
}

/**
 * Prepares a change of one variable in a file such as `.env`. Writes to the folder before anything else, so that an
 * unwritable folder is detected in time. Only the owner of the old file can read the new one.
 * @throws CommandFailure ENV_FILE_NOT_USABLE if the file cannot be read, or its folder cannot be written.
 */
export async function draftEnvFile(path: string, variable: string): Promise<EnvDraft> {
  const place = await usable(path, () => realpath(path));
  const before = await usable(path, () => readFile(place, 'utf8'));
  const draft = join(dirname(place), `.${randomUUID()}.env`);
  const file = await usable(path, () => open(draft, 'wx', 0o600));
  const pattern = new RegExp(`^(?:export\\s+)?${variable}=(.*)$`, 'gm');
  const found = [...before.matchAll(pattern)].at(-1)?.[1]?.trim();
  return {
    value: found ? found.replace(/^(["'])(.*)\1$/, '$2') : null,
    async commit(value) {
      const line = `${variable}=${value}`;
      const ending = before === '' || before.endsWith('\n') ? '' : '\n';
      const after = found === undefined ? `${before}${ending}${line}\n` : before.replace(pattern, () => line);
      await file.writeFile(after);
      // The service could not read a file of root.
      if (process.getuid?.() === 0) {
        const { uid, gid } = await stat(place);
        await file.chown(uid, gid);
      }
      await file.sync();
      await file.close();
      await rename(draft, place);
    },
    async discard() {
      await file.close().catch(() => {});
      await rm(draft, { force: true });
    },
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
