import { type CommandCall, type CommandOption, textOption } from './command.js';
import { CommandFailure, codeOf } from './failure.js';
import { readInputFile, toText } from './input-file.js';

/**
 * The sources of a P12 password. There is no option for the password itself: every user of the machine can read a command
 * line.
 */
export const PASSWORD_OPTIONS = {
  'password-file': textOption('file', {
    es: 'Un archivo con la contraseña del P12, - la entrada estándar; si no, SRI_P12_PASSWORD, o se pregunta',
    en: 'A file with the password of the P12, - the standard input; otherwise SRI_P12_PASSWORD, or it is asked for',
  }),
} as const satisfies Readonly<Record<string, CommandOption>>;

/** Reads the password from the file, the variable or the terminal. Null when none gives one. */
export async function readP12Password(call: CommandCall<typeof PASSWORD_OPTIONS>): Promise<string | null> {
  const path = call.options['password-file'];
  if (path !== null) {
    const { terminal } = call;
    return toText(await readInputFile(path, { maxBytes: 4096, terminal }), path).replace(/\r?\n$/, '');
  }
  const given = call.env['SRI_P12_PASSWORD'];
  if (given !== undefined) return given;
  const question = call.language === 'es' ? 'Contraseña del P12: ' : 'Password of the P12: ';
  return call.terminal.askSecret ? call.terminal.askSecret(question) : null;
}

/**
 * Opens a P12 with the given password, or without one. A missing password has its own failure, apart from a wrong password.
 *
 * @throws CommandFailure CERTIFICATE_PASSWORD_MISSING; and the errors of opening a P12
 */
export async function openWithPassword<Opened>(
  password: string | null,
  open: (password: string | null) => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open(password);
  } catch (error) {
    if (password !== null || codeOf(error) !== 'CERTIFICATE_PASSWORD_INVALID') throw error;
    throw new CommandFailure('CERTIFICATE_PASSWORD_MISSING', PASSWORD_MISSING);
  }
}

// --- internal ---

const PASSWORD_MISSING = {
  es: 'No se dio la contraseña del P12: va en SRI_P12_PASSWORD, o en un archivo con --password-file (- es la entrada estándar).',
  en: 'No password of the P12 was given: it goes in SRI_P12_PASSWORD, or in a file with --password-file (- is the standard input).',
};
