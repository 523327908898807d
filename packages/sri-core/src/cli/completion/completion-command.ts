import { type Command, type CommandDetails, defineCommand } from '../command.js';
import { UsageError } from '../failure.js';
import { listCompletions } from './completion-words.js';
import { completionScript, SHELLS } from './shell-scripts.js';

/** The command that writes the completion of a program for a shell. @param commands all that the program has. */
export function createCompletionCommand(program: string, commands: () => readonly Command<never>[]): CommandDetails {
  return defineCommand({
    about: {
      es: `bash: source <(${program} completion bash), en ~/.bashrc para siempre; zsh: lo mismo, en ~/.zshrc;\nfish: ${program} completion fish > ~/.config/fish/completions/${program}.fish`,
      en: `bash: source <(${program} completion bash), in ~/.bashrc for good; zsh: the same, in ~/.zshrc;\nfish: ${program} completion fish > ~/.config/fish/completions/${program}.fish`,
    },
    args: [{ name: 'shell', description: SHELLS.join(', ') }],
    async run({ args, language }) {
      const shell = SHELLS.find((name) => name === args[0]);
      if (!shell) {
        const names = SHELLS.join(', ');
        throw new UsageError({ es: `El intérprete es uno de ${names}.`, en: `The shell is one of ${names}.` });
      }
      const script = completionScript(shell, program, await listCompletions(commands(), language));
      return { json: { ok: true, shell, script }, text: script.trimEnd() };
    },
  });
}
