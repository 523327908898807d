import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const LEAST_BYTES = 2 * 1024 ** 3;

/**
 * Makes a temporary folder in memory, where no commit waits for a disk. The process removes it when it ends.
 *
 * @returns null where the system has no such file system, less than 2 GiB in it, or runs no programs from it.
 */
export function createMemoryFolder(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < LEAST_BYTES) return null;
    const folder = mkdtempSync(join(MEMORY, 'sri-tests-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    // `timeout` and CI end a run like this, and memory would stay in use.
    process.once('SIGTERM', () => process.exit(143));
    // Like /tmp: tests start programs of other users there.
    chmodSync(folder, 0o1777);
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    return spawnSync(program).status === 0 ? folder : null;
  } catch {
    return null;
  }
}
