import { beforeAll, expect, it } from 'vitest';
import { accountRows } from '../testing/account-rows.js';
import { storeReportedPayment, TEST_PNG } from '../testing/billing-suite.js';
import { changeRows, changeTenant, readRow } from '../testing/change-rows.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { createDocument, postJson, registerTenant, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';
import { ALL_TYPES, BY_SEED, bodyOf } from '../testing/type-bodies.js';
import { ROUTES } from '../v1-routes.js';
import type { AccountRoute } from './route.js';

/** A route's behaviour across accounts; the other columns of the matrix follow from the route table itself. */
interface Row {
  /** A valid body; without one, none is sent. */
  readonly body?: unknown;
  /** The answer for an issuer, key or document of another account in the path. */
  readonly foreign?: string;
  /** True if the address of the account has to be verified first. */
  readonly verified?: true;
}

const ISSUER_OF_ANOTHER = { foreign: 'ISSUER_FORBIDDEN' };
const BROAD = { foreign: 'FORBIDDEN' };
const UNKNOWN = { foreign: 'NOT_FOUND' };
const PAYMENT_OF_ANOTHER = { foreign: 'PAYMENT_NOT_FOUND' };

const MATRIX: Readonly<Record<string, Row>> = {
  'GET /v1/tenants/me': {},
  'GET /v1/tenants/events': {},
  'PATCH /v1/tenants/language': { body: { language: 'es' } },
  'GET /v1/tenants/agreements': {},
  'POST /v1/tenants/agreements': { body: { termsVersion: '1.0' } },
  'GET /v1/tenants/agreements/history': {},
  'GET /v1/tenants/agreements/:type': {},
  'POST /v1/tenants/promote': { body: {}, verified: true },
  'POST /v1/tenants/retry-failed-documents': {},
  'GET /v1/issuers': {},
  'POST /v1/issuers': { body: { branchCode: '001', issuePointCode: '044' }, verified: true },
  'GET /v1/issuers/:id': BROAD,
  'PATCH /v1/issuers/:id': { body: { tradeName: 'X' }, ...ISSUER_OF_ANOTHER },
  'DELETE /v1/issuers/:id': ISSUER_OF_ANOTHER,
  'PATCH /v1/issuers/:id/activate': ISSUER_OF_ANOTHER,
  'PATCH /v1/issuers/:id/can-issue': { body: { canIssue: true }, ...ISSUER_OF_ANOTHER },
  'PATCH /v1/issuers/:id/logo': { body: { logo: null }, ...ISSUER_OF_ANOTHER },
  'PATCH /v1/issuers/:id/certificate': { body: { cert: 'QUJD' }, ...ISSUER_OF_ANOTHER },
  'POST /v1/issuers/:id/certificate': { body: { cert: 'QUJD' }, ...ISSUER_OF_ANOTHER },
  'GET /v1/issuers/:id/document-types': BROAD,
  'POST /v1/issuers/:id/document-types': { body: { documentType: '01' }, ...BROAD },
  'DELETE /v1/issuers/:id/document-types/:code': BROAD,
  'GET /v1/issuers/:id/sequentials': ISSUER_OF_ANOTHER,
  'PATCH /v1/issuers/:id/sequentials/:documentType': {
    body: { environment: 'sandbox', nextSequential: 90 },
    ...ISSUER_OF_ANOTHER,
  },
  'GET /v1/keys': {},
  'POST /v1/keys': { body: {}, verified: true },
  'DELETE /v1/keys/:id': UNKNOWN,
  'GET /v1/keys/:id/usage': UNKNOWN,
  'POST /v1/documents': { body: SIMPLE_INVOICE },
  'POST /v1/documents/preview': { body: SIMPLE_INVOICE },
  'GET /v1/documents': {},
  'GET /v1/documents/export': {},
  'GET /v1/documents/stats': {},
  'POST /v1/documents/email-retry': {},
  'GET /v1/documents/:accessKey': UNKNOWN,
  'POST /v1/documents/:accessKey/send': UNKNOWN,
  'GET /v1/documents/:accessKey/authorize': UNKNOWN,
  'GET /v1/documents/:accessKey/sri-responses': UNKNOWN,
  'GET /v1/documents/:accessKey/ride': UNKNOWN,
  'GET /v1/documents/:accessKey/xml': UNKNOWN,
  'GET /v1/documents/:accessKey/events': UNKNOWN,
  'POST /v1/documents/:accessKey/send/retry': UNKNOWN,
  'POST /v1/documents/:accessKey/rebuild': { body: bodyOf(BY_SEED.type), ...UNKNOWN },
  'POST /v1/documents/:accessKey/void': { body: { confirmedSriVoid: true, reason: 'Anulada' }, ...UNKNOWN },
  'GET /v1/documents/:accessKey/credit-notes': UNKNOWN,
  'POST /v1/documents/:accessKey/email-retry': UNKNOWN,
  'GET /v1/subscriptions/me': {},
  'POST /v1/subscriptions': { body: { tier: 'STARTER' }, verified: true },
  'POST /v1/subscriptions/change-tier': { body: { tier: 'GROWTH' } },
  'POST /v1/subscriptions/seats': { body: { extraSeats: 1 } },
  'DELETE /v1/subscriptions': {},
  'GET /v1/payments': {},
  'GET /v1/payments/:id': PAYMENT_OF_ANOTHER,
  'DELETE /v1/payments/:id': PAYMENT_OF_ANOTHER,
  'PATCH /v1/payments/:id/proof': {
    body: { file: TEST_PNG.toString('base64'), filename: 'a.png', referenceNumber: '1' },
    ...PAYMENT_OF_ANOTHER,
  },
  'GET /v1/payments/:id/proofs': PAYMENT_OF_ANOTHER,
  'GET /v1/payments/:id/proofs/:proofId': PAYMENT_OF_ANOTHER,
  'DELETE /v1/payments/:id/proofs/:proofId': PAYMENT_OF_ANOTHER,
  'GET /v1/notifications': {},
  'POST /v1/notifications/:id/read': UNKNOWN,
  'GET /v1/notifications/preferences': {},
  'PATCH /v1/notifications/preferences': { body: [] },
  'POST /v1/webhooks': { body: { url: 'https://hooks.ejemplo.ec/' }, verified: true },
  'GET /v1/webhooks': {},
  'PATCH /v1/webhooks/:id': { body: { active: false }, ...UNKNOWN },
  'DELETE /v1/webhooks/:id': UNKNOWN,
  'GET /v1/webhooks/:id/deliveries': UNKNOWN,
  'POST /v1/webhooks/:id/deliveries/:deliveryId/redeliver': UNKNOWN,
  'POST /v1/webhooks/:id/test': UNKNOWN,
  'POST /v1/webhooks/:id/rotate-secret': UNKNOWN,
  'GET /v1/catalogs': {},
  'GET /v1/catalogs/:name': {},
};

const SECRET = 'un secreto de la aplicacion web de 32 bytes';
const accountRoutes = ROUTES.filter((route): route is AccountRoute => 'scope' in route);
const nameOf = (route: { method: string; path: string }) => `${route.method} ${route.path}`;
const rows = accountRoutes.map((route) => ({ name: nameOf(route), route, row: MATRIX[nameOf(route)] ?? {} }));

it('the matrix has a row for every route of an account, and no other row', () => {
  expect(Object.keys(MATRIX).toSorted()).toEqual(accountRoutes.map(nameOf).toSorted());
});

it('every route with an object in its path states the answer for another account', () => {
  const naming = rows.filter(({ route }) => /:(id|accessKey)/.test(route.path));
  expect(naming.filter(({ row }) => !row.foreign).map(({ name }) => name)).toEqual([]);
});

describeOnDatabases(`separate accounts with a document of ${BY_SEED.name}`, await databaseKinds(), (open) => {
  let server: TestServer;
  let own: Owner;
  let other: Owner;
  let secondIssuerId: string;

  /** An account with the objects that paths can name. */
  interface Owner extends TestTenant {
    readonly keyId: string;
    readonly accessKey: string;
    readonly paymentId: string;
    readonly proofId: string;
    readonly notificationId: string;
    readonly webhookId: string;
  }

  async function owner(): Promise<Owner> {
    const tenant = await registerTenant(server, { documentTypes: ALL_TYPES });
    const { accessKey } = await createDocument(server, tenant, bodyOf(BY_SEED.type));
    const key = await readRow(server, 'api_keys', { tenant_id: tenant.tenantId }, ['id']);
    return {
      ...tenant,
      keyId: key.id,
      accessKey,
      ...(await notifiedOwner(tenant)),
      ...(await storeReportedPayment(server, tenant)),
    };
  }

  /** Gives an account a notification and a webhook endpoint. */
  async function notifiedOwner({ tenantId }: TestTenant) {
    const now = server.clock.now();
    const { newId } = server.services.registration;
    const [notificationId, webhookId] = [newId(now), newId(now)];
    const at = now.getTime();
    const reported = { type: 'PAYMENT_VERIFIED', severity: 'INFO', title: 'Pago', message: 'Pago verificado' };
    const endpoint = { url: 'https://hooks.ejemplo.ec/', event_types: '[]', active: 1, listed: 1, secret_version: 1 };
    await server.services.database.transaction(async (tables) => {
      await tables
        .insertInto('notifications')
        .values({ id: notificationId, tenant_id: tenantId, created_at: at, ...reported })
        .execute();
      await tables
        .insertInto('webhook_endpoints')
        .values({ id: webhookId, tenant_id: tenantId, secret: '{}', created_at: at, updated_at: at, ...endpoint })
        .execute();
    });
    return { notificationId, webhookId };
  }

  beforeAll(async () => {
    server = await open({ settings: { INTERNAL_SERVICE_SECRET: SECRET } });
    own = await owner();
    other = await owner();
    await changeTenant(server, own, { status: 'ACTIVE' });
    const added = await postJson(server, '/v1/issuers', own.auth, { branchCode: '001', issuePointCode: '033' });
    secondIssuerId = ((await added.json()) as { issuer: { id: string } }).issuer.id;
  });

  function idIn(path: string, { keyId, notificationId, paymentId, webhookId, issuerId }: Owner): string {
    if (path.startsWith('/v1/keys')) return keyId;
    if (path.startsWith('/v1/payments')) return paymentId;
    if (path.startsWith('/v1/notifications')) return notificationId;
    return path.startsWith('/v1/webhooks') ? webhookId : issuerId;
  }

  /** Calls a route correctly, for objects of one account with the headers of another. */
  async function call({ route, row }: (typeof rows)[number], things: Owner, headers: Readonly<Record<string, string>>) {
    const path = route.path
      .replace(':id', idIn(route.path, things))
      .replace(':proofId', things.proofId)
      .replace(':deliveryId', things.webhookId)
      .replace(':accessKey', things.accessKey)
      .replace(':name', 'id-types')
      .replace(':type', 'TERMS')
      .replace(/:(code|documentType)/, '01');
    const secret = route.access === 'internal' ? { 'x-internal-service-secret': SECRET } : {};
    const sent = row.body === undefined ? {} : { body: JSON.stringify(row.body) };
    const type = row.body === undefined ? {} : { 'content-type': 'application/json' };
    const init = { method: route.method, headers: { ...headers, ...secret, ...type }, ...sent };
    const response = await server.request(path, init);
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const text = await response.text();
    const problem = isJson ? (JSON.parse(text) as { code?: string; status?: number }) : {};
    return { status: response.status, code: problem.code ?? null, text };
  }

  async function reported(...of: Parameters<typeof call>) {
    const { status, code } = await call(...of);
    return { status, code };
  }

  const withForeign = rows.filter(({ row }) => row.foreign);
  const ofDocuments = rows.filter(({ route }) => route.path.includes(':accessKey'));

  /** Makes a separate account for a call that may change it; all other calls share one account. */
  function lender(make: () => Promise<Owner>): (mayChange: boolean) => Promise<Owner> {
    let shared: Promise<Owner> | null = null;
    return (mayChange) => {
      if (mayChange) return make();
      shared ??= make();
      return shared;
    };
  }

  const lendPromoted = lender(() => promoted());
  const lendPending = lender(() => owner());
  const lendRecovered = {
    production: lender(() => recovered('production')),
    sandbox: lender(() => recovered('sandbox')),
  };

  it.each(withForeign)('$name shows and changes nothing of another account', async (entry) => {
    const { foreign } = entry.row;
    const before = await accountRows(server);
    const { text, ...answer } = await call(entry, other, own.headers);
    expect(answer).toEqual({ status: foreign?.endsWith('NOT_FOUND') ? 404 : 403, code: foreign });
    const { accessKey, tenantId } = other;
    for (const one of [accessKey, tenantId]) expect(text.replace(/"instance":"[^"]*"/, '')).not.toContain(one);
    expect(await accountRows(server)).toEqual(before);
  });

  it.each(rows)('$name shows an account its own objects, and no other', async (entry) => {
    const { status, text } = await call(entry, own, own.headers);
    // The document was not sent.
    const isTooEarly = entry.route.path.endsWith('/authorize');
    if (entry.route.method === 'GET') expect(status).toBe(isTooEarly ? 400 : 200);
    const { auth: _, headers: __, ...things } = other;
    for (const [name, thing] of Object.entries(things)) expect(text.includes(thing), name).toBe(false);
  });

  it.each(ofDocuments)('$name finds no document of another issuer of the account', async (entry) => {
    const before = await accountRows(server);
    const headers = { ...own.auth, 'x-issuer-id': secondIssuerId };
    expect(await reported(entry, own, headers)).toEqual({ status: 404, code: 'NOT_FOUND' });
    expect(await accountRows(server)).toEqual(before);
  });

  /** An account in production whose document is of the sandbox. */
  async function promoted(): Promise<Owner> {
    const made = await owner();
    await changeTenant(server, made, { status: 'ACTIVE', environment: 'production' });
    await changeRows(server, 'api_keys', { id: made.keyId }, { environment: 'production' });
    return made;
  }

  it.each(ofDocuments)('$name finds no document of the other environment', async (entry) => {
    const moved = await lendPromoted(false);
    const before = await accountRows(server);
    expect(await reported(entry, moved, moved.headers)).toEqual({ status: 404, code: 'NOT_FOUND' });
    expect(await accountRows(server)).toEqual(before);
  });

  it.each(rows)('[R141] [R153] $name needs a verified address only where the matrix says so', async (entry) => {
    const mayChange = entry.route.method !== 'GET' && !entry.row.verified;
    const pending = await lendPending(mayChange);
    const before = await accountRows(server);
    const { status, code } = await reported(entry, pending, pending.headers);
    if (!entry.row.verified) return expect(code).not.toBe('EMAIL_VERIFICATION_REQUIRED');
    expect([status, code]).toEqual([403, 'EMAIL_VERIFICATION_REQUIRED']);
    expect(await accountRows(server)).toEqual(before);
  });

  /** A recovered account that waits for its verification; its document is in its environment. */
  async function recovered(environment: string): Promise<Owner> {
    const made = await owner();
    await changeTenant(server, made, { status: 'PENDING_VERIFICATION', environment });
    await server.services.database.transaction(async (tables) => {
      await tables
        .updateTable('tenants')
        .set({ recovered_at: server.clock.now().getTime() })
        .where('id', '=', made.tenantId)
        .execute();
      await tables.updateTable('api_keys').set({ environment }).where('id', '=', made.keyId).execute();
      await tables.updateTable('sri_documents').set({ environment }).where('issuer_id', '=', made.issuerId).execute();
    });
    return made;
  }

  it.each(rows)('[R153] $name changes nothing in production for a recovered account', async (entry) => {
    const mayChange = entry.route.method !== 'GET' && entry.route.unverified === 'served';
    const subject = await lendRecovered.production(mayChange);
    const before = await accountRows(server);
    const { status, code } = await reported(entry, subject, subject.headers);
    if (entry.route.unverified !== 'served') {
      expect([status, code]).toEqual(isOfRemoved(entry) ? ABSENT : [403, 'EMAIL_VERIFICATION_REQUIRED']);
      expect(await accountRows(server)).toEqual(before);
    } else if (!entry.row.verified) expect(code).not.toBe('EMAIL_VERIFICATION_REQUIRED');
  });

  it.each(rows)('[R152] $name allows an account recovered in the sandbox only to test documents', async (entry) => {
    const isRefused = entry.route.unverified === 'refused' || entry.row.verified === true;
    const subject = await lendRecovered.sandbox(entry.route.method !== 'GET' && !isRefused);
    const { code } = await reported(entry, subject, subject.headers);
    if (isOfRemoved(entry)) expect(code).toBe(ABSENT[1]);
    else expect(code === 'EMAIL_VERIFICATION_REQUIRED').toBe(isRefused);
  });

  // The account does not have the issuer to remove; that error comes first.
  const ABSENT = [404, 'ISSUER_NOT_FOUND'] as const;
  const isOfRemoved = ({ route }: (typeof rows)[number]) => route.path.endsWith('/activate');

  it('an unverified account may only read, test documents, and remove keys or webhooks', () => {
    const open = accountRoutes
      .filter(({ method, unverified }) => method !== 'GET' && unverified !== 'refused')
      .map((route) => `${nameOf(route)} ${route.unverified}`);
    expect(open.toSorted()).toEqual([
      'DELETE /v1/keys/:id served',
      'DELETE /v1/webhooks/:id served',
      'PATCH /v1/webhooks/:id served',
      'POST /v1/documents sandbox',
      'POST /v1/documents/:accessKey/email-retry sandbox',
      'POST /v1/documents/:accessKey/rebuild sandbox',
      'POST /v1/documents/:accessKey/send sandbox',
      'POST /v1/documents/:accessKey/send/retry sandbox',
      'POST /v1/documents/:accessKey/void sandbox',
      'POST /v1/documents/email-retry sandbox',
      'POST /v1/documents/preview sandbox',
      'POST /v1/tenants/retry-failed-documents sandbox',
    ]);
  });
});
