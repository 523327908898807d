// Shared by the webhook scripts: creates accounts with endpoints over HTTP, and inserts deliveries into the database in a
// transaction, as the server does.
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createUuidSource, systemRandom } from 'sri-core';
import { createTestP12 } from 'sri-core/testing';
import { createPostgresStorage, createSqliteStorage, openSqlite } from 'sri-storage-adapters';

/** Permits more endpoints than the plan allows, as the web application does. */
export const INTERNAL_SECRET = 'b'.repeat(32);

/** The settings of the measured server. */
export function settingsFor(dataDir) {
  return {
    DATA_DIR: dataDir,
    ...(process.env.DATABASE_URL ? { DATABASE_URL: process.env.DATABASE_URL } : {}),
    PORT: '0',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    ONBOARDING_RATE: '1000/1h',
    INTERNAL_SERVICE_SECRET: INTERNAL_SECRET,
    WEBHOOK_ALLOW_INSECURE: 'true',
  };
}

/** One request that has to succeed. */
export async function call(url, init) {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** A verified account, with the headers of its requests. */
export async function openAccount(serverUrl, dataDir) {
  const ruc = `1790${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}001`;
  const form = new FormData();
  form.set('cert', new Blob([await createTestP12({ ruc, password: 'bench' })]), 'bench.p12');
  const fields = {
    certPassword: 'bench',
    email: `${randomUUID()}@example.com`,
    ruc,
    businessName: 'Bench',
    branchCode: '001',
    issuePointCode: '001',
    emissionType: '1',
    requiredAccounting: 'true',
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const internal = { 'x-internal-service-secret': INTERNAL_SECRET };
  const { apiKey, tenant } = await call(`${serverUrl}/v1/register`, { method: 'POST', headers: internal, body: form });
  const token = await findToken(join(dataDir, 'mail'), fields.email);
  const json = { 'content-type': 'application/json' };
  await call(`${serverUrl}/v1/verify-email`, { method: 'POST', headers: json, body: JSON.stringify({ token }) });
  return { tenantId: tenant.id, headers: { ...internal, ...json, authorization: `Bearer ${apiKey}` } };
}

/** Registers an endpoint of an account. */
export async function openEndpoint(serverUrl, account, url) {
  const body = JSON.stringify({ url });
  const { endpoint, secret } = await call(`${serverUrl}/v1/webhooks`, {
    method: 'POST',
    headers: account.headers,
    body,
  });
  return { id: endpoint.id, tenantId: account.tenantId, url, secret, headers: account.headers };
}

/** A second handle on the server's database. */
export async function openTables(dataDir) {
  if (process.env.DATABASE_URL) {
    const { Pool } = await import('pg');
    const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 2 });
    return { storage: createPostgresStorage({ pool }), close: () => pool.end() };
  }
  const database = await openSqlite(join(dataDir, 'app.db'));
  return { storage: createSqliteStorage({ database }), close: async () => database.close() };
}

const newId = createUuidSource(systemRandom);

/** Queues one message for each of those endpoints of one account, in one transaction. @returns its id. */
export function queue(storage, endpoints) {
  const now = new Date();
  const id = newId(now);
  const notification = { id, type: 'DOCUMENT_AUTHORIZED', title: 'Bench', message: 'x'.repeat(600), metadata: null };
  const [{ tenantId: tenant_id }] = endpoints;
  const [status, created_at, due_at] = ['PENDING', now.getTime(), now.getTime()];
  const unleased = { attempt_count: 0, ready_at: due_at, lease_token: 0 };
  return storage.transaction(async (tables) => {
    await tables
      .insertInto('webhook_messages')
      .values({
        id,
        tenant_id,
        notification_id: id,
        event_at: Math.floor(created_at / 1000),
        data: JSON.stringify(notification),
      })
      .execute();
    await tables
      .insertInto('jobs')
      .values(
        endpoints.map((endpoint) => ({
          id: newId(now),
          tenant_id,
          kind: 'WEBHOOK',
          subject: notification.type,
          lane: endpoint.id,
          message_id: id,
          status,
          due_at,
          created_at,
          ...unleased,
        })),
      )
      .execute();
    return id;
  });
}

/** Waits until the condition is true. @throws if it is not within that time. */
export async function until(holds, ms) {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`It took longer than ${ms} ms.`);
}

async function findToken(folder, recipient) {
  let token = null;
  await until(async () => {
    for (const file of await readdir(folder).catch(() => [])) {
      const mail = await readFile(join(folder, file), 'utf8').catch(() => '');
      if (mail.includes(recipient)) token = /\n([0-9a-f]{64})\n/.exec(mail.replace(/\r/g, '').replace(/=\n/g, ''))?.[1];
      if (token) return true;
    }
    return false;
  }, 10_000);
  return token;
}
