import { translate } from 'sri-core';
import { type CliText, CommandFailure, type CommandOption, flagOption, printable, UsageError } from 'sri-core/cli';
import type { ServerCall } from './command.js';

/** Options of commands that cannot be undone. */
export const YES_OPTION = {
  yes: flagOption({
    es: 'Sin preguntar; hace falta con --json y donde no hay una terminal',
    en: 'Without asking; needed with --json and where there is no terminal',
  }),
} as const satisfies Readonly<Record<string, CommandOption>>;

/** The action to confirm. */
export interface Intent {
  /** What will happen, in whole sentences. */
  readonly summary: readonly CliText[];
  /** The word to type. */
  readonly word: string;
}

/**
 * Shows an action that cannot be undone and asks for confirmation. `--yes` replaces the answer.
 * @param intent evaluated only once a confirmation is possible.
 * @returns what was confirmed.
 * @throws UsageError if it cannot ask and `--yes` was not given; CommandFailure NOT_CONFIRMED
 */
export async function requireConfirmation<Asked extends Intent>(
  call: ServerCall<typeof YES_OPTION>,
  intent: () => Promise<Asked>,
): Promise<Asked> {
  const { terminal, language, json } = call;
  const agreed = call.options.yes;
  if (!agreed && json) throw new UsageError(NEEDS_YES);
  const asked = await intent();
  const { summary, word } = asked;
  if (!json) terminal.complain(`${summary.map((line) => printable(translate(line, language))).join('\n')}\n`);
  if (agreed) return asked;
  if (!terminal.askLine) throw new UsageError(NEEDS_YES);
  const question =
    language === 'es'
      ? `No se puede deshacer. Escriba ${word} para confirmar: `
      : `This cannot be undone. Type ${word} to confirm: `;
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
