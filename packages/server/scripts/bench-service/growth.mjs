// Compares creates of an account with a million documents and of an empty one. Two servers take turns, so that other
// load slows down both. On SQLite, which runs in the server's process, it compares processor time; on PostgreSQL the
// time of a create.

import { openFilledPlace, STORED } from './filled-place.mjs';
import { startAgain } from './start-again.mjs';
import { invoiceBody, median } from './tools.mjs';

const CLIENTS = 8;
const COUNT = Number(process.env.BENCH_CREATES ?? 300);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const WARM_UP = 500;
const GOAL = 1.2;

export async function run(tools) {
  for (const database of tools.databases) {
    const filled = await openFilledPlace(tools, database);
    const large = await begin(tools, filled.place, filled.account);
    const small = await begin(tools, await tools.openPlace(database), null);
    const driver = await tools.startDriver();
    const rounds = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const figures = {};
      for (const [name, side] of round % 2
        ? [
            ['large', large],
            ['small', small],
          ]
        : [
            ['small', small],
            ['large', large],
          ]) {
        await side.server.figures();
        const created = await driver.drive({ ...side.load, count: round === 0 ? WARM_UP : COUNT });
        const { mainUs, cpuUs } = await side.server.figures();
        figures[name] = { p50: created.p50, mainUs: mainUs / created.done, cpuUs: cpuUs / created.done };
      }
      if (round > 0) rounds.push(figures);
    }
    for (const side of ['small', 'large']) {
      const at = side === 'small' ? 0 : STORED;
      tools.print(`${database}-create-p50-at-${at}`, median(rounds.map((round) => round[side].p50)), 'ms');
      tools.print(`${database}-create-at-${at}`, median(rounds.map((round) => round[side].cpuUs)), 'µs of processor');
    }
    for (const [figure, goal] of [
      ['p50', database === 'sqlite' ? undefined : GOAL],
      ['mainUs', undefined],
      ['cpuUs', database === 'sqlite' ? GOAL : undefined],
    ]) {
      const ratios = rounds.map(({ large: of, small: against }) => of[figure] / against[figure]);
      tools.print(
        `${database}-create-${figure}-at-${STORED}/at-0`,
        median(ratios),
        'ratio',
        goal ? { atMost: goal } : {},
      );
    }
    await driver.stop();
    await large.server.stop();
    await small.server.stop();
  }
}

async function begin(tools, place, known) {
  const server = await startAgain(tools, place);
  const account = known ?? (await tools.openAccount(server.url));
  const requests = [{ path: '/v1/documents', headers: account, body: invoiceBody() }];
  return { server, load: { url: server.url, requests, connections: CLIENTS } };
}
