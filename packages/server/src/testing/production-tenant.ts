import type { Updateable } from 'kysely';
import { createTestP12 } from 'sri-core/testing';
import { expect } from 'vitest';
import type { TenantsTable } from '../accounts/tables.js';
import { changeTenant } from './change-rows.js';
import { TEST_VALIDITY, type TestServer } from './test-server.js';
import { postJson, type RegistrationFields, registerTenant, type TestTenant } from './test-tenant.js';

/** The web application's secret on a server with `WEB_SETTINGS`. */
export const WEB_SECRET = 'secreto de la aplicacion web de las pruebas';
/** The settings of a server with a web application. */
export const WEB_SETTINGS = { INTERNAL_SERVICE_SECRET: WEB_SECRET } as const;

/** The headers with which the web application acts for an account. */
export function asWebApplication(tenantId: string): Readonly<Record<string, string>> {
  return { 'x-internal-service-secret': WEB_SECRET, 'x-tenant-id': tenantId };
}

/** Registers an account whose certificate names its RUC, and verifies its address. */
export async function verifiedTenant(
  server: TestServer,
  fields: RegistrationFields = {},
  { validTo, ruc = '' }: { readonly validTo?: Date; readonly ruc?: string } = {},
): Promise<TestTenant> {
  const { testPath = '' } = expect.getState();
  const count = (made.get(testPath) ?? 0) + 1;
  made.set(testPath, count);
  const own = `1792${String(count).padStart(6, '0')}001`;
  const cert = await certificateOf(ruc || own, validTo);
  const tenant = await registerTenant(server, { ruc: own, cert, certPassword: 'clave', ...fields });
  await setStatus(server, tenant, 'ACTIVE');
  return tenant;
}

/** Sets the status of an account, without an entry in its history. */
export async function setStatus(server: TestServer, tenant: TestTenant, status: string): Promise<void> {
  await changeTenant(server, tenant, { status });
}

/** Accepts the agreements for an account. */
export async function acceptAgreements(server: TestServer, tenant: TestTenant): Promise<void> {
  const path = '/v1/tenants/agreements';
  const response = await postJson(server, path, asWebApplication(tenant.tenantId), { termsVersion: '1.0' });
  if (response.status !== 200) throw new Error(`Accepting answered ${response.status}: ${await response.text()}`);
}

/** Requests the move to production as the web application. */
export function askPromotion(server: TestServer, tenant: TestTenant, body: unknown = {}): Promise<Response> {
  return postJson(server, '/v1/tenants/promote', asWebApplication(tenant.tenantId), body);
}

/** An account that may move to production. */
export async function readyTenant(server: TestServer, fields: RegistrationFields = {}): Promise<TestTenant> {
  const tenant = await verifiedTenant(server, fields);
  await acceptAgreements(server, tenant);
  return tenant;
}

/** The same account in production, with the replacement of its first key. */
export async function promoted(server: TestServer, tenant: TestTenant, body: unknown = {}): Promise<TestTenant> {
  const response = await askPromotion(server, tenant, body);
  if (response.status !== 200) throw new Error(`Promoting answered ${response.status}: ${await response.text()}`);
  const { apiKeys } = (await response.json()) as { apiKeys: readonly { apiKey: string }[] };
  const apiKey = apiKeys[0]?.apiKey ?? '';
  const auth = { authorization: `Bearer ${apiKey}` };
  return { ...tenant, apiKey, auth, headers: { ...auth, 'x-issuer-id': tenant.issuerId } };
}

/** Registers an account and marks its address as verified. */
export async function activeTenant(
  server: TestServer,
  fields: RegistrationFields = {},
  columns: Updateable<TenantsTable> = {},
): Promise<TestTenant> {
  const tenant = await registerTenant(server, fields);
  await changeTenant(server, tenant, { status: 'ACTIVE', ...columns });
  return tenant;
}

// --- internal ---

/** How many accounts each test file has made. */
const made = new Map<string, number>();
/** Certificates by RUC and end. Test files have the same RUCs, since a key takes a tenth of a second to make. */
const certificates = new Map<string, Promise<Uint8Array>>();

function certificateOf(ruc: string, validTo = TEST_VALIDITY.validTo): Promise<Uint8Array> {
  const name = `${ruc} ${validTo.getTime()}`;
  const known = certificates.get(name);
  if (known) return known;
  const certificate = createTestP12({ ...TEST_VALIDITY, ruc, password: 'clave', validTo });
  certificates.set(name, certificate);
  return certificate;
}
