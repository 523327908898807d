import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { type ChildServer, startChildServer } from '../../testing/child-server.js';

describe.skipIf(process.platform !== 'linux')('the signing threads of a server process', () => {
  let child: ChildServer | null = null;
  afterEach(() => child?.kill());

  async function countThreads(pid: number): Promise<number> {
    const tasks = await readdir(`/proc/${pid}/task`);
    const names = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/comm`, 'utf8')));
    return names.filter((name) => name.startsWith('libuv-worker')).length;
  }

  it('a server has as many signing threads as processors, from two to four', async () => {
    child = await startChildServer({ settings: {} });
    const processors = availableParallelism();
    expect(await countThreads(child.pid)).toBe(processors < 2 ? 2 : processors > 4 ? 4 : processors);
  });

  it('a server has as many signing threads as configured', async () => {
    child = await startChildServer({ settings: { UV_THREADPOOL_SIZE: '3' } });
    expect(await countThreads(child.pid)).toBe(3);
  });
});
