import { createTestP12 } from 'sri-core/testing';
import { beforeAll, expect, it } from 'vitest';
import { createApp } from '../app.js';
import { changeKeys } from '../testing/change-rows.js';
import { formOf } from '../testing/form-of.js';
import { activeTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, TEST_PASSWORD, type TestServer, testP12 } from '../testing/test-server.js';
import {
  createDocument,
  postJson,
  registerTenant,
  registrationForm,
  SIMPLE_CREDIT_NOTE,
  SIMPLE_INVOICE,
  sendJson,
  type TestTenant,
} from '../testing/test-tenant.js';

const NOWHERE = '0197f3a0-c5d2-7b1e-8000-000000000001';

/** Every code of the contract with its status, produced by a request. */
describeOnDatabases('each live code of the contract', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let other: TestTenant;
  beforeAll(async () => {
    server = await open();
    tenant = await registerTenant(server);
    other = await registerTenant(server);
  });
  const verified = async (columns: Readonly<Record<string, string>> = {}) => {
    return await activeTenant(server, {}, { ...columns });
  };
  const narrowed = async (scopes: readonly string[]) => {
    const account = await verified({ subscription_tier: 'STARTER' });
    await changeKeys(server, account, { scopes: JSON.stringify(scopes) });
    return account;
  };
  const send = (method: string, path: string, headers: Readonly<Record<string, string>>, body?: unknown) =>
    sendJson(server, method, path, headers, body);
  const create = (headers: Readonly<Record<string, string>>, body: unknown = SIMPLE_INVOICE) =>
    postJson(server, '/v1/documents', headers, body);
  let network = 0;
  const recover = async (cert: Uint8Array, password: string | null = TEST_PASSWORD) => {
    const body = formOf({ email: 'nadie@ejemplo.ec', cert, certPassword: password });
    network += 1;
    return server.request('/v1/recover', { method: 'POST', body }, `172.30.0.${network}`);
  };
  const counterOf = (whose: TestTenant, id = whose.issuerId) => `/v1/issuers/${id}/sequentials`;
  const voided = async (confirmedSriVoid: boolean) => {
    const { accessKey } = await createDocument(server, tenant);
    return send('POST', `/v1/documents/${accessKey}/void`, tenant.headers, { confirmedSriVoid, reason: 'Error' });
  };

  const CODES: readonly (readonly [code: string, status: number, provoke: () => Promise<Response>])[] = [
    ['VALIDATION_FAILED', 400, () => create(tenant.headers, {})],
    ['BAD_REQUEST', 400, () => create(tenant.auth)],
    [
      'INVALID_FILE_UPLOAD',
      400,
      () => send('PATCH', `/v1/issuers/${tenant.issuerId}/logo`, tenant.auth, { logo: 'QUJD' }),
    ],
    ['CERTIFICATE_INVALID', 400, () => recover(new Uint8Array([1, 2, 3]))],
    ['CERTIFICATE_PASSWORD_INVALID', 400, async () => recover(await testP12(), 'otra')],
    [
      'CERTIFICATE_KEY_NOT_FOUND',
      400,
      async () => recover(withoutItsKey(await createTestP12({ password: null })), null),
    ],
    [
      'CERTIFICATE_EXPIRED',
      400,
      async () =>
        recover(
          await createTestP12({
            password: TEST_PASSWORD,
            validFrom: new Date('2023-01-01'),
            validTo: new Date('2025-01-01'),
          }),
        ),
    ],
    ['INVALID_OR_EXPIRED_TOKEN', 400, () => postJson(server, '/v1/verify-email', {}, { token: '0'.repeat(64) })],
    ['DOCUMENT_TYPE_NOT_ENABLED', 400, () => create(tenant.headers, SIMPLE_CREDIT_NOTE)],
    [
      'LAST_DOCUMENT_TYPE_CANNOT_BE_REMOVED',
      400,
      () => send('DELETE', `/v1/issuers/${tenant.issuerId}/document-types/01`, tenant.auth),
    ],
    [
      'SEQUENTIAL_CANNOT_DECREASE',
      400,
      async () => {
        await createDocument(server, tenant);
        return send('PATCH', `${counterOf(tenant)}/01`, tenant.auth, { environment: 'sandbox', nextSequential: 1 });
      },
    ],
    ['DOCUMENT_VOID_CONFIRMATION_REQUIRED', 400, () => voided(false)],
    ['DOCUMENT_NOT_AUTHORIZED', 400, () => voided(true)],
    ['ISSUER_ID_INVALID', 400, () => send('GET', '/v1/notifications?sinceId=7', tenant.auth)],
    ['UNAUTHORIZED', 401, () => send('GET', '/v1/tenants/me', {})],
    ['API_KEY_LIMIT_REACHED', 402, async () => send('POST', '/v1/keys', (await verified()).auth, {})],
    [
      'WEBHOOK_ENDPOINT_LIMIT_REACHED',
      402,
      async () => {
        const { auth } = await verified();
        await send('POST', '/v1/webhooks', auth, { url: 'https://hooks.ejemplo.ec/' });
        return send('POST', '/v1/webhooks', auth, { url: 'https://hooks.ejemplo.ec/' });
      },
    ],
    [
      'DOCUMENT_TYPE_NOT_IN_TIER',
      402,
      () => send('POST', `/v1/issuers/${tenant.issuerId}/document-types`, tenant.auth, { documentType: '04' }),
    ],
    ['FORBIDDEN', 403, () => create({ ...tenant.auth, 'x-issuer-id': other.issuerId })],
    ['ISSUER_FORBIDDEN', 403, () => send('GET', counterOf(tenant, other.issuerId), tenant.auth)],
    ['ACCOUNT_SUSPENDED', 403, async () => create((await verified({ status: 'SUSPENDED' })).headers)],
    ['INTERNAL_SERVICE_ONLY', 403, () => send('POST', '/v1/tenants/promote', tenant.auth, {})],
    ['EMAIL_VERIFICATION_REQUIRED', 403, () => send('POST', '/v1/keys', tenant.auth, {})],
    [
      'PRODUCTION_KEY_REQUIRES_PROMOTION',
      403,
      async () => send('POST', '/v1/keys', (await verified()).auth, { environment: 'production' }),
    ],
    ['INSUFFICIENT_SCOPE', 403, async () => create((await narrowed(['documents:read'])).headers)],
    [
      'SCOPE_ESCALATION_FORBIDDEN',
      403,
      async () => send('POST', '/v1/keys', (await narrowed(['keys:manage'])).auth, { scopes: ['documents:write'] }),
    ],
    [
      'ISSUER_ISSUING_PAUSED',
      403,
      async () => {
        const paused = await registerTenant(server);
        await send('PATCH', `/v1/issuers/${paused.issuerId}/can-issue`, paused.auth, { canIssue: false });
        return create(paused.headers);
      },
    ],
    ['NOT_FOUND', 404, () => create({ ...tenant.auth, 'x-issuer-id': NOWHERE })],
    ['ISSUER_NOT_FOUND', 404, () => send('GET', counterOf(tenant, NOWHERE), tenant.auth)],
    [
      'CONFLICT',
      409,
      async () => {
        const headers = { ...tenant.headers, 'idempotency-key': 'pedido-1' };
        await create(headers);
        return create(headers, { ...SIMPLE_INVOICE, payments: [{ method: '20', total: '11.50' }] });
      },
    ],
    [
      'TOO_MANY_REQUESTS',
      429,
      async () => {
        for (let call = 0; call < 5; call += 1) {
          await server.request(
            '/v1/register',
            { method: 'POST', body: await registrationForm({ email: null }) },
            '172.31.0.1',
          );
        }
        return server.request('/v1/register', { method: 'POST', body: new FormData() }, '172.31.0.1');
      },
    ],
    [
      'INTERNAL_ERROR',
      500,
      () => {
        const broken = { ...server.services.database, read: () => Promise.reject(new Error('something else')) };
        const app = createApp({ ...server.services, database: broken });
        return Promise.resolve(app.request('/v1/tenants/events', { headers: tenant.auth }));
      },
    ],
  ];

  it.each(CODES)('[R374] %s comes with status %d', async (code, status, provoke) => {
    const response = await provoke();
    const text = await response.text();
    expect([response.status, (JSON.parse(text) as { code: string }).code], text).toEqual([status, code]);
  });

  it('[R374] [R378] the contract has 32 live codes', () => {
    expect(new Set(CODES.map(([code]) => code)).size).toBe(32);
  });
});

/** The container with the type of its key bag changed to that of a list of revoked certificates. */
function withoutItsKey(container: Uint8Array): Uint8Array {
  const bytes = Buffer.from(container);
  for (const keyBag of ['060b2a864886f70d010c0a0101', '060b2a864886f70d010c0a0102']) {
    const at = bytes.indexOf(Buffer.from(keyBag, 'hex'));
    if (at >= 0) bytes[at + 12] = 4;
  }
  return bytes;
}
