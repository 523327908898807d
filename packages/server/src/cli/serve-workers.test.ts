import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { databaseSettings } from '../testing/database-settings.js';
import { type CliProcess, runCli, startCliProcess } from '../testing/run-cli.js';
import { everyDatabaseKind, type TestDatabase } from '../testing/test-databases.js';
import { createDocument, type RequestTarget, registerTenant } from '../testing/test-tenant.js';

/** Three processes start on a machine that may be busy with other tests. */
const PATIENCE = { timeout: 60_000 };
const kind = (await everyDatabaseKind()).find(({ serverUrl }) => serverUrl !== null);

describe('serve --workers', () => {
  it.each(['0', '-1', '1.5', 'dos', '65', '0x2', '1e1'])(
    'serve --workers=%j is refused with the rule',
    async (count) => {
      const answer = await runCli({ DATABASE_URL: 'postgres://h/d' }, 'serve', `--workers=${count}`);
      expect([answer.code, answer.errors]).toEqual([2, expect.stringMatching(/--workers.*1 (a|to) 64/)]);
    },
  );

  it('serve --workers is refused on SQLite', async () => {
    const answer = await runCli({}, 'serve', '--workers', '2');
    expect([answer.code, answer.errors]).toEqual([2, expect.stringMatching(/--workers.*PostgreSQL.*SQLite/)]);
  });
});

describe.skipIf(!kind || kind.missing !== null)('a server of two workers', { timeout: 180_000 }, () => {
  let database: TestDatabase | undefined;
  let folder: string;
  let primary: CliProcess;
  afterEach(async () => {
    primary.child.kill('SIGKILL');
    await database?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(settings: Readonly<Record<string, string>> = {}): Promise<string | null> {
    folder = await mkdtemp(join(tmpdir(), 'sri-workers-'));
    database = await kind?.create();
    const all = { ...databaseSettings(database?.url), DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', ...settings };
    primary = startCliProcess(all, ['serve', '--workers', '2']);
    for await (const line of createInterface(primary.child.stdout)) {
      const url = /^Listening on (\S+)$/.exec(line)?.[1];
      if (url) return url;
    }
    return null;
  }

  const workers = async () => {
    const pid = primary.child.pid ?? 0;
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    return text.trim().split(' ').filter(Boolean).map(Number);
  };

  it.skipIf(process.platform !== 'linux')(
    'two workers number without a gap, restart after a kill and stop at SIGTERM',
    async () => {
      const url = (await start()) ?? '';
      // Each request has its own connection, so that both workers get requests.
      const target: RequestTarget = {
        request: (path, init) =>
          fetch(`${url}${path}`, { ...init, headers: { ...(init?.headers as object), connection: 'close' } }),
      };
      await expect.poll(workers, PATIENCE).toHaveLength(2);
      const before = await workers();
      const tenant = await registerTenant(target);
      const made = await Promise.all(Array.from({ length: 20 }, () => createDocument(target, tenant)));
      const numbers = made.map(({ sequential }) => Number(sequential)).toSorted((a, b) => a - b);
      expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));

      const [killed = 0] = before;
      process.kill(killed, 'SIGKILL');
      await expect.poll(async () => (await workers()).filter((pid) => !before.includes(pid)), PATIENCE).toHaveLength(1);
      expect((await target.request('/readyz')).status).toBe(200);

      const all = await workers();
      primary.child.kill('SIGTERM');
      const { code, errors } = await primary.answer;
      expect([code, errors]).toEqual([0, expect.stringContaining('SIGKILL')]);
      for (const pid of all) expect(() => process.kill(pid, 0)).toThrow();
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'the primary replaces a killed worker although its messages cannot be written',
    async () => {
      await start();
      primary.answer.catch(() => {});
      await expect.poll(workers, PATIENCE).toHaveLength(2);
      const before = await workers();
      primary.child.stderr.destroy();
      process.kill(before[0] ?? 0, 'SIGKILL');
      await expect.poll(async () => (await workers()).filter((pid) => !before.includes(pid)), PATIENCE).toHaveLength(1);
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'the primary stops without an error when a worker dies just before the stop',
    async () => {
      await start();
      const [killed = 0] = await workers();
      primary.child.kill('SIGSTOP');
      process.kill(killed, 'SIGKILL');
      // Its channel closes once its last thread has ended.
      const remains = async () => [await stateOf(killed), (await readdir(`/proc/${killed}/task`)).length];
      await expect.poll(remains, PATIENCE).toEqual(['Z', 1]);
      primary.child.kill('SIGTERM');
      primary.child.kill('SIGCONT');
      expect(await primary.answer).toMatchObject({ code: 0 });
    },
  );

  it('the primary ends with the reason when the first worker cannot start', async () => {
    expect(await start({ MASTER_KEYS: 'no key' })).toBeNull();
    const [code] = await once(primary.child, 'close').catch(() => [null]);
    expect(code ?? primary.child.exitCode).not.toBe(0);
  });

  it.skipIf(process.platform !== 'linux')('the workers stop when their primary is killed', async () => {
    await start();
    await expect.poll(workers, PATIENCE).toHaveLength(2);
    const all = await workers();
    primary.child.kill('SIGKILL');
    const living = () =>
      all.filter((pid) => {
        try {
          return process.kill(pid, 0);
        } catch {
          return false;
        }
      });
    await expect.poll(living, PATIENCE).toEqual([]);
  });
});

/** The state of a process in the words of Linux, such as `Z` for an ended process that waits for its parent. */
async function stateOf(pid: number): Promise<string | undefined> {
  return /^State:\s+(\w)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
}
