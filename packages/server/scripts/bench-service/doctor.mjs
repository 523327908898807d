// Measures `sri-server doctor --invariants` on a full database: time, memory, and the latency of creates during the run.
// The signatures of a filled place are random: `doctor` must report them as broken, and nothing else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openFilledPlace, STORED } from './filled-place.mjs';
import { startAgain } from './start-again.mjs';
import { invoiceBody, post } from './tools.mjs';

const PROGRAM = fileURLToPath(new URL('../../bin/sri-server.mjs', import.meta.url));
const KIB_A_MIB = 1024;

export async function run(tools) {
  for (const database of tools.databases) {
    const { place, account } = await openFilledPlace(tools, database);
    const server = await startAgain(tools, place);
    const name = `${database}-doctor-at-${STORED}`;
    const startedAt = performance.now();
    const looking = examine(place);
    let longestMs = 0;
    while (!looking.isOver()) {
      const from = performance.now();
      await post(`${server.url}/v1/documents`, account, invoiceBody());
      longestMs = Math.max(longestMs, performance.now() - from);
      await sleep(100);
    }
    const { memoryMib, faults } = await looking.ended;
    tools.print(name, (performance.now() - startedAt) / 1000, 's');
    tools.print(`${name}-memory`, memoryMib, 'MiB');
    tools.print(`${name}-longest-create`, longestMs, 'ms');
    tools.print(`${name}-faults`, faults.length, 'faults', { atMost: 0 });
    for (const fault of faults.slice(0, 3)) console.log(`# ${fault}`);
    await server.stop();
  }
}

// --- internal ---

function examine({ dataDirectory, databaseUrl }) {
  const child = spawn(process.execPath, [PROGRAM, 'doctor', '--invariants'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDirectory, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let isOver = false;
  let memoryMib = 0;
  const watching = setInterval(() => {
    memoryMib = Math.max(memoryMib, residentMib(child.pid));
  }, 100);
  const told = text(child.stdout);
  const ended = once(child, 'exit').then(async () => {
    isOver = true;
    clearInterval(watching);
    const lines = (await told).split('\n');
    return { memoryMib, faults: lines.filter((line) => /invariants\./.test(line) && !/signature-verifies/.test(line)) };
  });
  return { isOver: () => isOver, ended };
}

/** The peak resident memory of a process. Only Linux reports it; elsewhere 0. */
function residentMib(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / KIB_A_MIB;
  } catch {
    return 0;
  }
}
