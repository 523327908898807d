import { CommandFailure, type CommandOption, say, UsageError, type Words } from 'sri-core/cli';
import type { ServerCall } from './command.js';

/** Of commands that cannot be undone. */
export const YES_OPTION = {
  yes: {
    type: 'boolean',
    description: {
      es: 'Sin preguntar; hace falta con --json y donde no hay una terminal',
      en: 'Without asking; needed with --json and where there is no terminal',
    },
  },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** What a person is about to do. */
export interface Intent {
  /** What will happen, in whole sentences. */
  readonly told: readonly Words[];
  /** What has to be typed. */
  readonly word: string;
}

/**
 * Has a person confirm what cannot be undone, after it was told. `--yes` takes the place of the answer.
 *
 * @param intent asked only once it is known that somebody may confirm it.
 * @returns what was confirmed.
 * @throws UsageError where nobody can be asked and `--yes` was not given; CommandFailure NOT_CONFIRMED
 */
export async function requireConfirmation<Asked extends Intent>(
  call: ServerCall<typeof YES_OPTION>,
  intent: () => Promise<Asked>,
): Promise<Asked> {
  const { terminal, language, json } = call;
  const agreed = call.options.yes;
  if (!agreed && json) throw new UsageError(NEEDS_YES);
  const asked = await intent();
  const { told, word } = asked;
  if (!json) terminal.complain(`${told.map((line) => say(line, language)).join('\n')}\n`);
  if (agreed) return asked;
  if (!terminal.askLine) throw new UsageError(NEEDS_YES);
  const question = language === 'es' ? `Escriba ${word} para confirmar: ` : `Type ${word} to confirm: `;
  if ((await terminal.askLine(question)).trim() === word) return asked;
  throw new CommandFailure('NOT_CONFIRMED', {
    es: 'No se confirmó: nada cambió.',
    en: 'Not confirmed: nothing has changed.',
  });
}

// --- internal ---

const NEEDS_YES = {
  es: 'No se puede deshacer: agregue --yes para confirmarlo.',
  en: 'This cannot be undone: add --yes to confirm it.',
};
