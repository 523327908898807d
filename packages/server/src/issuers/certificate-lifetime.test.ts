import { verifyXml } from 'sri-core';
import { createTestP12 } from 'sri-core/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, TEST_RUC, type TestServer } from '../testing/test-server.js';
import {
  createDocument,
  postJson,
  registerTenant,
  type ShownDocument,
  SIMPLE_INVOICE,
  sendJson,
  type TestTenant,
} from '../testing/test-tenant.js';

const HOUR_MS = 3_600_000;
const VALID_FROM = new Date('2026-01-01T00:00:00Z');

describeOnDatabases('the end of a certificate', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  const send = (accessKey: string) =>
    postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {}).then(({ status }) => status);
  const find = async (accessKey: string) => {
    const response = await server.request(`/v1/documents/${accessKey}`, { headers: tenant.headers });
    return ((await response.json()) as { document: ShownDocument }).document;
  };
  const xmlOf = async (accessKey: string) =>
    (await server.request(`/v1/documents/${accessKey}/xml?variant=signed`, { headers: tenant.headers })).text();

  describe('documents that wait while their certificate expires', () => {
    const waiting: string[] = [];
    let unsent: string;
    beforeAll(async () => {
      server = await open();
      const validTo = new Date(server.clock.now().getTime() + HOUR_MS);
      const cert = await createTestP12({ ruc: TEST_RUC, password: 'clave', validFrom: VALID_FROM, validTo });
      tenant = await registerTenant(server, { ruc: TEST_RUC, cert, certPassword: 'clave' });
      for (let count = 0; count < 3; count += 1) waiting.push((await createDocument(server, tenant)).accessKey);
      unsent = (await createDocument(server, tenant)).accessKey;
      for (const accessKey of waiting) expect(await send(accessKey)).toBe(202);
      await server.clock.advance(2 * HOUR_MS);
    });

    it('documents that were signed in time are sent and authorized after the end of the certificate', async () => {
      for (let round = 0; round < 3; round += 1) {
        await server.tick();
        await server.clock.advance(5_000);
      }
      for (const accessKey of waiting) expect(await find(accessKey)).toMatchObject({ status: 'AUTHORIZED' });
      expect(await send(unsent)).toBe(202);
      await server.tick();
      await server.tickAfter(5_000);
      expect(await find(unsent)).toMatchObject({ status: 'AUTHORIZED' });
    });

    it('an issuer with an expired certificate refuses documents without using numbers, until the renewal', async () => {
      const refused = await postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE);
      expect(await refused.json()).toMatchObject({ status: 400, code: 'BAD_REQUEST', reason: 'CERTIFICATE_EXPIRED' });
      const cert = await createTestP12({ password: 'otra', validFrom: VALID_FROM });
      const body = { cert: Buffer.from(cert).toString('base64'), certPassword: 'otra' };
      const renewed = await sendJson(server, 'PATCH', `/v1/issuers/${tenant.issuerId}/certificate`, tenant.auth, body);
      expect(renewed.status).toBe(200);
      expect(await createDocument(server, tenant)).toMatchObject({ sequential: '000000005' });
    });
  });

  it('a renewal during signing leaves each document with one certificate and a valid signature', async () => {
    server = await open();
    tenant = await registerTenant(server);
    const certs = await Promise.all(
      ['a', 'b', 'c'].map(async (certPassword) => {
        const cert = await createTestP12({ password: certPassword, validFrom: VALID_FROM });
        return { cert: Buffer.from(cert).toString('base64'), certPassword };
      }),
    );
    const second = await open({ beside: server });
    const known = new Set<string>([await fingerprint()]);
    const accessKeys: string[] = [];
    let renewing = true;
    const create = async (from: TestServer) => {
      while (renewing) accessKeys.push((await createDocument(from, tenant)).accessKey);
    };
    const creators = [server, server, second, second].map(create);
    for (const body of [...certs, ...certs]) {
      const response = await sendJson(server, 'PATCH', `/v1/issuers/${tenant.issuerId}/certificate`, tenant.auth, body);
      expect(response.status).toBe(200);
      known.add(((await response.json()) as { certFingerprint: string }).certFingerprint);
    }
    const after = accessKeys.length;
    renewing = false;
    await Promise.all(creators);
    expect(known.size).toBe(4);
    expect(after).toBeGreaterThan(0);

    const used = new Set<string>();
    for (const accessKey of accessKeys) {
      const xml = await xmlOf(accessKey);
      const [certificate = '', ...more] = [...xml.matchAll(/<ds:X509Certificate>([^<]+)</g)].map(([, der]) => der);
      expect(more).toEqual([]);
      const digest = await crypto.subtle.digest('SHA-256', Buffer.from(certificate, 'base64'));
      used.add(Buffer.from(digest).toString('hex'));
      const { checks } = await verifyXml(xml);
      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    }
    for (const each of used) expect(known).toContain(each);
    const numbers = accessKeys.map((accessKey) => Number(accessKey.slice(30, 39)));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from(numbers, (_, index) => index + 1));
  });

  async function fingerprint(): Promise<string> {
    const response = await server.request(`/v1/issuers/${tenant.issuerId}`, { headers: tenant.auth });
    return ((await response.json()) as { issuer: { certFingerprint: string } }).issuer.certFingerprint;
  }
});
