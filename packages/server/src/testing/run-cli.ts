import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommand } from '../cli/run.js';
import { bundledProgram } from './bundled-sources.js';
import { databaseSettings } from './database-settings.js';

/** The outcome of a command. */
export interface CliAnswer {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
  /** Its output, parsed as JSON. */
  json<Body = Readonly<Record<string, unknown>>>(): Body;
}

/** Runs a command in this process. */
export function runCli(settings: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<CliAnswer> {
  return runAnswered(settings, null, ...argv);
}

/** Runs a command in this process and answers each question with that text; null runs it without a terminal. */
export async function runAnswered(
  settings: Readonly<Record<string, string>>,
  reply: string | null,
  ...argv: readonly string[]
): Promise<CliAnswer> {
  let out = '';
  let errors = '';
  const code = await runCommand(argv, {
    env: settings,
    actor: 'pruebas',
    terminal: {
      write: (more) => {
        out += typeof more === 'string' ? more : Buffer.from(more).toString();
      },
      complain: (more) => {
        errors += more;
      },
      isInteractive: false,
      readInput: async () => new Uint8Array(),
      askSecret: null,
      isOutputWatched: false,
      askLine:
        reply === null
          ? null
          : async (question) => {
              errors += question;
              return reply;
            },
      stopSignal: () => new AbortController().signal,
    },
  });
  return { code, out, errors, json: () => JSON.parse(out) };
}

/** Compiles the sources once for all processes that tests start, which halves their cost. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), 'sri-compile-cache') } as const;

/** A command in a separate process. */
export interface CliProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly answer: Promise<CliAnswer>;
}

/** Starts a command in a separate process. @param folder its working directory; default the current one. */
export function startCliProcess(
  settings: Readonly<Record<string, string>>,
  argv: readonly string[],
  folder?: string,
): CliProcess {
  const child = spawn(process.execPath, [bundledProgram('sri-server'), ...argv], {
    env: { PATH: process.env['PATH'], ...COMPILE_CACHE, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(folder === undefined ? {} : { cwd: folder }),
  });
  const orphaned = () => child.kill('SIGKILL');
  process.once('exit', orphaned);
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
  const answer = Promise.all([text(child.stdout), text(child.stderr), ended]).then(([out, errors, code]) => {
    process.removeListener('exit', orphaned);
    return { code, out, errors, json: () => JSON.parse(out) };
  });
  return { child, answer };
}

/** Runs a command in a separate process. */
export async function runCliProcess(
  settings: Readonly<Record<string, string>>,
  ...argv: readonly string[]
): Promise<CliAnswer> {
  return startCliProcess(settings, argv).answer;
}

/** The settings of a command on the database of a test server. */
export function cliSettings(server: { readonly dataDir: string; readonly databaseUrl: string | null }) {
  return { DATA_DIR: server.dataDir, ...databaseSettings(server.databaseUrl) };
}
