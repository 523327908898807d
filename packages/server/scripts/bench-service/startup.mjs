// Measures the time from the process start to the first `/readyz` of 200: on an empty database, and on an existing one.
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/testing/free-port.ts';
import { median } from './tools.mjs';

const STARTS = 5;

export async function run(tools) {
  for (const database of tools.databases) {
    const first = [];
    const again = [];
    for (let start = 0; start < STARTS; start += 1) {
      const place = await tools.openPlace(database);
      first.push(await startOnce(tools, place));
      again.push(await startOnce(tools, place));
    }
    tools.print(`${database}-start-up-on-empty-database`, median(first), 'ms');
    tools.print(`${database}-start-up`, median(again), 'ms', { atMost: 1_000 });
  }
}

async function startOnce(tools, place) {
  const port = await freePort();
  const server = await tools.startServer(place, { settings: { PORT: String(port) }, probed: false });
  while (!(await isReady(port))) await sleep(2);
  const ms = performance.now() - server.startedAt;
  await server.stop();
  return ms;
}

function isReady(port) {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/readyz', agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode === 200));
    }).on('error', () => resolve(false));
  });
}
