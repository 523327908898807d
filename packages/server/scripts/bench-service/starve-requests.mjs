// The costliest request that each route accepts, by `METHOD path`. Every route needs a row here; a test checks it.
import { createHmac, randomUUID } from 'node:crypto';
import {
  der,
  derContext,
  derInteger,
  derNull,
  derOctets,
  derOid,
  derSequence,
} from '../../../sri-core/src/testing/der-writer.ts';

/**
 * @param place.account headers of the calling account. Its `long` is the access key of an invoice of 600 lines, `short`
 * of a small one, `pending` of one that the SRI has not answered; `webhook` and `notification` are ids.
 * @returns by route: the request, or null if a limit already covers every request of the route.
 */
export function costliestRequests({ account, secret, long, short, pending, webhook, notification }) {
  const id = account['x-issuer-id'];
  const web = { ...account, 'x-internal-service-secret': secret };
  const noKey = {};
  const get = (path, headers = account) => ({ method: 'GET', path, headers });
  const send = (method, path, body = '', headers = account) => ({
    method,
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  const form = (method, path, parts, headers = account) => ({ method, path, ...multipart(parts, headers) });
  const document = `/v1/documents/${long}`;
  const small = manyNames(16 * 1024);
  return {
    'GET /openapi.json': get('/openapi.json', noKey),
    'GET /docs': get('/docs', noKey),
    'GET /docs/assets/:file': get('/docs/assets/swagger-ui-bundle.js', noKey),
    'GET /': get('/', noKey),
    'GET /healthz': get('/healthz', noKey),
    'GET /health': get('/health', noKey),
    'GET /readyz': get('/readyz', noKey),
    'GET /metrics': get('/metrics', noKey),
    'GET /docs/errors': get('/docs/errors', noKey),
    'GET /docs/errors/:kind': get('/docs/errors/validation-error', noKey),
    'GET /console': get('/console', noKey),
    'GET /console/session': get('/console/session', noKey),
    'POST /console/session': send('POST', '/console/session'),
    'DELETE /console/session': send('DELETE', '/console/session'),
    'POST /console/first-session': send('POST', '/console/first-session', '{"token":"x"}'),
    'GET /console/mails': get('/console/mails', noKey),
    'GET /console/mails/:id': get(`/console/mails/${ABSENT}`, noKey),
    'GET /console/mails/:id/page': get(`/console/mails/${ABSENT}/page`, noKey),
    'GET /console/assets/:file': get('/console/assets/icon.svg', noKey),
    'GET /console/**': get('/console/documents', noKey),
    'GET /guide': get('/guide', noKey),
    'GET /guide/assets/:file': get('/guide/assets/guide.css', noKey),
    'GET /guide/:language': get('/guide/es', noKey),
    'GET /guide/:language/:page': get('/guide/es/server', noKey),
    'GET /llms.txt': get('/llms.txt', noKey),
    'GET /llms-full.txt': get('/llms-full.txt', noKey),
    'POST /v1/register': form('POST', '/v1/register', { ...REGISTRATION, cert: COSTLY_P12 }, noKey),
    'POST /v1/recover': form(
      'POST',
      '/v1/recover',
      { email: 'a@example.com', certPassword: 'x', cert: COSTLY_P12 },
      noKey,
    ),
    'GET /v1/recover/undo': get(`/v1/recover/undo?token=${TOKEN}`, noKey),
    'POST /v1/recover/undo': send('POST', '/v1/recover/undo', small, noKey),
    'POST /v1/resend-verification': send('POST', '/v1/resend-verification', small, noKey),
    'GET /v1/verify-email/check': get(`/v1/verify-email/check?token=${TOKEN}`, noKey),
    'POST /v1/verify-email': send('POST', '/v1/verify-email', small, noKey),
    'GET /v1/verify-email': get(`/v1/verify-email?token=${TOKEN}`, noKey),
    'GET /v1/tenants/me': get('/v1/tenants/me'),
    'GET /v1/tenants/events': get('/v1/tenants/events'),
    'PATCH /v1/tenants/language': send('PATCH', '/v1/tenants/language', small),
    'GET /v1/tenants/agreements': get('/v1/tenants/agreements'),
    'POST /v1/tenants/agreements': send('POST', '/v1/tenants/agreements', small, web),
    'GET /v1/tenants/agreements/history': get('/v1/tenants/agreements/history'),
    'GET /v1/tenants/agreements/:type': get('/v1/tenants/agreements/TERMS'),
    'POST /v1/tenants/promote': send('POST', '/v1/tenants/promote', small, web),
    'POST /v1/tenants/retry-failed-documents': send('POST', '/v1/tenants/retry-failed-documents', '{}'),
    'GET /v1/agreements': get('/v1/agreements', noKey),
    'GET /v1/agreements/:type': get('/v1/agreements/TERMS', noKey),
    'GET /v1/issuers': get('/v1/issuers'),
    'POST /v1/issuers': form('POST', '/v1/issuers', { ...REGISTRATION, cert: COSTLY_P12 }),
    'GET /v1/issuers/:id': get(`/v1/issuers/${id}`),
    'PATCH /v1/issuers/:id': send('PATCH', `/v1/issuers/${id}`, JSON.stringify({ mainAddress: 'Quito' })),
    'DELETE /v1/issuers/:id': send('DELETE', `/v1/issuers/${id}`),
    'PATCH /v1/issuers/:id/activate': send('PATCH', `/v1/issuers/${id}/activate`),
    'PATCH /v1/issuers/:id/can-issue': send('PATCH', `/v1/issuers/${id}/can-issue`, JSON.stringify({ canIssue: true })),
    'PATCH /v1/issuers/:id/logo': form('PATCH', `/v1/issuers/${id}/logo`, { logo: COSTLY_LOGO }),
    'PATCH /v1/issuers/:id/certificate': form('PATCH', `/v1/issuers/${id}/certificate`, { cert: COSTLY_P12 }),
    'POST /v1/issuers/:id/certificate': form('POST', `/v1/issuers/${id}/certificate`, { cert: COSTLY_P12 }),
    'GET /v1/issuers/:id/document-types': get(`/v1/issuers/${id}/document-types`),
    'POST /v1/issuers/:id/document-types': send('POST', `/v1/issuers/${id}/document-types`, small),
    'DELETE /v1/issuers/:id/document-types/:code': send('DELETE', `/v1/issuers/${id}/document-types/04`),
    'GET /v1/issuers/:id/sequentials': get(`/v1/issuers/${id}/sequentials`),
    'PATCH /v1/issuers/:id/sequentials/:documentType': send('PATCH', `/v1/issuers/${id}/sequentials/04`, small),
    'GET /v1/keys': get('/v1/keys'),
    'POST /v1/keys': send('POST', '/v1/keys', small),
    'DELETE /v1/keys/:id': send('DELETE', `/v1/keys/${ABSENT}`),
    'GET /v1/keys/:id/usage': get(`/v1/keys/${ABSENT}/usage`),
    'POST /v1/documents': send('POST', '/v1/documents', costlyInvoice()),
    'POST /v1/documents/preview': send('POST', '/v1/documents/preview?ride=true', costlyInvoice()),
    'GET /v1/documents': get('/v1/documents?issuerId=all&limit=100&q=1&totalFrom=0&status=AUTHORIZED&sortBy=buyerName'),
    'GET /v1/documents/export': get('/v1/documents/export?issuerId=all&format=zip'),
    'GET /v1/documents/stats': get('/v1/documents/stats'),
    'GET /v1/documents/:accessKey': get(document),
    'POST /v1/documents/:accessKey/send': send('POST', `${document}/send`, '{}'),
    'GET /v1/documents/:accessKey/authorize': get(`/v1/documents/${pending}/authorize?wait=30`),
    'GET /v1/documents/:accessKey/sri-responses': get(`${document}/sri-responses`),
    'GET /v1/documents/:accessKey/ride': get(`${document}/ride`),
    'GET /v1/documents/:accessKey/xml': get(`${document}/xml`),
    'GET /v1/documents/:accessKey/events': get(`${document}/events`),
    'POST /v1/documents/:accessKey/send/retry': send('POST', `${document}/send/retry`),
    'POST /v1/documents/:accessKey/rebuild': send('POST', `/v1/documents/${short}/rebuild`, costlyInvoice()),
    'POST /v1/documents/:accessKey/void': send('POST', `${document}/void`, small),
    'GET /v1/documents/:accessKey/credit-notes': get(`${document}/credit-notes`),
    'POST /v1/documents/email-retry': send('POST', '/v1/documents/email-retry'),
    'POST /v1/documents/:accessKey/email-retry': send('POST', `${document}/email-retry?force=true`, '{}'),
    'GET /v1/notifications': get('/v1/notifications'),
    'POST /v1/notifications/:id/read': send('POST', `/v1/notifications/${notification}/read`),
    'GET /v1/notifications/preferences': get('/v1/notifications/preferences'),
    'PATCH /v1/notifications/preferences': send('PATCH', '/v1/notifications/preferences', costlyPreferences()),
    'POST /v1/webhooks': send('POST', '/v1/webhooks', small),
    'GET /v1/webhooks': get('/v1/webhooks'),
    'PATCH /v1/webhooks/:id': send('PATCH', `/v1/webhooks/${webhook}`, small),
    'DELETE /v1/webhooks/:id': send('DELETE', `/v1/webhooks/${ABSENT}`),
    'GET /v1/webhooks/:id/deliveries': get(`/v1/webhooks/${webhook}/deliveries?limit=100`),
    'POST /v1/webhooks/:id/deliveries/:deliveryId/redeliver': send(
      'POST',
      `/v1/webhooks/${webhook}/deliveries/${ABSENT}/redeliver`,
    ),
    'POST /v1/webhooks/:id/test': send('POST', `/v1/webhooks/${webhook}/test`),
    'POST /v1/webhooks/:id/rotate-secret': send('POST', `/v1/webhooks/${webhook}/rotate-secret`),
    'GET /v1/catalogs': get('/v1/catalogs'),
    'GET /v1/catalogs/:name': get('/v1/catalogs/tax-rates'),
    'GET /v1/tiers': get('/v1/tiers', noKey),
    'GET /v1/subscriptions/me': get('/v1/subscriptions/me'),
    'POST /v1/subscriptions': send('POST', '/v1/subscriptions', small, web),
    'POST /v1/subscriptions/change-tier': send('POST', '/v1/subscriptions/change-tier', small, web),
    'POST /v1/subscriptions/seats': send('POST', '/v1/subscriptions/seats', small, web),
    'DELETE /v1/subscriptions': send('DELETE', '/v1/subscriptions', '', web),
    'GET /v1/payments': get('/v1/payments', web),
    'GET /v1/payments/:id': get(`/v1/payments/${ABSENT}`, web),
    'DELETE /v1/payments/:id': send('DELETE', `/v1/payments/${ABSENT}`, '', web),
    'PATCH /v1/payments/:id/proof': form('PATCH', `/v1/payments/${ABSENT}/proof`, PROOF, web),
    'GET /v1/payments/:id/proofs': get(`/v1/payments/${ABSENT}/proofs`),
    'GET /v1/payments/:id/proofs/:proofId': get(`/v1/payments/${ABSENT}/proofs/${ABSENT}`),
    'DELETE /v1/payments/:id/proofs/:proofId': send('DELETE', `/v1/payments/${ABSENT}/proofs/${ABSENT}`, '', web),
    'POST /v1/internal/email-events': send('POST', '/v1/internal/email-events', small, web),
  };
}

/** A request to an operator route without a valid token, as a stranger sends it. */
export function withoutToken({ method, path }) {
  const headers = { authorization: 'Bearer unknown', 'content-type': 'application/json' };
  return {
    method,
    path: path.replaceAll(/:\w+/g, ABSENT),
    headers,
    body: method === 'GET' ? '' : manyNames(16 * 1024),
  };
}

// --- internal ---

const ABSENT = randomUUID();
const TOKEN = 'v'.repeat(43);
const REGISTRATION = {
  certPassword: 'x',
  email: 'costly@example.com',
  ruc: '1790012345001',
  businessName: 'Costly',
  branchCode: '009',
  issuePointCode: '009',
  emissionType: '1',
  requiredAccounting: 'true',
};
/** A container that takes the longest allowed time to open, and does not open. */
const COSTLY_P12 = costlyP12(400_000);
const COSTLY_LOGO = Buffer.alloc(500 * 1024, 7).fill(Buffer.from('474946383961001000104f', 'hex'), 0, 11);
const PROOF = {
  referenceNumber: '1',
  ...Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`proof ${index}`, Buffer.alloc(1_900_000, index)])),
};

/** JSON of that size with the most field names that fit. */
function manyNames(bytes) {
  const names = [];
  for (let size = 2; size < bytes - 12; size = names.reduce((sum, name) => sum + name.length + 1, 1)) {
    names.push(...Array.from({ length: 50 }, (_, index) => `"k${names.length + index}":1`));
  }
  return `{${names.slice(0, -50).join()}}`;
}

/** An invoice close to the largest file that the SRI accepts. */
function costlyInvoice() {
  const items = Array.from({ length: 600 }, (_, line) => ({
    mainCode: `CAF-${line + 1}`,
    description: 'Café de Loja, 400 g',
    quantity: '1',
    unitPrice: '10.00',
    taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '10.00', taxAmount: '1.50' }],
  }));
  return JSON.stringify({
    documentType: '01',
    buyer: { idType: '05', id: '1710034065', name: 'María Ñacata', email: 'maria@example.com' },
    items,
    payments: [{ method: '20', total: '6900.00' }],
    // Stored with the body, but not used.
    note: 'x'.repeat(700_000),
  });
}

function costlyPreferences() {
  const pair = { type: 'CERT_EXPIRED', channel: 'IN_APP', enabled: true };
  return JSON.stringify(Array(200).fill(pair));
}

/** A container whose MAC needs that many iterations; its content does not matter. */
function costlyP12(iterations) {
  const algorithm = derSequence(derOid('2.16.840.1.101.3.4.2.3'), derNull());
  const mac = createHmac('sha512', '').digest();
  const macData = derSequence(
    derSequence(algorithm, derOctets(mac)),
    derOctets(Buffer.alloc(8)),
    derInteger(iterations),
  );
  const data = derSequence(derOid('1.2.840.113549.1.7.1'), derContext(0, derOctets(der(0x30, Buffer.alloc(0)))));
  return derSequence(derInteger(3), data, macData);
}

/** A form. Binary values are files; the text of a name after its first blank is dropped. */
function multipart(parts, { 'content-type': _, ...headers }) {
  const content = Object.entries(parts).flatMap(([name, value]) => [
    `--BENCH\r\ncontent-disposition: form-data; name="${name.split(' ')[0]}"`,
    value instanceof Uint8Array ? `; filename="${name}"\r\ncontent-type: application/octet-stream` : '',
    '\r\n\r\n',
    value,
    '\r\n',
  ]);
  const body = Buffer.concat([...content, '--BENCH--\r\n'].map((piece) => Buffer.from(piece)));
  // Messages between processes contain text only.
  return {
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=BENCH' },
    base64: body.toString('base64'),
  };
}
