import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A new folder for the tests around the call. It is removed after them, and after the hooks that follow the call. */
export function testFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `sri-${name}-`));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
