import { createHmac, timingSafeEqual } from 'node:crypto';
import { WebhookVerificationError } from '../errors.js';
import type { WebhookEvent } from './webhook-event.js';

/** A received delivery. */
export interface ReceivedWebhook {
  /** The body exactly as received, before any parsing. */
  readonly rawBody: string | Uint8Array;
  /** The request's headers: a `Headers` object, or names with values as Node's servers provide them. */
  readonly headers: WebhookHeaders;
  /** The endpoint's secret, whole: `whsec_…`. During a rotation, both secrets. */
  readonly secret: string | readonly string[];
  /** The maximum age, in milliseconds. Default: five minutes. */
  readonly toleranceMs?: number;
  /** Default: the machine's time. */
  readonly now?: Date;
}

/** Request headers in either usual form. Names in any case: some gateways of cloud functions keep that of the sender. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks that a delivery is signed with the secret, and parses it. Comparisons run in constant time. Both signature schemes
 * are checked, so that no delivery is lost during a rotation.
 *
 * @throws WebhookVerificationError; TypeError for a body that was parsed already, or without a secret.
 */
export function verifyWebhook(received: ReceivedWebhook): WebhookEvent {
  const { rawBody, headers, toleranceMs = 5 * 60_000, now = new Date() } = received;
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new TypeError('rawBody has to be the text or the bytes of the body as received, before JSON is parsed.');
  }
  const secrets = [received.secret].flat();
  // An environment variable that is not set gives `undefined` or an empty text, with which anyone can sign.
  if (secrets.length === 0 || !secrets.every(Boolean))
    throw new TypeError('secret has to be the text of the secret, `whsec_…`.');
  const body = Buffer.from(rawBody);
  const proofs = [readServiceProof(headers), readStandardProof(headers)].filter((proof) => proof !== null);
  if (proofs.length === 0) throw new WebhookVerificationError('headers');
  // A proof covers its own timestamp, so the age check uses the proved timestamp.
  const proved = proofs.filter((proof) => secrets.some((secret) => proof.isBy(secret, body)));
  if (proved.length === 0) throw new WebhookVerificationError('signature');
  const oldest = now.getTime() - toleranceMs;
  if (!proved.some(({ sentAt }) => sentAt * 1000 >= oldest)) throw new WebhookVerificationError('age');
  return parseEvent(body);
}

// --- internal ---

/** A signature with its signed content. */
interface Proof {
  /** Seconds since 1970. */
  readonly sentAt: number;
  isBy(secret: string, body: Uint8Array): boolean;
}

/** `X-Service-Signature: sha256=<hex>` over `<timestamp>.<body>`; the key is the whole text of the secret. */
function readServiceProof(headers: WebhookHeaders): Proof | null {
  const timestamp = header(headers, 'x-service-timestamp');
  const signature = /^sha256=([0-9a-f]{64})$/i.exec(header(headers, 'x-service-signature') ?? '')?.[1];
  if (!timestamp || !signature || !SECONDS.test(timestamp)) return null;
  const given = Buffer.from(signature, 'hex');
  return {
    sentAt: Number(timestamp),
    isBy: (secret, body) => timingSafeEqual(given, sign(secret, `${timestamp}.`, body)),
  };
}

/** The three headers of Standard Webhooks 1.0; the key is the part after `whsec_`, decoded. */
function readStandardProof(headers: WebhookHeaders): Proof | null {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = (header(headers, 'webhook-signature') ?? '')
    .split(' ')
    .map((part) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(part)?.[1])
    .filter((signature) => signature !== undefined)
    .map((signature) => Buffer.from(signature, 'base64'));
  if (!id || !timestamp || !SECONDS.test(timestamp) || signatures.length === 0) return null;
  return {
    sentAt: Number(timestamp),
    isBy(secret, body) {
      const expected = sign(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'), `${id}.${timestamp}.`, body);
      return signatures.some((given) => timingSafeEqual(given, expected));
    },
  };
}

function sign(key: string | Uint8Array, head: string, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(head).update(body).digest();
}

function header(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers['get'] === 'function') return headers['get'](name);
  const named = Object.entries(headers as Readonly<Record<string, string | readonly string[] | undefined>>);
  const value = named.find(([given]) => given.toLowerCase() === name)?.[1];
  return (typeof value === 'string' ? value : value?.[0]) ?? null;
}

function parseEvent(body: Buffer): WebhookEvent {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    throw new WebhookVerificationError('body');
  }
  if (!isEvent(parsed)) throw new WebhookVerificationError('body');
  return parsed;
}

function isEvent(value: unknown): value is WebhookEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { event, deliveryId, tenantId, timestamp, data } = value as Readonly<Record<string, unknown>>;
  const named = [event, deliveryId, tenantId].every((text) => typeof text === 'string' && text !== '');
  return named && typeof timestamp === 'number' && typeof data === 'object' && data !== null;
}

const SECONDS = /^\d{1,12}$/;
