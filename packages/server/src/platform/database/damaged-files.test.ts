import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from 'sri-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../server.js';
import { runCli } from '../../testing/run-cli.js';
import {
  createDocument,
  postJson,
  registerTenant,
  SIMPLE_INVOICE,
  type TestTenant,
} from '../../testing/test-tenant.js';

describe('the SQLite file of a server', () => {
  let dataDir: string;
  let path: string;
  let server: RunningServer;
  let tenant: TestTenant;
  const request = (target: string, init?: RequestInit) => fetch(`${server.url}${target}`, init);

  async function start() {
    const place = { DATA_DIR: dataDir, PORT: '0', SHUTDOWN_DELAY: '0', LOG_LEVEL: 'silent' };
    server = await startServer(place, { logger: silentLogger });
  }

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sri-file-'));
    path = join(dataDir, 'app.db');
    await start();
    tenant = await registerTenant({ request });
    await createDocument({ request }, tenant);
  });
  afterEach(async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function readiness() {
    const response = await request('/readyz');
    const { reason = null, checks } = (await response.json()) as { reason?: string; checks: { database: boolean } };
    return [response.status, reason, checks.database];
  }
  const create = () => postJson({ request }, '/v1/documents', tenant.headers, SIMPLE_INVOICE);

  /** Overwrites the pages from a number to the end. */
  async function spoil(from: number): Promise<void> {
    const { size } = await stat(path);
    const file = await open(path, 'r+');
    await file.write(randomBytes(size - from * 4096), 0, null, from * 4096);
    await file.close();
  }

  it('a server whose file was moved answers 503, and continues its numbers once the file is back', async () => {
    expect(await readiness()).toEqual([200, null, true]);
    await rename(path, `${path}.away`);
    const refused = await create();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await readiness()).toEqual([503, 'FILE_MOVED', false]);
    await copyFile(`${path}.away`, path);
    expect((await create()).status).toBe(503);
    expect(await readiness()).toEqual([503, 'FILE_MOVED', false]);
    await rename(`${path}.away`, path);
    expect(await createDocument({ request }, tenant)).toMatchObject({ sequential: '000000002' });
    expect(await readiness()).toEqual([200, null, true]);
  });

  it('a server with overwritten pages answers 503, and does not start again', async () => {
    await server.close();
    await start();
    await spoil(8);
    const answers = [];
    for (let turn = 0; turn < 5; turn += 1) {
      answers.push(await create());
      answers.push(await request('/v1/documents', { headers: tenant.headers }));
    }
    expect(answers.map(({ status }) => status).filter((status) => status !== 503 && status !== 200)).toEqual([]);
    expect((await create()).status).toBe(503);
    expect(await readiness()).toEqual([503, 'FILE_DAMAGED', false]);
    await server.close();
    await expect(start()).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' });
  });

  it('doctor reports a damaged file', async () => {
    await server.close();
    const run = async () => (await runCli({ DATA_DIR: dataDir }, 'doctor', '--json')).json()['findings'];
    const named = expect.arrayContaining([expect.objectContaining({ check: 'databaseFile', verdict: 'ok' })]);
    expect(await run()).toEqual(named);
    const { size } = await stat(path);
    await spoil(Math.floor(size / 4096) - 8);
    expect(await run()).toEqual(
      expect.arrayContaining([expect.objectContaining({ check: 'databaseFile', verdict: 'fail' })]),
    );
  });

  it('an unreadable file is reported as unwritable, not as damaged', async () => {
    await server.close();
    await mkdir(`${path}-wal`);
    const { findings } = (await runCli({ DATA_DIR: dataDir }, 'doctor', '--json')).json<{
      findings: readonly { check: string; verdict: string }[];
    }>();
    expect(findings.filter(({ verdict }) => verdict === 'fail')).toMatchObject([
      { check: 'database', fix: { en: expect.stringContaining('may write the file') } },
    ]);
    await expect(start()).rejects.toThrow(/app\.db cannot be opened: unable to open database file/);
  });
});
