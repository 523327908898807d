import { expect, it } from 'vitest';
import { describeReplicas } from '../../testing/replicas.js';
import { everyDatabaseKind } from '../../testing/test-databases.js';
import type { TestServer } from '../../testing/test-server.js';
import { createFrequentLimits, type FrequentLimits } from './frequent-limits.js';
import type { Limit, LimitVerdict } from './rows.js';

const LIMIT = { limit: 10, windowMs: 60_000 };

describeReplicas('limits on frequent uses', await everyDatabaseKind(), (openReplica) => {
  const limitsOf = ({ services }: TestServer) => withRoom(createFrequentLimits(services.database, services.clock));

  it('allows exactly the uses of a limit in one process, in turn or at once', async () => {
    const server = await openReplica();
    const limits = limitsOf(server);
    const verdicts = await Promise.all(Array.from({ length: 25 }, () => limits.use('at once', LIMIT)));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(10);
    for (let count = 9; count >= 0; count -= 1) {
      await server.clock.advance(400);
      expect(await limits.use('in turn', LIMIT)).toMatchObject({ allowed: true, limit: 10, remaining: count });
    }
    expect(await limits.use('in turn', LIMIT)).toEqual({ allowed: false, limit: 10, remaining: 0, resetMs: 56_400 });
  });

  it('slides with the window, and does not count a rejected use', async () => {
    const server = await openReplica();
    const limits = limitsOf(server);
    for (let count = 0; count < 10; count += 1) {
      expect((await limits.use('sliding', LIMIT)).allowed).toBe(true);
      await server.clock.advance(1000);
    }
    expect((await limits.use('sliding', LIMIT)).resetMs).toBe(50_000);
    await server.clock.advance(49_999);
    expect((await limits.use('sliding', LIMIT)).allowed).toBe(false);
    await server.clock.advance(1);
    expect((await limits.use('sliding', LIMIT)).allowed).toBe(true);
    expect((await limits.use('sliding', LIMIT)).allowed).toBe(false);
  });

  it('states the time of the next use under a smaller limit, as after a change of plan', async () => {
    const server = await openReplica();
    const limits = limitsOf(server);
    for (let count = 0; count < 10; count += 1) {
      await limits.use('smaller', LIMIT);
      await server.clock.advance(1000);
    }
    const smaller = { ...LIMIT, limit: 4 };
    expect(await limits.use('smaller', smaller)).toEqual({ allowed: false, limit: 4, remaining: 0, resetMs: 56_000 });
    await server.clock.advance(56_000);
    expect((await limits.use('smaller', smaller)).allowed).toBe(true);
  });

  it('reports uses to other processes within half a second', async () => {
    const [here, there] = [await openReplica(), await openReplica()];
    const [one, two] = [limitsOf(here), limitsOf(there)];
    for (let count = 0; count < 5; count += 1) await one.use('shared', LIMIT);
    await here.clock.advance(500);
    await one.use('shared', LIMIT);
    expect(await two.use('shared', LIMIT)).toMatchObject({ allowed: true, remaining: 4 });
    for (let count = 0; count < 3; count += 1) await two.use('shared', LIMIT);
    await there.clock.advance(500);
    expect((await two.use('shared', LIMIT)).allowed).toBe(true);
    expect((await two.use('shared', LIMIT)).allowed).toBe(false);
    await here.clock.advance(500);
    expect((await one.use('shared', LIMIT)).allowed).toBe(false);
  });

  it('reports uses without further requests, so that all processes know them after a second', async () => {
    const [here, there] = [await openReplica(), await openReplica()];
    const [one, two] = [limitsOf(here), limitsOf(there)];
    // At the start of the first process, the data of the second has the largest allowed age.
    expect((await two.use('wandering', LIMIT)).allowed).toBe(true);
    for (let count = 0; count < 9; count += 1) expect((await one.use('wandering', LIMIT)).allowed).toBe(true);
    await Promise.all([here, there].map(({ clock }) => clock.advance(500)));
    await Promise.all([one, two].map((limits) => limits.share()));
    await Promise.all([here, there].map(({ clock }) => clock.advance(500)));
    // The processes allowed ten uses in all, although each got at most nine.
    expect(await two.use('wandering', LIMIT)).toMatchObject({ allowed: false, remaining: 0 });
    expect(await one.use('wandering', LIMIT)).toMatchObject({ allowed: false, remaining: 0 });
  });

  it('reports uses later if a report fails', async () => {
    const [here, there] = [await openReplica(), await openReplica()];
    const { database } = here.services;
    let broken = true;
    const flaky: typeof database = {
      ...database,
      transaction: (work) => (broken ? Promise.reject(new Error('full')) : database.transaction(work)),
    };
    const [one, two] = [createFrequentLimits(flaky, here.clock), limitsOf(there)];
    broken = false;
    for (let count = 0; count < 10; count += 1) await one.use('told late', LIMIT);
    broken = true;
    await expect(one.share()).rejects.toThrow('full');
    broken = false;
    await one.share();
    expect((await two.use('told late', LIMIT)).allowed).toBe(false);
  });

  it('several processes exceed a limit by the uses of half a second at most', async () => {
    const servers = [await openReplica(), await openReplica(), await openReplica()];
    const processes = servers.map((server) => limitsOf(server));
    /** Uses the limit a number of times on each process. @returns the number of accepted uses. */
    const use = async (bucket: string, count: number) => {
      const asked = processes.flatMap((limits) => Array.from({ length: count }, () => limits.use(bucket, LIMIT)));
      return (await Promise.all(asked)).filter(({ allowed }) => allowed).length;
    };
    const pass = () => Promise.all(servers.map(({ clock }) => clock.advance(500)));
    // Before the first report, each process allows its own limit.
    expect(await use('a burst', 50)).toBeLessThanOrEqual(processes.length * LIMIT.limit);
    await pass();
    expect(await use('a burst', 50)).toBe(0);
    // The excess of uses over time is at most the uses of the last half second.
    let allowed = 0;
    for (let round = 0; round < 10; round += 1) {
      allowed += await use('a stream', 1);
      await pass();
    }
    expect(allowed).toBeGreaterThanOrEqual(LIMIT.limit);
    expect(allowed).toBeLessThanOrEqual(LIMIT.limit + processes.length - 1);
  });

  it('loses no use while the database cannot be written', async () => {
    const server = await openReplica();
    const { database, clock } = server.services;
    let broken = false;
    let writes = 0;
    const flaky: typeof database = {
      ...database,
      transaction: (work) => {
        writes += 1;
        return broken ? Promise.reject(new Error('full')) : database.transaction(work);
      },
    };
    const limits = withRoom(createFrequentLimits(flaky, clock));
    await Promise.all(Array.from({ length: 8 }, () => limits.use('flaky', LIMIT)));
    await limits.use('flaky', LIMIT);
    expect(writes).toBe(1);
    await server.clock.advance(500);
    broken = true;
    await expect(limits.use('flaky', LIMIT)).rejects.toThrow('full');
    broken = false;
    expect((await limits.use('flaky', LIMIT)).allowed).toBe(true);
    expect((await limits.use('flaky', LIMIT)).allowed).toBe(false);
    await limits.share();
    const reported = writes;
    await limits.share();
    expect(writes).toBe(reported);
  });

  it('forgets uses without effect', async () => {
    const server = await openReplica();
    const limits = limitsOf(server);
    for (let count = 0; count < 10; count += 1) await limits.use('forgotten', LIMIT);
    limits.sweep();
    expect((await limits.use('forgotten', LIMIT)).allowed).toBe(false);
    await server.clock.advance(60_000);
    limits.sweep();
    expect(await limits.use('forgotten', LIMIT)).toMatchObject({ allowed: true, remaining: 9 });
    await server.clock.advance(59_900);
    for (let count = 0; count < 8; count += 1) await limits.use('forgotten', LIMIT);
    await server.clock.advance(100);
    limits.sweep();
    expect(await limits.use('forgotten', LIMIT)).toMatchObject({ allowed: true, remaining: 1 });
  });

  it('starts over after the clock was set back, and counts the later uses of every process', async () => {
    const [here, there] = [await openReplica(), await openReplica()];
    const [one, two] = [limitsOf(here), limitsOf(there)];
    for (let count = 0; count < 10; count += 1) await one.use('set back', LIMIT);
    for (const { clock } of [here, there]) await clock.advance(-3_600_000);
    for (let count = 0; count < 9; count += 1) await two.use('set back', LIMIT);
    await two.share();
    expect(await one.use('set back', LIMIT)).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('keeps buckets up to its number, and leaves further buckets to the limits of the process', async () => {
    const server = await openReplica();
    const limits = createFrequentLimits(server.services.database, server.services.clock, 2);
    for (const bucket of ['first', 'second']) expect(await limits.use(bucket, LIMIT)).toMatchObject({ remaining: 9 });
    expect(limits.occupancy()).toEqual({ used: 2, limit: 2 });
    expect(await limits.use('third', LIMIT)).toBeNull();
    expect(await limits.use('second', LIMIT)).toMatchObject({ remaining: 8 });
    await server.clock.advance(60_000);
    limits.sweep();
    expect(await limits.use('third', LIMIT)).toMatchObject({ remaining: 9 });
  });
});

// --- internal ---

/** The limits, with an error for a bucket beyond their number. */
function withRoom({ use, ...limits }: FrequentLimits) {
  return {
    ...limits,
    async use(bucket: string, limit: Limit): Promise<LimitVerdict> {
      const verdict = await use(bucket, limit);
      if (!verdict) throw new Error('There is no room for the bucket.');
      return verdict;
    },
  };
}
