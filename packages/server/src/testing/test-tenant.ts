import type { OperationAnswer } from 'sri-core/client';
import { type FormFields, formOf } from './form-of.js';
import { TEST_PASSWORD, TEST_RUC, type TestServer, testP12 } from './test-server.js';

/** A target of requests: a server in this process or another one. */
export type RequestTarget = Pick<TestServer, 'request'>;

/** The fields of a registration; null leaves one out. */
export type RegistrationFields = FormFields;

/** A valid registration form, with the given fields changed. */
export async function registrationForm(fields: RegistrationFields = {}): Promise<FormData> {
  return formOf({
    cert: await testP12(),
    certPassword: TEST_PASSWORD,
    email: 'facturas@ejemplo.ec',
    ruc: TEST_RUC,
    businessName: 'Comercial Ñandú & Hijos S.A.',
    branchCode: '001',
    issuePointCode: '002',
    emissionType: '1',
    requiredAccounting: 'true',
    ...fields,
  });
}

/** Sends a registration. */
export async function register(
  server: RequestTarget,
  fields: RegistrationFields = {},
  address = '190.1.2.3',
): Promise<Response> {
  return server.request('/v1/register', { method: 'POST', body: await registrationForm(fields) }, address);
}

/** A registered account, with the headers of its requests. */
export interface TestTenant {
  readonly tenantId: string;
  readonly issuerId: string;
  readonly apiKey: string;
  /** The key. */
  readonly auth: Readonly<Record<string, string>>;
  /** The key and the issuer. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The raw head of a request that creates a document. @param framing the header that says how long its body is. */
export function creationHead({ apiKey, issuerId }: TestTenant, framing: string): string {
  const lines = [
    'POST /v1/documents HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${apiKey}`,
    `X-Issuer-Id: ${issuerId}`,
    'Content-Type: application/json',
    framing,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The `CLOCK_OFFSET` that moves a server to a day on which the tests' certificate is valid. */
export function offsetToTestDay(): string {
  const ms = Date.parse('2026-11-21T15:00:00Z') - Date.now();
  return `${ms < 0 ? '-' : '+'}${Math.abs(ms)}ms`;
}

let registered = 0;

/** Registers an account with a new address, RUC and network. */
export async function registerTenant(server: RequestTarget, fields: RegistrationFields = {}): Promise<TestTenant> {
  registered += 1;
  const number = registered.toString().padStart(6, '0');
  const unique = { email: `t${number}@ejemplo.ec`, ruc: `1791${number}001` };
  const response = await register(server, { ...unique, ...fields }, `10.${registered >> 8}.${registered & 255}.1`);
  if (response.status !== 201) throw new Error(`Registration answered ${response.status}: ${await response.text()}`);
  const { tenant, issuer, apiKey } = (await response.json()) as {
    tenant: { id: string };
    issuer: { id: string };
    apiKey: string;
  };
  const auth = { authorization: `Bearer ${apiKey}` };
  return { tenantId: tenant.id, issuerId: issuer.id, apiKey, auth, headers: { ...auth, 'x-issuer-id': issuer.id } };
}

/** Posts JSON with those headers. */
export function postJson(
  server: RequestTarget,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<Response> {
  return sendJson(server, 'POST', path, headers, body);
}

/** Sends JSON with those headers, or no body. */
export function sendJson(
  server: RequestTarget,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Response> {
  if (body === undefined) return server.request(path, { method, headers });
  const init = { method, headers: { ...headers, 'content-type': 'application/json' } };
  return server.request(path, { ...init, body: JSON.stringify(body) });
}

/** An invoice of one line, 11.50 dollars in all. */
export const SIMPLE_INVOICE = {
  documentType: '01',
  buyer: { idType: '05', id: '1710034065', name: 'María Ñacata', email: 'maria@ejemplo.ec' },
  items: [
    {
      mainCode: 'A1',
      description: 'Café & té',
      quantity: '1',
      unitPrice: '10.00',
      taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '10.00', taxAmount: '1.50' }],
    },
  ],
  payments: [{ method: '01', total: '11.50' }],
};

/** A credit note for all of `SIMPLE_INVOICE`. */
export const SIMPLE_CREDIT_NOTE = {
  documentType: '04',
  originalDocument: { documentType: '01', number: '001-002-000000001', issueDate: '21/11/2026' },
  motivo: 'Devolución',
  buyer: SIMPLE_INVOICE.buyer,
  items: SIMPLE_INVOICE.items,
};

/** A document as answers show it. */
export type ShownDocument = OperationAnswer<'getDocument'>['document'];

/** Creates a document. @returns the document in the answer. */
export async function createDocument(
  server: RequestTarget,
  tenant: TestTenant,
  body: unknown = SIMPLE_INVOICE,
): Promise<ShownDocument> {
  const response = await postJson(server, '/v1/documents', tenant.headers, body);
  if (response.status !== 201) throw new Error(`Creating answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { document: ShownDocument }).document;
}
