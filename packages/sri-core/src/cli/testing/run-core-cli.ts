import { CORE_COMMANDS } from '../commands.js';
import { describeCoreFailure } from '../core-failures.js';
import { readPackageVersion } from '../package-version.js';
import { runProgram } from '../run.js';

/** The output of an `sri-core` command. */
export interface CoreCliAnswer {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** Runs a command of `sri-core` in this process. */
export async function runCoreCli(
  argv: readonly string[],
  {
    env = {},
    input = '',
    stopAfterMs = 200,
  }: {
    readonly env?: Readonly<Record<string, string>>;
    readonly input?: string;
    /** When the user interrupts the command, if it listens. */
    readonly stopAfterMs?: number;
  } = {},
): Promise<CoreCliAnswer> {
  let out = '';
  let errors = '';
  const program = {
    name: 'sri-core',
    commands: CORE_COMMANDS,
    version: () => readPackageVersion(import.meta.url),
    closing: '',
    context: async () => ({}),
    describe: describeCoreFailure,
  };
  const code = await runProgram(program, argv, {
    env,
    terminal: {
      write: (text) => {
        out += text;
      },
      complain: (text) => {
        errors += text;
      },
      isInteractive: false,
      readInput: async () => Buffer.from(input),
      askSecret: null,
      askLine: null,
      isOutputWatched: false,
      stopSignal: () => AbortSignal.timeout(stopAfterMs),
    },
  });
  return { code, out, errors };
}
