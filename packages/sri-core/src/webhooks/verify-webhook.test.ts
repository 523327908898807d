import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createWebhookSecret,
  isCertificateEvent,
  isDocumentAuthorized,
  isDocumentRefused,
  signWebhook,
  verifyWebhook,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
} from '../webhooks.js';

const SENT_AT = new Date('2026-11-21T15:00:00.900Z');
const SECRET = createWebhookSecret();
const EVENT = {
  event: 'DOCUMENT_AUTHORIZED',
  deliveryId: '0197f3a0-c5d2-7b1e-8000-000000000001',
  timestamp: 1_795_273_200,
  tenantId: '0197f3a0-c5d2-7b1e-8000-000000000002',
  data: {
    id: '0197f3a0-c5d2-7b1e-8000-000000000003',
    type: 'DOCUMENT_AUTHORIZED',
    metadata: { count: 1, documents: [] },
  },
};
const rawBody = JSON.stringify({ ...EVENT, note: 'Peñaloza & Cía. 🧾' });
const headers = signWebhook({ rawBody, deliveryId: EVENT.deliveryId, sentAt: SENT_AT, secret: SECRET });
const received = { rawBody, headers, secret: SECRET, now: SENT_AT };

describe('verifyWebhook', () => {
  it('parses a signed delivery', () => {
    const event = verifyWebhook(received);
    expect(event).toMatchObject(EVENT);
    expect(isDocumentAuthorized(event) && event.data.metadata.count).toBe(1);
    expect(isCertificateEvent(event)).toBe(false);
    expect(isDocumentRefused(event)).toBe(false);
    const refusal = JSON.stringify({ ...EVENT, event: 'DOCUMENT_RETURNED' });
    const signed = signWebhook({ rawBody: refusal, deliveryId: EVENT.deliveryId, sentAt: SENT_AT, secret: SECRET });
    expect(isDocumentRefused(verifyWebhook({ ...received, rawBody: refusal, headers: signed }))).toBe(true);
  });

  it('accepts bytes, a Headers object, values in lists, and names in any case', () => {
    const bytes = new TextEncoder().encode(rawBody);
    expect(verifyWebhook({ ...received, rawBody: bytes, headers: new Headers(headers) })).toMatchObject(EVENT);
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    expect(verifyWebhook({ ...received, headers: lists })).toMatchObject(EVENT);
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(verifyWebhook({ ...received, headers: upper })).toMatchObject(EVENT);
  });

  it('agrees with a signature computed by hand', () => {
    const seconds = Math.floor(SENT_AT.getTime() / 1000);
    const hex = createHmac('sha256', Buffer.from(SECRET, 'utf8')).update(`${seconds}.${rawBody}`).digest('hex');
    expect(headers['x-service-timestamp']).toBe(String(seconds));
    expect(headers['x-service-signature']).toBe(`sha256=${hex}`);
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    expect(key).toHaveLength(32);
    const base64 = createHmac('sha256', key).update(`${EVENT.deliveryId}.${seconds}.${rawBody}`).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${base64}`);
  });

  it.each(['x-service-signature', 'webhook-signature'])('accepts the headers of %s alone', (kept) => {
    const dropped = kept === 'webhook-signature' ? 'x-service-signature' : 'webhook-signature';
    const { [dropped]: _, ...rest } = headers;
    expect(verifyWebhook({ ...received, headers: rest })).toMatchObject(EVENT);
  });

  it('serves a former secret while its signature is sent, and a caller with both secrets', () => {
    const next = createWebhookSecret();
    const both = signWebhook({
      rawBody,
      deliveryId: EVENT.deliveryId,
      sentAt: SENT_AT,
      secret: next,
      formerSecret: SECRET,
    });
    for (const secret of [SECRET, next, [SECRET, next]]) {
      expect(verifyWebhook({ ...received, headers: both, secret })).toMatchObject(EVENT);
    }
    const { 'webhook-signature': _, ...serviceOnly } = both;
    expect(faultOf({ headers: serviceOnly })).toBe('signature');
  });

  it('finds the matching secret among several when each header is signed with another', () => {
    const secret = [createWebhookSecret(), SECRET];
    expect(verifyWebhook({ ...received, secret })).toMatchObject(EVENT);
    expect(verifyWebhook({ ...received, secret, headers: without('webhook-') })).toMatchObject(EVENT);
    expect(verifyWebhook({ ...received, secret, headers: without('x-service-') })).toMatchObject(EVENT);
  });

  it('uses the most recent signature for the age', () => {
    const old = signWebhook({ rawBody, deliveryId: 'd', sentAt: new Date(0), secret: SECRET });
    const mixed = { ...without('webhook-'), ...pick(old, 'webhook-') };
    expect(verifyWebhook({ ...received, headers: mixed })).toMatchObject(EVENT);
    expect(faultOf({ headers: old })).toBe('age');
  });

  it.each<[string, { rawBody?: string; headers?: WebhookHeaders; secret?: string; now?: Date }, WebhookFault]>([
    ['a changed body', { rawBody: `${rawBody} ` }, 'signature'],
    ['another secret', { secret: createWebhookSecret() }, 'signature'],
    ['another time', { headers: { ...without('webhook-'), 'x-service-timestamp': '1795273201' } }, 'signature'],
    ['no headers', { headers: {} }, 'headers'],
    ['half a signature', { headers: { ...headers, ...short() } }, 'headers'],
    ['an invalid time', { headers: { ...without('webhook-'), 'x-service-timestamp': '1e9' } }, 'headers'],
    ['an invalid time, in the other headers', changed('webhook-', 'webhook-timestamp', '1e9'), 'headers'],
    ['no time', changed('webhook-', 'webhook-timestamp', ''), 'headers'],
    ['no id', changed('webhook-', 'webhook-id', ''), 'headers'],
    ['a signature behind something', changed('webhook-', 'webhook-signature', (text) => `v2${text}`), 'headers'],
    ['a signature before something', changed('webhook-', 'webhook-signature', (text) => `${text}A`), 'headers'],
    ['a hex signature behind something', changed('x-', 'x-service-signature', (text) => `x${text}`), 'headers'],
    ['a hex signature before something', changed('x-', 'x-service-signature', (text) => `${text}0`), 'headers'],
    ['a hex signature that is another', changed('x-', 'x-service-signature', `sha256=${'0'.repeat(64)}`), 'signature'],
    ['five minutes and a second', { now: new Date(SENT_AT.getTime() + 301_000) }, 'age'],
  ])('rejects a delivery with %s', (_, change, fault) => {
    expect(faultOf(change)).toBe(fault);
  });

  it('accepts a delivery just in time, and a delivery from a clock ahead', () => {
    const seconds = Math.floor(SENT_AT.getTime() / 1000);
    expect(verifyWebhook({ ...received, now: new Date((seconds + 300) * 1000) })).toMatchObject(EVENT);
    expect(faultOf({ now: new Date((seconds + 300) * 1000 + 1) })).toBe('age');
    expect(verifyWebhook({ ...received, now: new Date(SENT_AT.getTime() - 3_600_000) })).toMatchObject(EVENT);
    expect(faultOf({ toleranceMs: 1000, now: new Date(SENT_AT.getTime() + 2000) })).toBe('age');
  });

  it.each([
    '',
    'null',
    '[]',
    '"text"',
    '{}',
    '{"event":"A","deliveryId":"b","tenantId":"c","timestamp":"1","data":{}}',
    '{"event":"A","deliveryId":"b","tenantId":"c","timestamp":1,"data":null}',
    '{"event":"A","deliveryId":"b","tenantId":"c","timestamp":1,"data":"d"}',
    '{"event":"","deliveryId":"b","tenantId":"c","timestamp":1,"data":{}}',
    '{"event":"A","deliveryId":2,"tenantId":"c","timestamp":1,"data":{}}',
    '{"event":"A","deliveryId":"b","timestamp":1,"data":{}}',
  ])('rejects the signed body %j, which is not an event', (body) => {
    const signed = signWebhook({ rawBody: body, deliveryId: 'd', sentAt: SENT_AT, secret: SECRET });
    expect(faultOf({ rawBody: body, headers: signed })).toBe('body');
  });

  it('names a body that was parsed already, and a secret that is not set', () => {
    const parsed = JSON.parse(rawBody);
    expect(() => verifyWebhook({ ...received, rawBody: parsed })).toThrow(/^rawBody has to be/);
    const forged = signWebhook({ rawBody, deliveryId: EVENT.deliveryId, sentAt: SENT_AT, secret: '' });
    for (const secret of [undefined as unknown as string, '', [], [SECRET, '']]) {
      expect(() => verifyWebhook({ ...received, headers: forged, secret })).toThrow(/^secret has to be/);
    }
  });

  it('never quotes the secret', () => {
    const error = new WebhookVerificationError('signature');
    expect(error.code).toBe('WEBHOOK_VERIFICATION_FAILED');
    expect(error.message).not.toContain('whsec_');
  });
});

function faultOf(change: Partial<Parameters<typeof verifyWebhook>[0]>): WebhookFault | null {
  try {
    verifyWebhook({ ...received, ...change });
    return null;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.fault;
    throw error;
  }
}

function without(prefix: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(prefix)));
}

function pick(from: Readonly<Record<string, string>>, prefix: string): Record<string, string> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => name.startsWith(prefix)));
}

/** The headers of one of the two signatures, with one of them changed. */
function changed(prefix: string, name: string, to: string | ((text: string) => string)): { headers: WebhookHeaders } {
  const value = typeof to === 'string' ? to : to(headers[name] ?? '');
  return { headers: { ...pick(headers, prefix), [name]: value } };
}

function short(): Record<string, string> {
  return { 'x-service-signature': 'sha256=00', 'webhook-signature': 'v1,AAAA' };
}
