import { expect, it } from 'vitest';
import { createSimulator } from '../simulator.js';
import { BENCH_TYPES, createBench, SCOPE, START, sent } from '../testing/engine-bench.js';
import { createTestClock } from '../testing/test-clock.js';

const PLACES = 40;
const QUEUED = 160;
const OTHER = { ...SCOPE, issuerId: 'issuer-2' };

it.each(BENCH_TYPES)(
  'a document of an issuer is sent in the next round, however long the queue of another issuer: $name',
  async ({ bodyTo }) => {
    const clock = createTestClock(START);
    const arrived: string[] = [];
    const simulator = createSimulator({ clock, latencyMs: 500, checkSignature: false });
    let underWay = 0;
    let most = 0;
    const { issuer } = await createBench();
    const { engine } = await createBench({
      clock,
      issuers: [issuer, { ...issuer, id: OTHER.issuerId, issuePointCode: '003' }],
      schedule: { concurrency: PLACES },
      transport: async (request) => {
        const envelope = await request.clone().text();
        const xml = Buffer.from(/<xml>([^<]+)</.exec(envelope)?.[1] ?? '', 'base64').toString();
        const key = /<claveAcceso>(\d{49})/.exec(xml)?.[1];
        if (key) arrived.push(key);
        underWay += 1;
        most = Math.max(most, underWay);
        return simulator.handle(request).finally(() => {
          underWay -= 1;
        });
      },
    });
    for (let index = 0; index < QUEUED; index += 1) {
      await sent({ engine }, bodyTo());
    }
    const { document } = await engine.create(OTHER, bodyTo());
    const step = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      await clock.advance(25);
    };
    engine.start();
    while (arrived.length < 2 * PLACES) await step();
    const before = arrived.length;
    await engine.send(OTHER, document.accessKey);
    while (!arrived.includes(document.accessKey)) await step();
    expect(arrived.indexOf(document.accessKey) - before).toBeLessThanOrEqual(PLACES);
    expect(most).toBe(PLACES);
    const stopped = engine.stop();
    let isStopped = false;
    void stopped.then(() => {
      isStopped = true;
    });
    while (!isStopped) await step();
  },
);
