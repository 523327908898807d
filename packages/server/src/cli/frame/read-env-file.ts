import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { CommandFailure } from 'sri-core/cli';

/** The variables of a settings file, or the reason why the file cannot be used. */
export interface EnvFile {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly fault: CommandFailure | null;
}

/** Reads a file such as `.env`. A missing file has no variables. */
export async function readEnvFile(path: string): Promise<EnvFile> {
  try {
    return { variables: parseEnvText(await readUtf8(path)), fault: null };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT') return { variables: {}, fault: null };
    const fault =
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? { es: `${path} no es texto en UTF-8: guárdelo así.`, en: `${path} is not text in UTF-8: save it as such.` }
        : { es: `${path} no se puede leer (${code}).`, en: `${path} cannot be read (${code}).` };
    return { variables: {}, fault: new CommandFailure('ENV_FILE_NOT_USABLE', fault) };
  }
}

/** The text of a file, with the mark that some editors write first. @throws TypeError if it is not in UTF-8. */
export async function readUtf8(path: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
}

/**
 * The variables of a text. Without the mark that some editors write first, which would belong to the first name, and without
 * blanks in place of a value, after which Node takes the next line for the value.
 */
export function parseEnvText(text: string): EnvFile['variables'] {
  return parseEnv(text.replace(/^\uFEFF/, '').replace(/=[ \t]+$/gm, '='));
}
