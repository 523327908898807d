import { beforeAll, expect, it } from 'vitest';
import { readRows } from '../../testing/change-rows.js';
import { everyDatabaseKind } from '../../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../../testing/test-server.js';
import { countAgainstLimit, forgetUnusedLimits } from './rows.js';

describeOnDatabases('limits', await everyDatabaseKind(), (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open();
  });

  const limit = { limit: 5, windowMs: 1000 };
  const use = (bucket: string, at: number) => countAgainstLimit(server.services.database, bucket, limit, new Date(at));

  it('allows exactly the uses of a limit at once', async () => {
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => use('at once', 1000)));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(5);
    expect(verdicts.map(({ remaining }) => remaining).toSorted()).toEqual([...Array(16).fill(0), 1, 2, 3, 4]);
  });

  it('counts each use for one window, and does not count rejected uses', async () => {
    for (const at of [0, 100, 200, 300, 400]) expect((await use('sliding', at)).allowed).toBe(true);
    expect(await use('sliding', 999)).toEqual({ allowed: false, limit: 5, remaining: 0, resetMs: 1 });
    expect((await use('sliding', 1000)).allowed).toBe(true);
    expect((await use('sliding', 1000)).allowed).toBe(false);
    expect((await use('sliding', 1100)).allowed).toBe(true);
  });

  it('states the time of the next use under a smaller limit, as after a change of plan', async () => {
    const uses = (at: number) =>
      countAgainstLimit(server.services.database, 'smaller', { limit: 2, windowMs: 1000 }, new Date(at));
    for (const at of [0, 100, 200, 300, 400]) await use('smaller', at);
    expect(await uses(500)).toEqual({ allowed: false, limit: 2, remaining: 0, resetMs: 800 });
    expect((await uses(1299)).allowed).toBe(false);
    expect((await uses(1300)).allowed).toBe(true);
  });

  it('counts a use with an earlier time that arrives later', async () => {
    const verdicts = await Promise.all(Array.from({ length: 20 }, (_, index) => use('out of order', 1000 - index)));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(5);
    expect((await use('out of order', 1000)).allowed).toBe(false);
  });

  it('forgets the uses of a clock that was ahead by more than a window', async () => {
    for (let count = 0; count < 5; count += 1) await use('ahead', 600_000);
    expect((await use('ahead', 600_000)).allowed).toBe(false);
    expect(await use('ahead', 0)).toMatchObject({ allowed: true, remaining: 4 });
  });

  it('counts each bucket apart', async () => {
    for (let count = 0; count < 6; count += 1) await use('one', 0);
    expect(await use('two', 0)).toMatchObject({ allowed: true, remaining: 4 });
  });

  it('forgets a bucket after a window without use', async () => {
    await use('old', 0);
    const rows = () => readRows(server, 'rate_limits', { bucket: 'old' }, ['bucket']);
    const forget = (at: number) =>
      server.services.database.transaction((tables) => forgetUnusedLimits(tables, { now: new Date(at), limit: 9 }));
    await forget(1000);
    expect(await rows()).toHaveLength(1);
    await forget(1001);
    expect(await rows()).toHaveLength(0);
  });

  it('unused limits are deleted in parts, so that other writes go on', async () => {
    const at = Date.parse('2030-01-01T00:00:00Z');
    for (const bucket of ['part 1', 'part 2', 'part 3']) await use(bucket, 0);
    const forget = () =>
      server.services.database.transaction((tables) => forgetUnusedLimits(tables, { now: new Date(at), limit: 2 }));
    const forgotten: number[] = [];
    do forgotten.push(await forget());
    while (forgotten.at(-1) === 2);
    expect(forgotten.length).toBeGreaterThan(1);
    expect(await readRows(server, 'rate_limits')).toEqual([]);
  });
});
