import { describe, expect, it } from 'vitest';
import { createSimulator } from '../simulator.js';
import { createBench, invoiceBody, SCOPE, START, sent } from '../testing/engine-bench.js';
import { createTestClock } from '../testing/test-clock.js';
import { createSriSlots, type Leave } from './sri-slots.js';

const OTHER = { ...SCOPE, issuerId: 'issuer-2' };

/** Lets ready promises continue. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Slots with a record of the admitted calls on demand. */
function watched(concurrency: number) {
  let freed = 0;
  const slots = createSriSlots(concurrency, () => (freed += 1));
  const inside: { owner: string; leave: Leave }[] = [];
  const ask = (owner: string) =>
    slots.wait(owner).then((leave) => {
      if (leave) inside.push({ owner, leave });
      return leave;
    });
  const owners = () => inside.map(({ owner }) => owner);
  return { slots, inside, ask, owners, freed: () => freed };
}

describe('call slots to the SRI', () => {
  it('a call slot goes to the owner with the fewest calls; among equals, to the least recently served', async () => {
    const { ask, inside, owners } = watched(2);
    for (const owner of ['x', 'x', 'x', 'x', 'y', 'z']) ask(owner);
    await turn();
    expect(owners()).toEqual(['x', 'x']);
    for (let index = 0; index < 4; index += 1) {
      inside[index]?.leave();
      await turn();
    }
    expect(owners()).toEqual(['x', 'x', 'y', 'z', 'x', 'x']);
  });

  it('a call slot goes to an owner without calls before an owner that was served longer ago', async () => {
    const { ask, inside, owners } = watched(3);
    for (const owner of ['x', 'x', 'y', 'x', 'y']) ask(owner);
    await turn();
    inside[2]?.leave();
    await turn();
    expect(owners()).toEqual(['x', 'x', 'y', 'y']);
    // The ended calls of an owner do not count.
    for (const owner of ['z', 'z', 'y']) ask(owner);
    for (const index of [0, 1]) inside[index]?.leave();
    await turn();
    expect(owners().slice(4)).toEqual(['z', 'x']);
  });

  it('half of the call slots are reserved for queued work that waits', async () => {
    const { slots, ask, inside, owners, freed } = watched(4);
    for (let index = 0; index < 9; index += 1) ask('x');
    await turn();
    expect([owners().length, slots.reserve(), slots.isFull()]).toEqual([4, 0, true]);
    inside[0]?.leave();
    inside[1]?.leave();
    inside[2]?.leave();
    await turn();
    // One call on demand has ended for each admitted one, except for the two slots that the queue waits for.
    expect([owners().length, freed() > 0]).toEqual([5, true]);
    expect(slots.takeFree()).toBeNull();
    expect(slots.reserve()).toBe(2);
    const leave = slots.take();
    slots.share();
    await turn();
    expect(owners().length).toBe(6);
    leave();
    await turn();
    expect(owners().length).toBe(7);
  });

  it('the call slots admit no call on demand while a claim under way reserves them', async () => {
    const { slots, ask, owners } = watched(3);
    expect(slots.reserve()).toBe(3);
    ask('x');
    await turn();
    expect(owners()).toEqual([]);
    slots.share();
    await turn();
    expect(owners()).toEqual(['x']);
  });

  it('a single call slot alternates between both sides', async () => {
    const { slots, ask, inside, owners } = watched(1);
    ask('x');
    ask('x');
    await turn();
    expect(slots.reserve()).toBe(0);
    inside[0]?.leave();
    await turn();
    expect([owners().length, slots.reserve()]).toEqual([1, 1]);
    const leave = slots.take();
    slots.share();
    expect(slots.reserve()).toBe(0);
    leave();
    await turn();
    expect(owners().length).toBe(2);
  });

  it('waits for a call slot end when the engine stops', async () => {
    const { slots, ask } = watched(2);
    expect(slots.reserve()).toBe(2);
    const leaves = [slots.take(), slots.take()];
    const waiting = ask('x');
    slots.dismiss();
    expect(await waiting).toBeNull();
    expect(slots.reserve()).toBe(0);
    slots.dismiss();
    for (const leave of leaves) leave();
    expect(slots.isFull()).toBe(false);
    // Nothing reserves any more.
    expect(await Promise.all([ask('x'), ask('x')])).not.toContain(null);
  });
});

describe('an account that asks on demand for 250 documents at once', () => {
  it('an account with 250 queries on demand makes no more calls than slots, and leaves other accounts their turns', async () => {
    const clock = createTestClock(START);
    const simulator = createSimulator({ clock, latencyMs: 3_000, authorizationDelayMs: 48 * 3_600_000 });
    let underWay = 0;
    let most = 0;
    const { issuer } = await createBench();
    const { engine } = await createBench({
      clock,
      issuers: [issuer, { ...issuer, id: OTHER.issuerId, issuePointCode: '003' }],
      schedule: { concurrency: 8, firstAuthorizationDelayMs: 3_600_000 },
      transport: (request) => {
        underWay += 1;
        most = Math.max(most, underWay);
        return simulator.handle(request).finally(() => {
          underWay -= 1;
        });
      },
    });
    const created = await Promise.all(Array.from({ length: 250 }, () => engine.create(SCOPE, invoiceBody())));
    const keys = created.map(({ document }) => document.accessKey);
    for (const key of keys) await engine.send(SCOPE, key);
    await clock.runUntil(engine.tick());

    engine.start();
    const asked = keys.map((key) => engine.authorize(SCOPE, key));
    await clock.advance(1_000);
    const began = clock.now().getTime();
    const { accessKey } = (await engine.create(OTHER, invoiceBody())).document;
    await engine.send(OTHER, accessKey);
    while ((await engine.get(OTHER, accessKey)).status !== 'RECEIVED') await clock.advance(250);
    const { response } = await clock.runUntil(engine.authorize(OTHER, accessKey));
    // Its own two calls take 6 s, and before each it waits for the end of another account's call.
    expect(clock.now().getTime() - began).toBeLessThanOrEqual(12_500);
    expect(response).not.toBeNull();
    expect(most).toBeLessThanOrEqual(8);

    const stopped = engine.stop();
    const answers = await clock.runUntil(Promise.all(asked));
    await clock.runUntil(stopped);
    // The waiting calls made no query; the others got their answers.
    expect(answers.filter((answer) => answer.response === null).length).toBeGreaterThan(200);
    expect(new Set(answers.map(({ document }) => document.status))).toEqual(new Set(['RECEIVED']));
  });
});

describe('a document that waited for a slot', () => {
  it('a document that waited for a slot is not queried when the schedule has settled it first', async () => {
    const clock = createTestClock(START);
    const simulator = createSimulator({ clock });
    const answered = Promise.withResolvers<void>();
    let calls = 0;
    const { engine } = await createBench({
      clock,
      schedule: { concurrency: 1 },
      transport: async (request) => {
        calls += 1;
        if (calls === 2) await answered.promise;
        return simulator.handle(request);
      },
    });
    const { accessKey } = await sent({ engine }, invoiceBody());
    await engine.tick();
    await clock.advance(3_000);
    // The scheduled query takes the only slot.
    const ticking = engine.tick();
    while (calls < 2) await turn();
    const second = engine.tick();
    const asked = engine.authorize(SCOPE, accessKey);
    for (let turns = 0; turns < 20; turns += 1) await turn();
    answered.resolve();
    expect(await asked).toMatchObject({ document: { status: 'AUTHORIZED' }, response: null });
    expect([await ticking, await second]).toEqual([1, 0]);
    expect(calls).toBe(2);
  });
});
