import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type ChildServer, startChildServer } from './testing/child-server.js';

describe.skipIf(process.platform !== 'linux')('a server process', () => {
  let child: ChildServer | null = null;
  afterEach(() => child?.kill());

  const optionsOf = async (pid: number) =>
    (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').filter((word) => word.startsWith('--max-'));

  it('the server process keeps its heap small', async () => {
    child = await startChildServer({ settings: {} });
    expect(await optionsOf(child.pid)).toEqual(['--max-old-space-size=1024', '--max-semi-space-size=16']);
  });

  it('the server process keeps memory limits that are already set', async () => {
    child = await startChildServer({ settings: { NODE_OPTIONS: '--max-old-space-size=700' } });
    expect(await optionsOf(child.pid)).toEqual([]);
  });
});
