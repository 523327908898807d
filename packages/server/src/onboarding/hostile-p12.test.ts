import { createTestP12 } from 'sri-core/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { costlyP12 } from '../testing/bad-input/containers.js';
import { verifiedTenant } from '../testing/production-tenant.js';
import { openTestServer, type TestServer } from '../testing/test-server.js';
import { createDocument, register, registerTenant, registrationForm, type TestTenant } from '../testing/test-tenant.js';

/** The concurrent requests of one caller. */
const PER_CALLER = 16;
const ENOUGH = 6;

describe('certificates of maximum cost', () => {
  let server: TestServer;
  let costly: Uint8Array;
  let attacker: TestTenant;
  beforeAll(async () => {
    server = await openTestServer(null, { settings: { ONBOARDING_RATE: '100000/1h' } });
    // The iterations of its key derivation: about 60 ms, and no such file opens with any password.
    costly = costlyP12(60_000);
    attacker = await registerTenant(server);
    return server.close;
  });

  /** Sends `count` costly files at once. @returns their answers, and the number of answers so far. */
  function flood(count: number, send: () => Promise<Response>) {
    let answered = 0;
    const answers = Array.from({ length: count }, async () => {
      const response = await send();
      answered += 1;
      return { status: response.status, retryAfter: response.headers.get('retry-after') };
    });
    return { answers: Promise.all(answers), answered: () => answered };
  }

  const recoverFrom = (address: string, cert?: Uint8Array) => async () => {
    const body = await registrationForm({ cert: cert ?? costly });
    return server.request('/v1/recover', { method: 'POST', body }, address);
  };
  const renew = (tenant: TestTenant, cert: Uint8Array, certPassword: string) =>
    server.request(`/v1/issuers/${tenant.issuerId}/certificate`, {
      method: 'PATCH',
      headers: { ...tenant.auth, 'content-type': 'application/json' },
      body: JSON.stringify({ cert: Buffer.from(cert).toString('base64'), certPassword }),
    });

  it('other callers do not wait for all costly certificates of one address', async () => {
    const { answers, answered } = flood(ENOUGH, recoverFrom('203.0.113.9'));
    const honest = await register(server, { email: 'honesta@ejemplo.ec', ruc: '1793000001001' }, '198.51.100.7');
    const before = answered();
    expect(honest.status).toBe(201);
    expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: ENOUGH }, () => 400));
    expect(before).toBeLessThan(ENOUGH);
  });

  it('another account and a visitor do not wait for all costly certificates of one account', async () => {
    const other = await verifiedTenant(server);
    const cert = await createTestP12({ password: 'otra', validFrom: new Date('2026-02-01T00:00:00Z') });
    const { answers, answered } = flood(ENOUGH, () => renew(attacker, costly, 'x'));
    const renewed = await renew(other, cert, 'otra');
    const visitor = await register(server, { email: 'visita@ejemplo.ec', ruc: '1793000002001' }, '198.51.100.8');
    const before = answered();
    expect([renewed.status, visitor.status]).toEqual([200, 201]);
    expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: ENOUGH }, () => 400));
    expect(before).toBeLessThan(ENOUGH);
  });

  it('costly certificates do not delay signing', async () => {
    await createDocument(server, attacker);
    const { answers, answered } = flood(ENOUGH, () => renew(attacker, costly, 'x'));
    for (let count = 0; count < 5; count += 1) await createDocument(server, attacker);
    const before = answered();
    await answers;
    expect(before).toBeLessThan(ENOUGH);
  });

  it.each<{ name: string; send: () => Promise<Response> }>([
    { name: 'an address', send: recoverFrom('203.0.113.10', costlyP12(20_000)) },
    { name: 'an account', send: () => renew(attacker, costlyP12(20_000), 'x') },
  ])('answers 429 when $name sends too many costly certificates at once', async ({ send }) => {
    const { answers } = flood(PER_CALLER + 4, send);
    const all = await answers;
    const refused = all.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(all.filter(({ status }) => status === 400)).toHaveLength(PER_CALLER);
  });

  it('rejects a certificate that demands too much before any work', async () => {
    const response = await renew(attacker, costlyP12(5_000_001), 'x');
    expect(await response.json()).toMatchObject({ status: 400, code: 'CERTIFICATE_INVALID' });
  });
});
