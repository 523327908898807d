import { setImmediate as turn } from 'node:timers/promises';
import { createTestClock, type TestClock } from 'sri-core/testing';
import { beforeEach, expect, it } from 'vitest';
import { describeReplicas } from '../../testing/replicas.js';
import { everyDatabaseKind } from '../../testing/test-databases.js';
import type { TestServer } from '../../testing/test-server.js';
import type { ServerDatabase } from '../database/tables.js';
import { createWatchdog, LONGEST_SILENCE_MS } from '../ops/watchdog.js';
import { LeaseLostError, leasedTask } from './leased-task.js';
import type { Task } from './loop.js';

const LEASE_MS = 60_000;
const HOUR_MS = 3_600_000;
const NEVER = new AbortController().signal;

describeReplicas('a task that servers on one database share', await everyDatabaseKind(), (openReplica) => {
  let one: TestServer;
  let two: TestServer;
  let clock: TestClock;
  let name: string;
  let tasks = 0;

  beforeEach(async () => {
    one ??= await openReplica();
    two ??= await openReplica();
    clock = createTestClock('2026-11-21T15:00:00Z');
    tasks += 1;
    name = `task ${tasks}`;
  });

  /** The task on one of the servers. */
  function taskOf(server: TestServer, run: (held: ServerDatabase, signal: AbortSignal) => Promise<unknown>): Task {
    const { database } = server.services;
    const parts = { database, clock, leaseMs: LEASE_MS };
    return leasedTask(parts, (held) => ({ name, intervalMs: HOUR_MS, run: (signal) => run(held, signal) }));
  }

  /** Visible writes in the database: uses of a limit with a given name. */
  const write = (held: ServerDatabase, what: string) =>
    held.transaction((tables) =>
      tables.insertInto('rate_limits').values({ bucket: what, uses: 1, hits: '[]', expires_at: 0 }).execute(),
    );
  const isWritten = async (what: string) => {
    const row = await one.services.database.read((tables) =>
      tables.selectFrom('rate_limits').select('bucket').where('bucket', '=', what).executeTakeFirst(),
    );
    return row !== undefined;
  };

  /** A task that counts its rounds. */
  function countedTask(server: TestServer) {
    const counted = { rounds: 0 };
    const task = taskOf(server, async () => {
      counted.rounds += 1;
    });
    return { run: () => task.run(NEVER), counted };
  }

  /** A round that runs until the test ends it. */
  function frozenRound(server: TestServer) {
    const gate = Promise.withResolvers<ServerDatabase>();
    const thaw = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const task = taskOf(server, async (held, signal) => {
      signals.push(signal);
      gate.resolve(held);
      await thaw.promise;
      await write(held, `late ${name}`);
    });
    return { running: task.run(NEVER), held: gate.promise, thaw: thaw.resolve, signals };
  }

  it('runs on one server when several start it at once', async () => {
    const done: string[] = [];
    const round = (server: TestServer, holder: string) =>
      taskOf(server, async () => {
        done.push(holder);
        await turn();
      }).run(NEVER);
    const rounds = await Promise.all([round(one, 'one'), round(two, 'two'), round(one, 'one'), round(two, 'two')]);
    expect(done).toHaveLength(1);
    expect(rounds.filter((didIt) => didIt === true)).toHaveLength(1);
  });

  it('skips a round while another server runs it', async () => {
    const { running, held, thaw } = frozenRound(one);
    await held;
    const { run, counted } = countedTask(two);
    expect(await run()).toBe(false);
    thaw();
    expect(await running).toBe(true);
    expect(await isWritten(`late ${name}`)).toBe(true);
    expect(await run()).toBe(false);
    expect(counted.rounds).toBe(0);
  });

  it('runs once per interval, on the first server that checks', async () => {
    const done: number[] = [];
    const began = clock.now().getTime();
    const note = async () => void done.push((clock.now().getTime() - began) / HOUR_MS);
    const [ofOne, ofTwo] = [taskOf(one, note), taskOf(two, note)];
    expect(ofOne.intervalMs).toBe(60_000);
    for (let hour = 0; hour < 3; hour += 1) {
      for (const task of [ofOne, ofTwo, ofOne, ofTwo]) await task.run(NEVER);
      // Loops do not wake to the millisecond.
      await clock.advance(0.95 * HOUR_MS);
    }
    expect(done).toEqual([0, 0.95, 1.9]);
  });

  it('runs again at once after a round that failed or was stopped', async () => {
    const failing = taskOf(one, () => Promise.reject(new Error('no disk')));
    await expect(failing.run(NEVER)).rejects.toThrow('no disk');
    const stopping = new AbortController();
    const stopped = taskOf(one, async () => stopping.abort());
    await stopped.run(stopping.signal);
    const { run, counted } = countedTask(two);
    await run();
    expect(counted.rounds).toBe(1);
  });

  it('takes over the round of a dead process when its lease has expired', async () => {
    const { held, running, thaw } = frozenRound(one);
    await held;
    const { run, counted } = countedTask(two);
    await clock.advance(LEASE_MS - 1);
    await run();
    expect(counted.rounds).toBe(0);
    await clock.advance(1);
    await run();
    expect(counted.rounds).toBe(1);
    thaw();
    await running.catch(() => {});
  });

  it('does not take over the round of a working process, whose transactions extend the lease', async () => {
    const { held, running, thaw } = frozenRound(one);
    const database = await held;
    const { run, counted } = countedTask(two);
    for (const step of [1, 2, 3]) {
      await clock.advance(LEASE_MS - 1);
      await write(database, `step ${step} ${name}`);
      await run();
    }
    expect(counted.rounds).toBe(0);
    thaw();
    await running;
  });

  it('a task is stuck once its transactions stop, and not before', async () => {
    let now = 0;
    const watchdog = createWatchdog(() => now);
    const isStuck = () => watchdog.all().some((pulse) => pulse.isStuck);
    const seen: boolean[] = [];
    const task = taskOf(one, async (held) => {
      for (const step of [1, 2]) {
        now += LONGEST_SILENCE_MS;
        await write(held, `long ${step} ${name}`);
      }
      seen.push(isStuck());
      now += LONGEST_SILENCE_MS + 1;
      seen.push(isStuck());
    });
    const watched = watchdog.watch(task);
    watchdog.start();
    await watched.run(NEVER);
    expect(seen).toEqual([false, true]);
  });

  it('a frozen process stores nothing more, and does not end the round of its successor', async () => {
    const frozen = frozenRound(one);
    await frozen.held;
    await clock.advance(LEASE_MS);
    const taker = frozenRound(two);
    await taker.held;
    frozen.thaw();
    await expect(frozen.running).rejects.toBeInstanceOf(LeaseLostError);
    expect(frozen.signals[0]?.aborted).toBe(true);
    expect(await isWritten(`late ${name}`)).toBe(false);
    // The second round still holds the lease, so a third round does not start.
    expect(await taskOf(one, async () => {}).run(NEVER)).toBe(false);
    taker.thaw();
    expect(await taker.running).toBe(true);
    expect(await isWritten(`late ${name}`)).toBe(true);
  });

  it('takes over a lease from the future after the clock was set back', async () => {
    const { held, running, thaw } = frozenRound(one);
    await held;
    clock = createTestClock('2026-11-01T15:00:00Z');
    const { run, counted } = countedTask(two);
    await run();
    expect(counted.rounds).toBe(1);
    thaw();
    await running.catch(() => {});
  });
});
