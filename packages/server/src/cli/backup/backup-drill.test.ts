import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { readRows } from '../../testing/change-rows.js';
import { pgDumpFits } from '../../testing/pg-dump-fits.js';
import { takeSnapshot } from '../../testing/postgres-snapshot.js';
import { cliSettings, runCli } from '../../testing/run-cli.js';
import { databaseKinds } from '../../testing/test-databases.js';
import { describeOnDatabases, openTestServer, TEST_RUC, type TestServer } from '../../testing/test-server.js';
import {
  createDocument,
  postJson,
  registerTenant,
  type ShownDocument,
  sendJson,
  type TestTenant,
} from '../../testing/test-tenant.js';

const execute = promisify(execFile);

describeOnDatabases('restoring a backup', await databaseKinds(), (open) => {
  const cleaning: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const clean of cleaning.reverse()) await clean();
  });

  /** A document in the state the tests of jobs need: queued, its job waiting. */
  async function queue(server: TestServer, tenant: TestTenant): Promise<string> {
    const { accessKey } = await createDocument(server, tenant);
    expect((await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {})).status).toBe(202);
    return accessKey;
  }

  async function statusOf(server: TestServer, tenant: TestTenant, accessKey: string): Promise<string> {
    const response = await server.request(`/v1/documents/${accessKey}`, { headers: tenant.headers });
    if (response.status === 404) return 'not there';
    return ((await response.json()) as { document: ShownDocument }).document.status;
  }

  interface Restored {
    /** Null for a file in the data directory. */
    readonly url: string | null;
    /** The other output of the command. */
    readonly reported: string;
  }

  /** Makes a backup of a running server. @returns a function that restores it into an empty place, as documented. */
  async function backUp(server: TestServer, folder: string): Promise<() => Promise<Restored>> {
    const backup = join(folder, 'backup');
    const { code, out } = await runCli(cliSettings(server), 'admin', 'backup', backup, '--json');
    const { databaseUrl } = server;
    if (databaseUrl === null) {
      expect(code, out).toBe(0);
      return async () => {
        const answer = await runCli({ DATA_DIR: join(folder, 'data') }, 'admin', 'restore', backup);
        expect(answer.code, answer.errors).toBe(0);
        return { url: null, reported: answer.errors };
      };
    }
    // If the machine's pg_dump does not fit the server, the test copies by hand.
    const store = (await pgDumpFits(databaseUrl)) ? null : await takeSnapshot(databaseUrl);
    expect(code === 0, out).toBe(store === null);
    return async () => {
      const { out: reported } = await runCli(cliSettings(server), 'admin', 'restore', backup, '--json');
      const { url, createSchema } = await createDatabase(databaseUrl);
      if (store) {
        // The tables first, then the rows.
        await createSchema();
        await (await openTestServer(url)).close();
        await store(url);
        return { url, reported };
      }
      const target = new URL(url);
      target.search = '';
      // The restore uses the options that the command prints.
      const options = /pg_restore ((?:--[\w-]+ )+)--dbname/.exec(reported)?.[1]?.trim().split(' ') ?? [];
      expect(options).toContain('--single-transaction');
      await execute('pg_restore', [...options, `--dbname=${target.href}`, backup]);
      return { url, reported };
    };
  }

  /**
   * @returns the url of an empty database on the same server, with the same schema name; and a function that creates
   * that schema, if the restore does not.
   */
  async function createDatabase(databaseUrl: string) {
    const name = `drill_${randomUUID().replaceAll('-', '')}`;
    const schema = /search_path=(\w+)/.exec(new URL(databaseUrl).searchParams.get('options') ?? '')?.[1] ?? 'public';
    const administer = async (url: string, statement: string) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(statement).finally(() => client.end());
    };
    await administer(databaseUrl, `create database ${name}`);
    cleaning.push(() => administer(databaseUrl, `drop database ${name} with (force)`));
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    return {
      url: url.href,
      createSchema: () => administer(url.href, `create schema if not exists ${schema}`),
    };
  }

  it('a restored backup has each acknowledged document, resumes jobs and warns of higher numbers at the SRI', {
    timeout: 120_000,
  }, async () => {
    const server = await open();
    const tenant = await registerTenant(server, { ruc: TEST_RUC });
    const folder = await mkdtemp(join(tmpdir(), 'sri-drill-'));
    cleaning.push(() => rm(folder, { recursive: true, force: true }));
    const acknowledged: string[] = [];
    let issuing = true;
    const issue = async () => {
      while (issuing) acknowledged.push(await queue(server, tenant));
    };
    const issuers = [issue(), issue(), issue()];
    while (acknowledged.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = [...acknowledged];
    const restore = await backUp(server, folder).finally(() => {
      issuing = false;
    });
    await Promise.all(issuers);
    // The backup lacks these documents, but the SRI has them.
    const later = await queue(server, tenant);
    await server.tick();
    await server.tickAfter(5_000);
    expect(await statusOf(server, tenant, later)).toBe('AUTHORIZED');

    const dataDir = join(folder, 'data');
    const { url, reported } = await restore();
    expect(reported).toContain('higher numbers');
    const masterKeys = (await readFile(join(server.dataDir, 'master.key'), 'utf8')).trim();
    const restored = await openTestServer(url, {
      beside: { ...server, dataDir },
      settings: { MASTER_KEYS: masterKeys },
    });
    cleaning.push(restored.close);

    // Consistent: no dangling reference, every number given once, each counter above all numbers.
    const rows = await readRows(restored, 'sri_documents', {}, ['sequential', 'access_key', 'status']);
    const numbers = rows.map(({ sequential }) => Number(sequential)).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from(numbers, (_, index) => index + 1));
    const { next } = await restored.services.database.read((tables) =>
      tables
        .selectFrom('sri_sequentials')
        .select((select) => select.fn.max('next_sequential').as('next'))
        .executeTakeFirstOrThrow(),
    );
    expect(Number(next)).toBe(numbers.length + 1);
    if (url === null) {
      const { rows: found } = await restored.services.database.read((tables) =>
        sql<{ integrity_check: string }>`pragma integrity_check`.execute(tables),
      );
      expect(found).toEqual([{ integrity_check: 'ok' }]);
    }
    for (const accessKey of before) expect(await statusOf(restored, tenant, accessKey)).toBe('PENDING_SEND');
    expect((await restored.request('/readyz')).status).toBe(200);

    // The restored jobs resume and end in the SRI's state. The SRI got some of these documents from the former server.
    for (let round = 0; round < 4; round += 1) {
      await restored.tick();
      await restored.clock.advance(5_000);
    }
    for (const { access_key: accessKey, status } of rows) {
      expect(await statusOf(restored, tenant, accessKey)).toBe(status === 'PENDING_SEND' ? 'AUTHORIZED' : status);
    }

    // The reason of the warning: a repeated number already exists at the SRI.
    const again = await queue(restored, tenant);
    await restored.tick();
    await restored.tickAfter(5_000);
    expect(await statusOf(restored, tenant, again)).toBe('RETURNED');
    const path = `/v1/issuers/${tenant.issuerId}/sequentials/01`;
    const moved = await sendJson(restored, 'PATCH', path, tenant.auth, {
      environment: 'sandbox',
      nextSequential: acknowledged.length + 2,
    });
    expect(moved.status, await moved.text()).toBe(200);
    const good = await queue(restored, tenant);
    await restored.tick();
    await restored.tickAfter(5_000);
    expect(await statusOf(restored, tenant, good)).toBe('AUTHORIZED');
  });
});
