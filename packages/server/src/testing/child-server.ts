import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { RequestTarget } from './test-tenant.js';

/** A server in a process of its own, which can be killed. */
export interface ChildServer extends RequestTarget {
  readonly url: string;
  /** Of its process. */
  readonly pid: number;
  /** Why it ended, once it has: a signal or an exit code. */
  readonly ended: Promise<string>;
  /** Sends it a signal. */
  signal(name: NodeJS.Signals): void;
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
}

/** How to start it. */
export interface ChildServerOptions {
  /** Settings by their names; it listens on a free port and logs nothing. */
  readonly settings: Readonly<Record<string, string>>;
  /** The script to run, a sibling of this file; default the server's own entry. It says where it listens as that does. */
  readonly script?: string;
}

/**
 * Starts the server's sources in a process of their own.
 *
 * @throws when it ends before it listens, with what it said.
 */
export async function startChildServer({ settings, script }: ChildServerOptions): Promise<ChildServer> {
  const entry = fileURLToPath(new URL(script ? `./${script}` : '../main.ts', import.meta.url));
  const hooks = new URL('./typescript-hooks.ts', import.meta.url).href;
  // Node's compile cache, for callers that start many servers; it is no setting of the server.
  const { NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, ['--import', hooks, entry], {
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
