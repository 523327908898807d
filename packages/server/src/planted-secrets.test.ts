import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openP12 } from 'sri-core';
import { createTestP12 } from 'sri-core/testing';
import { expect, it } from 'vitest';
import { createLogger } from './platform/ops/logging.js';
import { changeRows, changeTenant, readRow } from './testing/change-rows.js';
import { formOf } from './testing/form-of.js';
import { pgDumpFits } from './testing/pg-dump-fits.js';
import { cliSettings, runCli } from './testing/run-cli.js';
import { findSecrets, type PlantedSecret, plantedBytes, plantedText } from './testing/secret-forms.js';
import { openSmtpSink } from './testing/smtp-sink.js';
import { databaseKinds } from './testing/test-databases.js';
import { describeOnDatabases, TEST_VALIDITY, type TestServer } from './testing/test-server.js';
import { createDocument, postJson, registerTenant, SIMPLE_INVOICE } from './testing/test-tenant.js';
import { openReceiver } from './testing/webhook-receiver.js';

const P12_PASSWORD = 'la clave del P12 que nadie ve';
const SMTP_PASSWORD = 'smtp-clave-plantada-91';
const ADMIN_TOKEN = 'token-plantado-del-operador-77';
const METRICS_TOKEN = 'token-plantado-de-las-metricas-33333';
const WEB_SECRET = 'secreto plantado de la aplicacion web 5555';
const MASTER_KEY = randomBytes(32);
const FORMER_KEY = randomBytes(32);

describeOnDatabases('planted secrets', await databaseKinds(), (open) => {
  it('planted secrets appear in no log, error, metric, database, backup, mail or command', {
    timeout: 60_000,
  }, async () => {
    const lines: string[] = [];
    const logger = createLogger({ logLevel: 'trace', logFormat: 'json' }, { write: (line) => void lines.push(line) });
    const smtp = await openSmtpSink();
    const receiver = await openReceiver();
    const keys = `now:${MASTER_KEY.toString('base64')},before:${FORMER_KEY.toString('base64')}`;
    const settings = {
      MASTER_KEYS: keys,
      ADMIN_TOKEN: `ana:${ADMIN_TOKEN}`,
      METRICS_TOKEN,
      INTERNAL_SERVICE_SECRET: WEB_SECRET,
      SMTP_URL: smtp.url.replace('smtp://', `smtp://correo:${SMTP_PASSWORD}@`),
      WEBHOOK_ALLOW_INSECURE: 'true',
    };
    const server = await open({ logger, settings });
    const refusals: string[] = [];
    const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };

    // An account with every kind of object, its mails rejected at first and then accepted.
    const cert = await createTestP12({ password: P12_PASSWORD, ...TEST_VALIDITY });
    smtp.mode = 'noLogin';
    const tenant = await registerTenant(server, { cert, certPassword: P12_PASSWORD });
    await server.tick();
    smtp.mode = 'ok';
    await server.tickAfter(60_000);
    const mails = smtp.mails.map(({ content }) => content.replace(/=\r?\n/g, '').replace(/=3D/g, '='));
    const token = /\b([0-9a-f]{64})\b/.exec(mails[0] ?? '')?.[1] ?? 'no mail came';
    await changeTenant(server, tenant, { status: 'ACTIVE', subscription_tier: 'BUSINESS' });
    const made = await postJson(server, '/v1/webhooks', tenant.auth, { url: receiver.url });
    const { secret, endpoint } = (await made.json()) as { secret: string; endpoint: { id: string } };
    const rotated = await postJson(server, `/v1/webhooks/${endpoint.id}/rotate-secret`, tenant.auth, {});
    const { secret: newSecret } = (await rotated.json()) as { secret: string };
    const { accessKey } = await createDocument(server, tenant);
    await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
    await postJson(server, `/v1/webhooks/${endpoint.id}/test`, tenant.auth, {});
    await server.tick();
    receiver.answer = 500;
    await postJson(server, `/v1/webhooks/${endpoint.id}/test`, tenant.auth, {});
    await server.tick();
    receiver.close();

    const { privateKey } = await openP12(cert, P12_PASSWORD);
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    const { d = '', p = '' } = privateKey.export({ format: 'jwk' });
    const secrets: readonly PlantedSecret[] = [
      plantedText('P12 password', P12_PASSWORD),
      // The middle of the key: its beginning is the modulus, which is public.
      plantedBytes('key, DER', der.subarray(-300, -200)),
      plantedBytes('key, exponent', Buffer.from(d, 'base64url').subarray(0, 60)),
      plantedBytes('key, prime', Buffer.from(p, 'base64url').subarray(0, 60)),
      plantedText(
        'key, line of PEM',
        String(privateKey.export({ format: 'pem', type: 'pkcs8' })).split('\n')[14] ?? '',
      ),
      plantedText('API key', tenant.apiKey),
      plantedText('webhook secret', secret),
      plantedBytes('webhook secret, decoded', Buffer.from(secret.slice(6), 'base64')),
      plantedText('webhook secret, new', newSecret),
      plantedText('verification token', token),
      plantedBytes('master key', MASTER_KEY),
      plantedBytes('former master key', FORMER_KEY),
      plantedText('admin token', ADMIN_TOKEN),
      plantedText('metrics token', METRICS_TOKEN),
      plantedText('secret of the web application', WEB_SECRET),
      plantedText('SMTP password', SMTP_PASSWORD),
    ];
    const [apiKey] = [tenant.apiKey];
    for (const { name, forms } of secrets) expect(forms[0]?.length, name).toBeGreaterThanOrEqual(16);

    // Each secret is sent in a wrong place, so that an error is raised while it is in memory.
    const refuse = async (path: string, init: RequestInit = {}) => {
      const response = await server.request(path, init);
      expect(response.status, path).toBeGreaterThanOrEqual(400);
      refusals.push(`${JSON.stringify([...response.headers])} ${await response.text()}`);
    };
    const texts = [P12_PASSWORD, apiKey, secret, token, ADMIN_TOKEN, METRICS_TOKEN, WEB_SECRET, SMTP_PASSWORD];
    for (const text of [
      ...texts,
      MASTER_KEY.toString('base64'),
      String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
    ]) {
      const inHeader = text.replaceAll('\n', ' ');
      await refuse('/v1/tenants/me', { headers: { authorization: `Bearer ${inHeader}x` } });
      await refuse('/v1/tenants/me', { headers: { authorization: inHeader } });
      await refuse('/metrics', { headers: { authorization: `Bearer ${inHeader}.` } });
      await refuse('/v1/admin/tenants', { headers: { 'x-admin-token': `${inHeader}.` } });
      await refuse('/v1/documents', { headers: { ...tenant.auth, 'x-issuer-id': inHeader } });
      await refuse('/v1/subscriptions', { method: 'POST', headers: { 'x-internal-service-secret': `${inHeader}.` } });
      const json = { ...tenant.headers, 'content-type': 'application/json' };
      await refuse('/v1/documents', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ [text]: text, buyer: text }),
      });
      await refuse('/v1/documents', { method: 'POST', headers: json, body: `{"buyer": "${text}` });
      await refuse('/v1/keys', { method: 'POST', headers: json, body: JSON.stringify({ scopes: [text] }) });
      const idempotent = { ...json, 'idempotency-key': inHeader.repeat(20) };
      await refuse('/v1/documents', { method: 'POST', headers: idempotent, body: JSON.stringify(SIMPLE_INVOICE) });
      await refuse('/v1/verify-email', { method: 'POST', headers: json, body: JSON.stringify({ token: `${text}!` }) });
      await refuse(`/v1/documents?limit=${encodeURIComponent(text)}`, { headers: tenant.headers });
      const body = formOf({ cert, certPassword: `${text}!`, email: `${encodeURIComponent(text)}@` });
      await refuse('/v1/recover', { method: 'POST', body });
    }
    // Rows that no longer open are an unexpected failure, which logs most.
    const kept = await readRow(server, 'issuer_certificates');
    const version = (key_version: number) => changeRows(server, 'issuer_certificates', {}, { key_version });
    await version(kept.key_version + 1);
    const other = await open({ beside: server, logger, settings });
    const headers = { ...tenant.headers, 'content-type': 'application/json' };
    const broken = await other.request('/v1/documents', {
      method: 'POST',
      headers,
      body: JSON.stringify(SIMPLE_INVOICE),
    });
    expect(broken.status).toBe(500);
    refusals.push(await broken.text());
    await version(kept.key_version);

    // The operator's commands, successful and rejected.
    const env = { ...settings, ...cliSettings(server) };
    const backup = join(server.dataDir, 'copy.backup');
    const outputs: string[] = [];
    for (const argv of [
      ['admin', 'tenants', '--json'],
      ['admin', 'events', tenant.tenantId],
      ['admin', 'jobs', 'list', '--json'],
      ['admin', 'keys', 'rotate-master', '--json'],
      ['admin', 'backup', backup],
      ['admin', 'audit', '--json'],
      ['admin', 'suspend', ADMIN_TOKEN],
      ['admin', 'events', '--frob'],
      ['--help'],
    ]) {
      const { out, errors } = await runCli(env, ...argv);
      // A command may repeat its own arguments.
      outputs.push(`${out}${errors}`.replaceAll(argv.includes(ADMIN_TOKEN) ? ADMIN_TOKEN : '\0', ''));
    }
    const unset = { ...env, MASTER_KEYS: `now:${MASTER_KEY.toString('base64')}=`, ADMIN_TOKEN: 'corto' };
    outputs.push((await runCli(unset, 'admin', 'tenants')).errors);

    const listing = await server.request('/v1/admin/audit', { headers: admin });
    const metrics = await server.request('/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    const places: Record<string, Buffer> = {
      log: Buffer.from(lines.join('')),
      refusals: Buffer.from(refusals.join('\n')),
      audit: Buffer.from(await listing.text()),
      metrics: Buffer.from(await metrics.text()),
      commands: Buffer.from(outputs.join('\n')),
      // A link may be in its own mail, and nowhere else.
      mails: Buffer.from(mails.join('\n').replaceAll(token, '')),
      ...(await storedBytes(server)),
    };
    if (server.databaseUrl === null || (await pgDumpFits(server.databaseUrl))) {
      places['backup'] = await readFile(backup);
    }

    for (const [place, content] of Object.entries(places)) expect(content.length, place).toBeGreaterThan(200);
    expect(lines.join('')).toContain('mail not sent');
    expect(findSecrets(places, secrets)).toEqual([]);
    // The search is able to find the secrets.
    const carrier = { carrier: Buffer.concat([Buffer.from('x'), der, Buffer.from(`x${P12_PASSWORD}`)]) };
    const encoded = { encoded: Buffer.from(Buffer.concat([Buffer.from('xy'), MASTER_KEY, der]).toString('base64')) };
    expect(findSecrets(carrier, secrets)).toEqual([
      'P12 password in carrier',
      'key, DER in carrier',
      'key, exponent in carrier',
      'key, prime in carrier',
    ]);
    expect(findSecrets(encoded, secrets)).toEqual(
      expect.arrayContaining(['key, DER in encoded', 'master key in encoded']),
    );
  });
});

// --- internal ---

/** All content of the database: the bytes of its files, or every row as text. */
async function storedBytes(server: TestServer): Promise<Record<string, Buffer>> {
  if (server.databaseUrl === null) {
    const files = (await readdir(server.dataDir)).filter((file) => file.startsWith('app.db'));
    const contents = files.map(async (file) => [file, await readFile(join(server.dataDir, file))] as const);
    const found = Object.fromEntries(await Promise.all(contents));
    // The write-ahead log may be empty, and its index is always small.
    return { 'app.db': Buffer.concat(Object.values(found)) };
  }
  return server.services.database.read(async (tables) => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(tables);
    const dumps: string[] = [];
    for (const { name } of rows) {
      const dumped = await sql<{ line: string }>`select t::text as line from ${sql.table(name)} as t`.execute(tables);
      dumps.push(name, ...dumped.rows.map(({ line }) => line));
    }
    return { rows: Buffer.from(dumps.join('\n')) };
  });
}
