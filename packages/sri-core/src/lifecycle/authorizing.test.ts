import { describe, expect, it } from 'vitest';
import type { DocumentBody } from '../documents/registry.js';
import type { Storage } from '../storage.js';
import { BENCH_TYPES, type Bench, createBench, SCOPE, sent } from '../testing/engine-bench.js';
import { createMemoryStorage } from '../testing/memory-storage.js';

const codeOf = (code: string) => expect.objectContaining({ code });
const MINUTE = 60_000;

/** Sends the document and takes the SRI's verdict. */
async function judged(bench: Bench, body: DocumentBody) {
  const { accessKey } = await sent(bench, body);
  await bench.engine.tick();
  await bench.engine.authorize(SCOPE, accessKey);
  return accessKey;
}

describe.each(BENCH_TYPES)('authorization on demand: $name', ({ bodyTo }) => {
  it.each([
    { status: 'AUTHORIZED', settle: (bench: Bench) => judged(bench, bodyTo()) },
    { status: 'NOT_AUTHORIZED', settle: (bench: Bench) => judged(bench, bodyTo('SRI-REFUSED-39')) },
    {
      status: 'VOIDED',
      settle: async (bench: Bench) => {
        const accessKey = await judged(bench, bodyTo());
        await bench.engine.void(SCOPE, accessKey, { confirmedSriVoid: true, reason: 'x' });
        return accessKey;
      },
    },
  ])('authorization on demand makes no call for a document that is $status', async ({ status, settle }) => {
    const bench = await createBench();
    const accessKey = await settle(bench);
    const calls = bench.simulator.journal.length;
    expect(await bench.engine.authorize(SCOPE, accessKey)).toMatchObject({ document: { status }, response: null });
    expect(bench.simulator.journal).toHaveLength(calls);
  });

  it('authorization on demand is rejected when the SRI has nothing to decide', async () => {
    const bench = await createBench();
    const { document: signed } = await bench.engine.create(SCOPE, bodyTo());
    const queued = await sent(bench, bodyTo());
    const returned = await sent(bench, bodyTo('SRI-RETURNED-35'));
    await expect(bench.engine.authorize(SCOPE, queued.accessKey)).rejects.toEqual(codeOf('INVALID_STATE_TRANSITION'));
    await bench.engine.tick();
    for (const { accessKey } of [signed, returned]) {
      await expect(bench.engine.authorize(SCOPE, accessKey)).rejects.toEqual(codeOf('INVALID_STATE_TRANSITION'));
    }
    await expect(bench.engine.authorize(SCOPE, '0'.repeat(49))).rejects.toEqual(codeOf('DOCUMENT_NOT_FOUND'));
  });

  it('authorization on demand gives each of several documents its own answer, and queries again after it', async () => {
    const bench = await createBench();
    const sendTo = async (counterparty?: string) => (await sent(bench, bodyTo(counterparty))).accessKey;
    const keys = [await sendTo(), await sendTo('SRI-REFUSED-39'), await sendTo('SRI-NEVER')];
    await bench.engine.tick();
    const ask = () => Promise.all(keys.map((accessKey) => bench.engine.authorize(SCOPE, accessKey)));
    const answers = await ask();
    expect(answers.map(({ document }) => `${document.accessKey} ${document.status}`)).toEqual([
      `${keys[0]} AUTHORIZED`,
      `${keys[1]} NOT_AUTHORIZED`,
      `${keys[2]} RECEIVED`,
    ]);
    const again = await ask();
    expect(again.map(({ response }) => response === null)).toEqual([true, true, false]);
    const [third, asked] = [keys[2] ?? '', [again[2]?.response, answers[2]?.response]];
    expect((await bench.engine.sriResponses(SCOPE, third)).slice(0, 2)).toEqual(asked);
    expect(asked[0]?.id).not.toBe(asked[1]?.id);
    expect((await bench.engine.get(SCOPE, third)).job).toMatchObject({ attemptCount: 0, unconfirmed: false });
  });

  it('authorization on demand records no answer about a document without contents', async () => {
    const real = createMemoryStorage();
    let areGone = false;
    const storage: Storage = {
      ...real,
      readContents: async (scope, accessKey) => (areGone ? null : real.readContents(scope, accessKey)),
    };
    const bench = await createBench({ storage });
    const { accessKey } = await sent(bench, bodyTo());
    await bench.engine.tick();
    areGone = true;
    const { document, response } = await bench.engine.authorize(SCOPE, accessKey);
    expect(document.status).toBe('RECEIVED');
    const recorded = await bench.engine.sriResponses(SCOPE, accessKey);
    expect(recorded).toHaveLength(1);
    expect(recorded[0]?.id).not.toBe(response?.id);
  });
});

describe.each(BENCH_TYPES)('late queries: $name', ({ bodyTo }) => {
  it('late queries end a day after the SRI received the document, whatever failed since', async () => {
    const bench = await createBench();
    const { document } = await bench.engine.create(SCOPE, bodyTo('SRI-AUTH-HTTP-503'));
    const { accessKey } = document;
    await bench.clock.advance(12 * 60 * MINUTE);
    await bench.engine.send(SCOPE, accessKey);
    await bench.engine.tick();
    await bench.clock.advance(3_000);
    let asked = 0;
    for (let minutes = 0; minutes < 36 * 60; minutes += 5) {
      asked += await bench.engine.tick();
      await bench.clock.advance(5 * MINUTE);
    }
    expect(asked).toBe(5 + 23);
    expect((await bench.engine.get(SCOPE, accessKey)).job).toMatchObject({ status: 'FAILED', dueAt: null });
  });
});

describe.each(BENCH_TYPES)('a worker that froze during its query: $name', ({ bodyTo }) => {
  it('a worker that froze during its query does not undo an attempt of another worker', async () => {
    const bench = await createBench();
    const { accessKey } = await sent(bench, bodyTo('SRI-NEVER'));
    await bench.engine.tick();
    await bench.clock.advance(3_000);
    const [there, thaw] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // Its clock is frozen too, so that it does not notice that its lease has expired.
    const frozen = await createBench({
      storage: bench.storage,
      transport: async (request) => {
        const answer = await bench.simulator.handle(request);
        there.resolve();
        await thaw.promise;
        return answer;
      },
    });
    await frozen.clock.advance(3_000);
    const late = frozen.engine.tick();
    await there.promise;
    await bench.clock.advance(MINUTE);
    expect(await bench.engine.tick()).toBe(1);
    const before = await bench.engine.get(SCOPE, accessKey);
    expect(before.job).toMatchObject({ operation: 'AUTHORIZE', attemptCount: 1, running: false });
    thaw.resolve();
    expect(await late).toBe(1);
    expect(await bench.engine.get(SCOPE, accessKey)).toEqual(before);
  });
});

describe.each(BENCH_TYPES)('an answer that was under way during a rebuild: $name', ({ bodyTo }) => {
  /**
   * A document that the SRI has refused, and an engine that is delayed between its answer and its record. Another engine
   * records its own first.
   */
  async function heldUp(freeze: 'with the answer' | 'with the contents') {
    const there = Promise.withResolvers<void>();
    const thaw = Promise.withResolvers<void>();
    const hold = async <T>(value: T): Promise<T> => {
      there.resolve();
      await thaw.promise;
      return value;
    };
    const bench = await createBench();
    const { storage, simulator } = bench;
    const slowStorage: Storage = {
      ...storage,
      readContents: async (...of) => hold(await storage.readContents(...of)),
    };
    const slow =
      freeze === 'with the answer'
        ? await createBench({ storage, transport: async (request) => hold(await simulator.handle(request)) })
        : await createBench({ storage: slowStorage, transport: simulator.handle });
    const { accessKey } = await sent(bench, bodyTo('SRI-REFUSED-39'));
    await bench.engine.tick();
    const late = slow.engine.authorize(SCOPE, accessKey);
    await there.promise;
    await bench.engine.authorize(SCOPE, accessKey);
    const received = async (options: Parameters<typeof bench.engine.rebuild>[2]) => {
      const { document } = await bench.engine.rebuild(SCOPE, accessKey, options);
      await bench.engine.send(SCOPE, document.accessKey);
      await bench.engine.tick();
      return bench.engine.get(SCOPE, document.accessKey);
    };
    return { bench, late, thaw, received };
  }

  it('an answer about the key before a rebuild changes nothing on the rebuilt document', async () => {
    const { bench, late, thaw, received } = await heldUp('with the answer');
    const rebuilt = await received({ body: bodyTo(), redate: true });
    const before = await bench.engine.sriResponses(SCOPE, rebuilt.accessKey);
    thaw.resolve();
    expect((await late).document).toEqual(rebuilt);
    expect(rebuilt.status).toBe('RECEIVED');
    expect(await bench.engine.sriResponses(SCOPE, rebuilt.accessKey)).toEqual(before);
  });

  it.each(['with the answer', 'with the contents'] as const)(
    'an answer from before a rebuild is no verdict on the new file under the same key (delayed %s)',
    async (freeze) => {
      const { bench, late, thaw, received } = await heldUp(freeze);
      const { accessKey } = await received({ body: bodyTo() });
      thaw.resolve();
      expect((await late).document.status).toBe('RECEIVED');
      await bench.clock.advance(3_000);
      await bench.engine.tick();
      expect((await bench.engine.get(SCOPE, accessKey)).status).toBe('AUTHORIZED');
    },
  );
});
