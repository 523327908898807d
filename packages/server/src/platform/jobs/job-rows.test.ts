import { readReadyJobs } from 'sri-storage-adapters';
import { beforeAll, expect, it } from 'vitest';
import { claimReady } from '../../testing/claim-ready.js';
import { queryPlans } from '../../testing/query-plans.js';
import { databaseKinds } from '../../testing/test-databases.js';
import { describeOnDatabases, openTestServer, type TestServer } from '../../testing/test-server.js';
import { claimJob, ONE_ATTEMPT, queueOf, settleJobs, toJobRow, toLease } from './job-rows.js';

const LEASE_MS = 60_000;

/** Queues jobs in new lanes, one a millisecond. @returns the lanes. */
async function queue({ services, clock }: TestServer, ...counts: readonly number[]): Promise<readonly string[]> {
  const { newId } = services.webhooks;
  const lanes = counts.map(() => newId(clock.now()));
  for (const [index, lane] of lanes.entries()) {
    for (let number = 0; number < (counts[index] ?? 0); number += 1) {
      const now = clock.now();
      const job = toJobRow({ id: newId(now), kind: 'TIMER', subject: `${number}`, lane, tenantId: null, now });
      await services.database.transaction((tables) => tables.insertInto('jobs').values(job).execute());
      await clock.advance(1);
    }
  }
  return lanes;
}

function claim({ services, clock }: TestServer, lanes: readonly string[], limit: number) {
  const wishes = lanes.map((lane) => ({ lane, limit }));
  return services.database.transaction((tables) =>
    claimReady(tables, services.database.traits, 'TIMER', wishes, { now: clock.now(), leaseMs: LEASE_MS }),
  );
}

describeOnDatabases('jobs', await databaseKinds(), (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open();
  });
  const dueLanes = async (lanes: readonly string[]) => {
    const look = { from: null, after: '', limit: 1000 };
    const due = await server.services.database.read((tables) =>
      readReadyJobs(tables, queueOf('TIMER'), server.clock.now(), look),
    );
    return due.lanes.filter((lane) => lanes.includes(lane));
  };

  it('the jobs of a lane are claimed in the order of their due times, each by one worker', async () => {
    const [long = '', short = ''] = await queue(server, 5, 2);
    const wishes = [
      { lane: long, limit: 3 },
      { lane: short, limit: 1 },
    ];
    const wished = await server.services.database.read(async (tables) => {
      const look = { from: null, after: '', limit: 1000 };
      return (await readReadyJobs(tables, queueOf('TIMER'), server.clock.now(), look)).of(tables, wishes);
    });
    expect(wished.map(({ lane }) => lane)).toEqual([long, short, long, long]);
    const both = await Promise.all([claim(server, [long, short], 2), claim(server, [long, short], 2)]);
    const subjects = both.flat().map(({ lane, subject }) => `${lane === long ? 'long' : 'short'} ${subject}`);
    expect(new Set(subjects).size).toBe(subjects.length);
    expect(subjects).toEqual(expect.arrayContaining(['long 0', 'long 1', 'short 0']));
    expect(await dueLanes([long, short])).toEqual([long]);
  });

  it('a lane with hundreds of jobs leaves the other lanes their turns, from any lane on', async () => {
    const { database } = server.services;
    const [long = '', ...short] = await queue(server, 0, 1, 2);
    const now = server.clock.now();
    const rows = Array.from({ length: 300 }, (_, number) => {
      const before = new Date(now.getTime() - 1_000 + number);
      const id = server.services.webhooks.newId(before);
      return toJobRow({ id, kind: 'TIMER', subject: `${number}`, lane: long, tenantId: null, now: before });
    });
    await database.transaction((tables) => tables.insertInto('jobs').values(rows).execute());
    const ready = (after: string) =>
      database.read((tables) =>
        readReadyJobs(tables, queueOf('TIMER'), now, { from: now.getTime() - 2_000, after, limit: 1_000 }),
      );
    const lanes = [long, ...short];
    const turns = async (after: string) => (await ready(after)).lanes.filter((lane) => lanes.includes(lane));
    expect(await turns('')).toEqual(lanes.toSorted());
    expect(await turns(long)).toEqual([...lanes.toSorted().filter((lane) => lane > long), long]);
    const first = await ready('');
    expect(first.oldestBeside([])).toBe(now.getTime() - 1_000);
    const claimed = await claim(server, lanes, 2);
    expect(claimed.map(({ lane, subject }) => `${lanes.indexOf(lane)} ${subject}`)).toEqual([
      '0 0',
      '1 0',
      '2 0',
      '0 1',
      '2 1',
    ]);
    while ((await claim(server, lanes, 300)).length > 0);
    expect(await turns('')).toEqual([]);
  });

  it('a look reads only the jobs that became ready since its mark', async () => {
    const { database } = server.services;
    const [early = '', late = ''] = await queue(server, 0, 0);
    const now = server.clock.now();
    const rows = Array.from({ length: 310 }, (_, number) => {
      const at = new Date(now.getTime() - 1_000 + number);
      const lane = number < 10 ? early : late;
      const id = server.services.webhooks.newId(at);
      return toJobRow({ id, kind: 'TIMER', subject: `${number}`, lane, tenantId: null, now: at });
    });
    await database.transaction((tables) => tables.insertInto('jobs').values(rows).execute());
    const from = now.getTime() - 980;
    const found = await database.read(async (tables) => {
      const ready = await readReadyJobs(tables, queueOf('TIMER'), now, { from, after: '', limit: 1_000 });
      const wishes = [early, late].map((lane) => ({ lane, limit: 1 }));
      return {
        lanes: ready.lanes.filter((lane) => [early, late].includes(lane)),
        ids: (await ready.of(tables, wishes)).map(({ id }) => id),
      };
    });
    expect(found).toEqual({ lanes: [late], ids: [rows[20]?.id] });
    while ((await claim(server, [early, late], 300)).length > 0);
  });

  it('a job is due again when its lease has expired, and a late result is rejected', async () => {
    const { database } = server.services;
    const [lane = ''] = await queue(server, 1);
    const settle = (lease: ReturnType<typeof toLease>) =>
      database.transaction((tables) => settleJobs(tables, [lease], { status: 'DONE', ...ONE_ATTEMPT }));
    const [frozen] = await claim(server, [lane], 1);
    if (!frozen) throw new Error('Nothing was due.');
    expect(await dueLanes([lane])).toEqual([]);
    await server.clock.advance(LEASE_MS);
    expect(await dueLanes([lane])).toEqual([lane]);
    const [taken] = await claim(server, [lane], 1);
    expect(await settle(toLease(frozen))).toEqual(new Set());
    expect(await settle(toLease(taken ?? frozen))).toEqual(new Set([frozen.id]));
    expect(await settle(toLease(taken ?? frozen))).toEqual(new Set());
    const row = await database.read((tables) =>
      tables.selectFrom('jobs').selectAll().where('id', '=', frozen.id).executeTakeFirstOrThrow(),
    );
    expect(row).toMatchObject({ status: 'DONE', attempt_count: 1, lease_until: null });
  });

  it('a job is claimed by its id before it is due, but not twice and not after its end', async () => {
    const { database } = server.services;
    const [lane = ''] = await queue(server, 1);
    const [row] = await claim(server, [lane], 1);
    const byId = () => {
      const terms = { now: server.clock.now(), leaseMs: LEASE_MS };
      return database.transaction((tables) => claimJob(tables, database.traits, 'TIMER', row?.id ?? '', terms));
    };
    expect(await byId()).toBeNull();
    const settle = (lease: ReturnType<typeof toLease>, change: Parameters<typeof settleJobs>[2]) =>
      database.transaction((tables) => settleJobs(tables, [lease], change));
    if (row) await settle(toLease(row), { due_at: server.clock.now().getTime() + 1_000 });
    expect(await dueLanes([lane])).toEqual([]);
    const again = await byId();
    expect(again).toMatchObject({ id: row?.id });
    if (again) await settle(toLease(again), { status: 'DONE' });
    expect(await byId()).toBeNull();
  });
});

it('the claim of a job and its result read no other job', async () => {
  const server = await openTestServer();
  const lanes = await queue(server, 2, 2);
  const { statements, steps } = await queryPlans(server, async () => {
    const leases = (await claim(server, lanes, 2)).map(toLease);
    await server.services.database.transaction((tables) => settleJobs(tables, leases, { status: 'DONE' }));
  });
  expect(statements.filter((text) => text.includes('jobs')).length).toBe(4);
  const reads = new Set(steps.filter((step) => / jobs /.test(step)));
  expect(reads).toEqual(
    new Set([
      'SEARCH jobs USING INDEX jobs_ready (kind=? AND ready_at<?)',
      'SEARCH jobs USING COVERING INDEX sqlite_autoindex_jobs_1 (id=?)',
      'SEARCH jobs USING INDEX sqlite_autoindex_jobs_1 (id=?)',
    ]),
  );
  await server.close();
});
