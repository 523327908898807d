import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type BundledProgram, bundledProgram } from './bundled-sources.js';
import type { RequestTarget } from './test-tenant.js';

/** A server in a process of its own, which can be killed. */
export interface ChildServer extends RequestTarget {
  readonly url: string;
  /** The id of its process. */
  readonly pid: number;
  /** Resolves to the signal or exit code when it ends. */
  readonly ended: Promise<string>;
  /** Sends it a signal. */
  signal(name: NodeJS.Signals): void;
  /** Kills it like a power cut, and waits for its end. */
  kill(): Promise<void>;
}

/** Options of its start. */
export interface ChildServerOptions {
  /** Settings by their names; it listens on a free port and logs nothing. */
  readonly settings: Readonly<Record<string, string>>;
  /** Default the server. It must print its address as the server does. */
  readonly program?: BundledProgram;
}

/**
 * Starts the server's sources in a separate process.
 *
 * @throws with its output if it ends before it listens.
 */
export async function startChildServer({ settings, program }: ChildServerOptions): Promise<ChildServer> {
  // Node's compile cache, for callers that start many servers. It is not a setting of the server.
  const { NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [bundledProgram(program ?? 'sri-server')], {
    env: { PORT: '0', LOG_LEVEL: 'silent', MAIL_TO_BUYERS: 'off', NODE_COMPILE_CACHE, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const orphaned = () => child.kill('SIGKILL');
  process.once('exit', orphaned);
  const ended = once(child, 'exit').then(([code, signal]) => {
    process.removeListener('exit', orphaned);
    return String(signal ?? code);
  });
  const complaints = text(child.stderr);
  const url = await Promise.race([findUrl(child), ended.then(() => null)]);
  if (url === null) throw new Error(`The server ended before it listened: ${await complaints}`);
  return {
    url,
    pid: child.pid ?? 0,
    ended,
    request: (path, init) => fetch(`${url}${path}`, init),
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

// --- internal ---

async function findUrl({ stdout }: ChildProcess & { readonly stdout: NodeJS.ReadableStream }): Promise<string | null> {
  for await (const line of createInterface(stdout)) {
    const found = /^Listening on (\S+)$/.exec(line)?.[1];
    if (!found) continue;
    stdout.resume();
    return found;
  }
  return null;
}
