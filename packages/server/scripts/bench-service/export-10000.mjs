// One account exports 10,000 documents in each format, while another one creates. Measures the duration and the extra
// memory of each export, and the creates meanwhile. The first create figures are without an export, as a baseline.
import { setTimeout as sleep } from 'node:timers/promises';
import { fillPlace } from './filled-place.mjs';
import { startAgain } from './start-again.mjs';
import { invoiceBody } from './tools.mjs';

const DOCUMENTS = Number(process.env.BENCH_EXPORT ?? 10_000);
/** The first account has three quarters of the documents. */
const STORED = Math.ceil((DOCUMENTS * 4) / 3);
const CREATES_A_SECOND = 20;
const GOALS = { seconds: 60, growthMb: 60, createMs: 300 };
const MB = 1024 * 1024;

export async function run(tools) {
  for (const database of tools.databases) {
    const { place, account } = await fillPlace(tools, await tools.openPlace(database), STORED);
    const server = await startAgain(tools, place);
    const other = await tools.openAccount(server.url, { ruc: '1760020001001' });
    const driver = await tools.startDriver();
    const create = { path: '/v1/documents', headers: other, body: invoiceBody() };
    const beside = { url: server.url, requests: [create], connections: 8, perSecond: CREATES_A_SECOND, seconds: 2 };
    // Warms up the server and its thread.
    await readExport(server, account, { format: 'zip', sequential: '0001' });
    const alone = await driver.drive({ ...beside, seconds: 5 });
    tools.print(`${database}-create-alone-p99`, alone.p99, 'ms');
    for (const format of ['csv', 'xlsx', 'zip']) {
      const { rssBytes } = await server.figures();
      let peak = rssBytes;
      let delayMs = 0;
      let isOver = false;
      const watching = (async () => {
        for (; !isOver; await sleep(250)) {
          const figures = await server.figures();
          peak = Math.max(peak, figures.rssBytes);
          delayMs = Math.max(delayMs, figures.delayMaxMs);
        }
      })();
      const creating = (async () => {
        const waits = [];
        while (!isOver) waits.push((await driver.drive(beside)).p99);
        return Math.max(...waits);
      })();
      const from = performance.now();
      const { bytes, pieces } = await readExport(server, account, { format });
      const seconds = (performance.now() - from) / 1000;
      isOver = true;
      await watching;
      const name = `${database}-export-${format}`;
      if (pieces < 2) throw new Error(`${name} came in one piece.`);
      tools.print(`${name}-bytes`, bytes / MB, 'MB');
      tools.print(`${name}-time`, seconds, 's', { atMost: GOALS.seconds });
      tools.print(`${name}-memory-growth`, (peak - rssBytes) / MB, 'MiB', { atMost: GOALS.growthMb });
      tools.print(`${name}-longest-turn`, delayMs, 'ms');
      tools.print(`${name}-create-p99`, await creating, 'ms', { atMost: GOALS.createMs });
    }
    await driver.stop();
    await server.stop();
  }
}

// --- internal ---

async function readExport(server, headers, query) {
  const response = await fetch(`${server.url}/v1/documents/export?${new URLSearchParams(query)}`, { headers });
  if (!response.ok) throw new Error(`An export was refused: ${await response.text()}`);
  let bytes = 0;
  let pieces = 0;
  for await (const piece of response.body) {
    bytes += piece.byteLength;
    pieces += 1;
  }
  return { bytes, pieces };
}
