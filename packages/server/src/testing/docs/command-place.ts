import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundledProgram } from '../bundled-sources.js';
import { COMPILE_CACHE } from '../run-cli.js';
import { ROOT } from './pages.js';

/** The outcome of a script of the documentation. */
export interface ScriptAnswer {
  readonly code: number;
  /** Both output streams, with each command before its output. */
  readonly said: string;
}

/** The machine's curl; null without one. */
export const CURL = findCurl();

/**
 * Runs a script of the documentation as a reader would type it, in an empty folder. This repository's programs run from
 * their sources. A server listens on a free port instead of 3000, and ends with the script. Stand-ins replace programs
 * that would change the machine (see `bin/`), and its folders are replaced.
 *
 * @param lines the typed lines.
 */
export async function runScript(lines: string): Promise<ScriptAnswer> {
  const place = await mkdtemp(join(tmpdir(), 'sri-docs-'));
  const machine = join(place, 'machine');
  const folder = join(place, 'folder');
  for (const made of [folder, `${machine}/opt`, `${machine}/etc/systemd/system`])
    await mkdir(made, { recursive: true });
  const typed = lines.replaceAll(/(?<=\s)\/(?=(opt|etc)\/)/g, `${machine}/`);
  const child = spawn('bash', ['-euxo', 'pipefail', '-c', typed], {
    cwd: folder,
    env: {
      ...COMPILE_CACHE,
      PATH: `${fileURLToPath(new URL('./bin', import.meta.url))}:${process.env['PATH']}`,
      HOME: place,
      LC_ALL: 'C.UTF-8',
      NODE_NO_WARNINGS: '1',
      DOCS_PLACE: place,
      DOCS_ROOT: ROOT.replace(/\/$/, ''),
      DOCS_NODE: process.execPath,
      DOCS_SRI_CORE: bundledProgram('sri-core'),
      DOCS_SRI_SERVER: bundledProgram('sri-server'),
      DOCS_CURL: CURL ?? '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that all its processes can be ended at once.
    detached: true,
  });
  const endAll = () => {
    if (child.pid !== undefined && isAlive(-child.pid)) process.kill(-child.pid, 'SIGKILL');
  };
  const overdue = setTimeout(endAll, LONGEST_MS);
  process.once('exit', endAll);
  try {
    const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
    const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, said: `${out}\n${errors}` };
  } finally {
    clearTimeout(overdue);
    process.removeListener('exit', endAll);
    await endServers(join(place, 'pids'));
    await rm(place, { recursive: true, force: true });
  }
}

// --- internal ---

/** Many times the duration of any script on an idle machine. */
const LONGEST_MS = 170_000;

async function endServers(list: string): Promise<void> {
  const pids = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n').map(Number) : [];
  for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGTERM');
  for (let round = 0; pids.some(isAlive); round += 1) {
    if (round === 200) throw new Error('A server of the documentation did not end within ten seconds.');
    await sleep(50);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function findCurl(): string | null {
  try {
    return execFileSync('bash', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
