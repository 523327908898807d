import type { CommandCall, CommandOption } from './command.js';
import { readInputFile, toText } from './input-file.js';

/** How the password of a P12 is given. It is no option of its own: every user of a machine sees the words of a command. */
export const PASSWORD_OPTIONS = {
  'password-file': {
    type: 'string',
    value: 'file',
    description: {
      es: 'Un archivo con la contraseña del P12; si no, SRI_P12_PASSWORD, o se pregunta',
      en: 'A file with the password of the P12; otherwise SRI_P12_PASSWORD, or it is asked for',
    },
  },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** The password of a P12: from the file, the variable, or the person. Null when none of them gives one. */
export async function readP12Password(call: CommandCall<typeof PASSWORD_OPTIONS>): Promise<string | null> {
  const path = call.options['password-file'];
  if (path !== null) return toText(await readInputFile(path, { maxBytes: 4096 }), path).replace(/\r?\n$/, '');
  const given = call.env['SRI_P12_PASSWORD'];
  if (given !== undefined) return given;
  const question = call.language === 'es' ? 'Contraseña del P12: ' : 'Password of the P12: ';
  return call.terminal.askSecret ? call.terminal.askSecret(question) : null;
}
