import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { accountRows } from '../testing/account-rows.js';
import { forgeP12 } from '../testing/forged-p12.js';
import { issuerSuite } from '../testing/issuer-suite.js';
import { activeTenant } from '../testing/production-tenant.js';
import { runCli } from '../testing/run-cli.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';
import { createDocument, register, registrationForm, type TestTenant } from '../testing/test-tenant.js';

const PASSWORD = 'del ladrón';
const NOT_FOUND = 'CERTIFICATE_KEY_NOT_FOUND';

describeOnDatabases('a P12 made of the certificate in an XML and a key around it', await databaseKinds(), (open) => {
  const at = issuerSuite(open);
  const { verified, send, sendForm } = at;
  let owner: TestTenant;
  let forged: Buffer;

  beforeAll(async () => {
    owner = await activeTenant(at.server, { email: 'victima@ejemplo.ec' });
    const { accessKey } = await createDocument(at.server, owner);
    const xml = await at.server.request(`/v1/documents/${accessKey}/xml`, { headers: owner.headers });
    const [, certificate = ''] = /<ds:X509Certificate>([^<]+)</.exec(await xml.text()) ?? [];
    forged = forgeP12(Buffer.from(certificate, 'base64'), PASSWORD);
  });

  /** Expects a refusal that leaves every table unchanged. */
  async function refused(request: () => Promise<Response>): Promise<unknown> {
    const before = await accountRows(at.server);
    const response = await request();
    const body: unknown = await response.json();
    expect(response.status, JSON.stringify(body)).toBe(400);
    expect(await accountRows(at.server)).toEqual(before);
    return body;
  }

  it('a forged P12 recovers no account', async () => {
    const fields = { cert: forged, certPassword: PASSWORD, email: 'victima@ejemplo.ec' };
    const body = await registrationForm(fields);
    const request = () => at.server.request('/v1/recover', { method: 'POST', body }, '203.0.113.5');
    expect(await refused(request)).toMatchObject({ code: NOT_FOUND });
    expect((await at.server.request('/v1/tenants/me', { headers: owner.auth })).status).toBe(200);
  });

  it('a forged P12 registers no account', async () => {
    const fields = { cert: forged, certPassword: PASSWORD, email: 'ladron@ejemplo.ec', ruc: '1793000009001' };
    const body = await refused(() => register(at.server, fields, '203.0.113.6'));
    expect(body).toMatchObject({ code: 'BAD_REQUEST', reason: NOT_FOUND });
  });

  it('a forged P12 renews no certificate', async () => {
    const thief = await verified();
    const path = `/v1/issuers/${thief.issuerId}/certificate`;
    const fields = { cert: forged, certPassword: PASSWORD };
    expect(await refused(() => sendForm('POST', path, fields, thief))).toMatchObject({ code: NOT_FOUND });
    const asText = { ...fields, cert: forged.toString('base64'), applyToAll: true };
    expect(await refused(() => send('PATCH', path, asText, thief))).toMatchObject({ code: NOT_FOUND });
  });

  it('a forged P12 adds no issuer', async () => {
    const thief = await verified();
    const fields = { branchCode: '003', issuePointCode: '001', cert: forged, certPassword: PASSWORD };
    const request = () => sendForm('POST', '/v1/issuers', fields, thief);
    expect(await refused(request)).toMatchObject({ code: NOT_FOUND });
  });

  it('a forged P12 opens for no command', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sri-forged-'));
    const file = join(folder, 'robado.p12');
    await writeFile(file, forged);
    const settings = { SRI_P12_PASSWORD: PASSWORD };
    try {
      const commands = [
        ['init', join(folder, 'nueva'), '--p12', file, '--json'],
        ['cert', 'inspect', file, '--json'],
      ];
      for (const command of commands) {
        const { code, json } = await runCli(settings, ...command);
        expect([code, json()], command[0]).toMatchObject([1, { ok: false, code: NOT_FOUND }]);
      }
      expect(await readdir(folder)).toEqual(['robado.p12']);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
