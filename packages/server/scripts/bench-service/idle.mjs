// Memory of an idle server with one account.
import { setTimeout as sleep } from 'node:timers/promises';

const REST_MS = 8_000;

export async function run(tools) {
  for (const database of tools.databases) {
    const place = await tools.openPlace(database);
    const server = await tools.startServer(place);
    await tools.openAccount(server.url);
    await server.figures();
    await sleep(REST_MS);
    const { rssBytes, cpuUs, ms } = await server.figures();
    tools.print(`${database}-rss-idle`, rssBytes / 1024 / 1024, 'MiB', { atMost: 150 });
    tools.print(`${database}-cpu-idle`, (cpuUs / 1000 / ms) * 100, '% of a core');
    await server.stop();
  }
}
