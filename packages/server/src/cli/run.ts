import { type Program, readPackageVersion, runProgram, type Terminal } from 'sri-core/cli';
import { COMMANDS } from './commands.js';
import type { ServerContext } from './frame/operator-access.js';

/** The environment of a command. */
export interface CommandIo {
  /** The configuration by its names. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Why a part of it could not be read; only help and the version work then. */
  readonly envFault?: Error | null;
  /** The machine's account, for the record. */
  readonly actor: string;
  readonly terminal: Terminal;
}

/**
 * Runs a command of the server's command line.
 * @param argv the words after the program's name.
 * @returns the exit code: 0 done, 1 rejected or failed, 2 not understood.
 */
export function runCommand(argv: readonly string[], { env, envFault, actor, terminal }: CommandIo): Promise<number> {
  const program: Program<ServerContext> = {
    name: 'sri-server',
    commands: COMMANDS,
    version: () => readPackageVersion(import.meta.url),
    closing: {
      es: 'Se configura con variables de entorno, o con un archivo .env en la carpeta donde se ejecuta: DATABASE_URL, DATA_DIR,\nMASTER_KEYS … Códigos de salida: 0 bien, 1 rechazado o falló, 2 no se entendió.',
      en: 'It is set by environment variables, or by a file .env in the folder it runs in: DATABASE_URL, DATA_DIR,\nMASTER_KEYS … Exit codes: 0 done, 1 refused or failed, 2 not understood.',
    },
    // The parts of a command are loaded at its call, since help needs no parts.
    context: async () => {
      if (envFault) throw envFault;
      return (await import('./frame/operator-access.js')).createServerContext(env, actor);
    },
    describe: async (error, language) => (await import('./describe-failure.js')).describeFailure(error, language),
  };
  return runProgram(program, argv, { env, terminal });
}
