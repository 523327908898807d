import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../cli/run.js';

/** What a command answered. */
export interface CliAnswer {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
  /** What it wrote, where that is JSON. */
  json<Body = Readonly<Record<string, unknown>>>(): Body;
}

/** Runs a command in this process. */
export async function runCli(
  settings: Readonly<Record<string, string>>,
  ...argv: readonly string[]
): Promise<CliAnswer> {
  let out = '';
  let errors = '';
  const code = await runCommand(argv, {
    env: settings,
    actor: 'pruebas',
    write: (more) => {
      out += more;
    },
    complain: (more) => {
      errors += more;
    },
  });
  return { code, out, errors, json: () => JSON.parse(out) };
}

/** Runs a command in a process of its own, as the program does. */
export async function runCliProcess(
  settings: Readonly<Record<string, string>>,
  ...argv: readonly string[]
): Promise<CliAnswer> {
  const entry = fileURLToPath(new URL('../main.ts', import.meta.url));
  const hooks = new URL('./typescript-hooks.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', hooks, entry, ...argv], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number>((resolve) => child.once('close', (ended) => resolve(ended ?? -1))),
  ]);
  return { code, out, errors, json: () => JSON.parse(out) };
}

/** The settings of the command line beside a test server. */
export function cliSettings(server: { readonly dataDir: string; readonly databaseUrl: string | null }) {
  const url = server.databaseUrl === null ? {} : { DATABASE_URL: server.databaseUrl };
  return { DATA_DIR: server.dataDir, ...url };
}
