import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { createClient, type ListedDocument } from 'sri-core/client';
import { createTestP12 } from 'sri-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config/config.js';
import { newMasterKey } from '../../platform/secrets/master-keys.js';
import { startServer } from '../../server.js';
import { runCli } from '../../testing/run-cli.js';
import { createFirstTenant } from '../init/first-tenant.js';
import { fillAccount } from './fill-account.js';

const folders: string[] = [];
let p12: Uint8Array;
beforeAll(async () => {
  p12 = await createTestP12({ password: 'x' });
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** A folder with one account, as `init` leaves it. */
async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'sri-fill-'));
  folders.push(folder);
  const settings = {
    DATA_DIR: join(folder, 'data'),
    MASTER_KEYS: newMasterKey(),
    USE: 'own',
    PORT: '0',
    LOG_LEVEL: 'silent',
  };
  const tenant = await createFirstTenant({
    dataDir: settings.DATA_DIR,
    masterKeys: settings.MASTER_KEYS,
    p12,
    password: 'x',
    ruc: '1799999990001',
    businessName: 'El Ñandú',
    email: 'nandu@example.com',
    language: 'es',
  });
  return { settings, tenant };
}

/** Reads the documents and files that a server shows, oldest first. */
async function readAll({ settings, tenant }: Awaited<ReturnType<typeof makeFolder>>) {
  const server = await startServer(settings);
  try {
    const { documents } = createClient({ baseUrl: server.url, apiKey: tenant.apiKey, issuerId: tenant.issuerId });
    const all: ListedDocument[] = [];
    for await (const document of documents.list()) all.push(document);
    const files: string[] = [];
    for (const { accessKey } of all.filter(({ status }) => status === 'AUTHORIZED').slice(0, 40)) {
      files.push(await documents.xml(accessKey));
    }
    return { documents: all.toReversed(), files };
  } finally {
    await server.close();
  }
}

describe('simulate --fill', () => {
  it('fills a month with documents of every type and status, and repeats them for the same seed', async () => {
    const places = await Promise.all([makeFolder(), makeFolder()]);
    const [first, second] = places;
    if (!first || !second) throw new Error('There are two.');
    const started = performance.now();
    const filled = await runCli(first.settings, 'simulate', '--fill', '120', '--seed', '7', '--json');
    expect([filled.code, filled.json()]).toMatchObject([0, { ok: true, documents: 120, seed: 7 }]);
    expect(performance.now() - started).toBeLessThan(60_000);
    await runCli(second.settings, 'simulate', '--fill', '120', '--seed', '7', '--json');

    const shown = await readAll(first);
    // No mail leaves, not even to the account.
    expect(await readdir(first.settings.DATA_DIR)).not.toContain('mail');
    const { documents, files } = shown;
    expect(new Set(documents.map(({ documentType }) => documentType)).size).toBe(6);
    const count = (status: string) => documents.filter((document) => document.status === status).length;
    expect(count('AUTHORIZED')).toBeGreaterThan(90);
    for (const status of ['VOIDED', 'RETURNED', 'NOT_AUTHORIZED', 'RECEIVED', 'SIGNED']) {
      expect(count(status), status).toBeGreaterThan(0);
    }
    expect(new Set(documents.map(({ issueDate }) => issueDate)).size).toBeGreaterThan(15);
    for (const xml of files) expect(xml).toMatch(/<estado>AUTORIZADO[\s\S]*<ds:Signature/);
    const mails = new Set(documents.filter(({ status }) => status === 'AUTHORIZED').map(({ email }) => email.status));
    expect([...mails]).toEqual(['SKIPPED']);

    const facts = ({ documentType, status, total, counterparty, sequential }: ListedDocument) =>
      [documentType, sequential, status, total, counterparty.name].join(' ');
    expect((await readAll(second)).documents.map(facts)).toEqual(documents.map(facts));
  }, 180_000);

  it('does not send the waiting mails of another account', async () => {
    const { settings, tenant } = await makeFolder();
    const otherP12 = await createTestP12({ password: 'x', ruc: '1790012345001' });
    const other = await createFirstTenant({
      ...{ dataDir: settings.DATA_DIR, masterKeys: settings.MASTER_KEYS, p12: otherP12, password: 'x', language: 'es' },
      ...{ ruc: '1790012345001', businessName: 'La Otra', email: 'otra@example.com' },
    });
    await runCli(settings, 'simulate', '--fill', '10', '--issuer', other.issuerId);
    const database = new BetterSqlite(join(settings.DATA_DIR, 'app.db'));
    const waiting = database
      .prepare("update jobs set status = 'PENDING' where kind = 'MAIL' and subject = 'AUTHORIZED'")
      .run();
    expect(waiting.changes).toBeGreaterThan(0);
    await runCli(settings, 'simulate', '--fill', '10', '--issuer', tenant.issuerId);
    const left = database.prepare("select * from jobs where status = 'PENDING' and issuer_id = ?").all(other.issuerId);
    database.close();
    expect(left.length).toBeGreaterThanOrEqual(waiting.changes);
  }, 60_000);

  it('reports the days of the issued documents after a stop, not the days of the plan', async () => {
    const { settings, tenant } = await makeFolder();
    let asked = 0;
    const stop = Object.defineProperty(new AbortController().signal, 'aborted', { get: () => ++asked > 3 });
    const { documents, to } = await fillAccount(readConfig(settings), { issuerId: null, count: 30, seed: 7, stop });
    const shown = (await readAll({ settings, tenant })).documents;
    expect([documents.length, to]).toEqual([3, shown.at(-1)?.issueDate]);
  }, 60_000);

  it('refuses the live SRI, a running server, an invalid count and an unknown issuer', async () => {
    const { settings } = await makeFolder();
    const live = await runCli({ ...settings, SRI_MODE: 'live' }, 'simulate', '--fill', '5', '--json');
    expect([live.code, live.json()]).toMatchObject([1, { code: 'NOT_SIMULATED' }]);
    const server = await startServer(settings);
    const running = await runCli({ ...settings, PORT: new URL(server.url).port }, 'simulate', '--fill', '5', '--json');
    await server.close();
    expect([running.code, running.json()]).toMatchObject([1, { code: 'SERVER_RUNNING' }]);
    expect((await runCli(settings, 'simulate', '--fill', 'many')).code).toBe(2);
    const other = '01890000-0000-7000-8000-000000000000';
    const unknown = await runCli(settings, 'simulate', '--fill', '5', '--issuer', other, '--json');
    expect([unknown.code, unknown.json()]).toMatchObject([1, { code: 'ISSUER_UNKNOWN' }]);
  }, 60_000);
});
