import type { Clock, Logger } from 'sri-core';
import { signWebhook } from 'sri-core/webhooks';
import type { ServerDatabase } from '../platform/database/tables.js';
import { createJobWorker, type JobWorker } from '../platform/jobs/job-worker.js';
import type { SlotLimits } from '../platform/jobs/slots.js';
import { webhookSecretLabel } from '../platform/secrets/secret-label.js';
import { SecretUnreadableError, type Vault } from '../platform/secrets/vault.js';
import { type AttemptRecorder, createAttemptRecorder } from './attempt-recorder.js';
import { type ClaimedDelivery, writeDeliveryBody } from './delivery.js';
import { type AttemptOutcome, abandonDeliveries, readClaimed } from './delivery-rows.js';
import type { EndpointSecret, WebhookEndpoint } from './endpoint.js';
import { readEndpoints } from './endpoint-rows.js';
import type { SendingResult, WebhookSender } from './webhook-sender.js';

/** Dependencies of delivering. Times in milliseconds. */
export interface DeliveryDeps {
  readonly database: ServerDatabase;
  readonly vault: Vault;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The lease of a delivery; longer than an attempt can take. */
  readonly leaseMs: number;
  /** The wait after each failed attempt but the last. */
  readonly delaysMs: readonly number[];
  /** An additional prefix of the signature headers, for receivers that expect another name than `X-Service-…`. */
  readonly headerPrefix: string | null;
  readonly userAgent: string;
  /** The limits of concurrent attempts: of fast receivers, of all receivers, and of one endpoint. */
  readonly limits: SlotLimits;
  /** When aborted, running attempts are cancelled and their deliveries released: the process is about to end. */
  readonly stopping: AbortSignal;
}

/** A claimed delivery with its endpoint. */
interface AddressedDelivery extends ClaimedDelivery {
  readonly endpoint: WebhookEndpoint;
}

/**
 * Creates the worker. A slow receiver delays only its own deliveries: each receiver has a few slots, receivers take
 * turns, and a slow attempt soon leaves the shared slots.
 *
 * @param wake called when a slot becomes free.
 */
export function createDeliveryWorker(deps: DeliveryDeps, wake: () => void): JobWorker {
  const record = createAttemptRecorder(deps.database, deps.clock);
  return createJobWorker<AddressedDelivery>(
    {
      ...deps,
      kind: 'WEBHOOK',
      async load(tables, rows) {
        const claimed = await readClaimed(tables, rows);
        const endpoints = await readEndpoints(tables, new Set(claimed.map(({ lease }) => lease.lane)));
        return claimed.flatMap((delivery) => {
          const endpoint = endpoints.get(delivery.lease.lane);
          return endpoint ? { ...delivery, endpoint } : [];
        });
      },
      attempt: (delivery) => attemptDelivery(deps, record, delivery),
    },
    wake,
  );
}

// --- internal ---

async function attemptDelivery(
  parts: DeliveryDeps,
  record: AttemptRecorder,
  claimed: AddressedDelivery,
): Promise<void> {
  const { database, logger } = parts;
  const { endpoint } = claimed;
  if (!endpoint.active) {
    await database.transaction((tables) => abandonDeliveries(tables, endpoint.id, 'ENDPOINT_INACTIVE'));
    return;
  }
  const body = writeDeliveryBody(claimed);
  const headers = signHeaders(parts, endpoint, claimed, body);
  const result = headers ? await send(parts, { url: endpoint.url, headers, body }) : UNREADABLE;
  const outcome = parts.stopping.aborted && result.status === null ? null : judge(parts, claimed, result);
  const isOurs = await record(claimed, outcome);
  const { id: deliveryId, tenantId, attemptCount } = claimed;
  const about = { deliveryId, endpointId: endpoint.id, tenantId, isOurs };
  if (outcome === null) {
    logger.info(about, 'webhook given back');
    return;
  }
  const { status, statusCode, error } = outcome;
  logger.info({ ...about, attempt: attemptCount + 1, status, statusCode, error }, 'webhook attempt');
}

/** An internal error counts as a failed attempt: the delivery follows its schedule. */
async function send(
  { sender, logger, stopping }: DeliveryDeps,
  request: Parameters<WebhookSender['send']>[0],
): Promise<SendingResult | typeof UNEXPECTED> {
  try {
    return await sender.send({ ...request, signal: stopping });
  } catch (error) {
    logger.error({ error: error instanceof Error ? error.message : 'unknown' }, 'a webhook could not be sent');
    return UNEXPECTED;
  }
}

const UNEXPECTED = { acknowledged: false, status: null, fault: 'UNEXPECTED_ERROR' } as const;

/** A secret that its master key does not open will not open later either. */
const UNREADABLE = { acknowledged: false, status: null, fault: 'SECRET_UNREADABLE' } as const;

/**
 * The headers of an attempt; null when the endpoint's secret is broken.
 *
 * @throws SecretUnreadableError when its master key is missing: then the delivery waits for it.
 */
function signHeaders(
  parts: DeliveryDeps,
  endpoint: WebhookEndpoint,
  claimed: ClaimedDelivery,
  rawBody: string,
): Record<string, string> | null {
  try {
    return writeHeaders(parts, endpoint, claimed, rawBody);
  } catch (error) {
    const sealed = [endpoint.secret.sealed, ...(endpoint.formerSecret ? [endpoint.formerSecret.sealed] : [])];
    const isKeyMissing = sealed.some(({ masterKeyId }) => parts.vault.checkValue(masterKeyId) === null);
    if (!(error instanceof SecretUnreadableError) || isKeyMissing) throw error;
    // A broken former secret signs nothing: a rotation mends the endpoint.
    return endpoint.formerSecret ? signHeaders(parts, { ...endpoint, formerSecret: null }, claimed, rawBody) : null;
  }
}

function writeHeaders(
  { vault, clock, headerPrefix, userAgent }: DeliveryDeps,
  endpoint: WebhookEndpoint,
  { id: deliveryId }: ClaimedDelivery,
  rawBody: string,
): Record<string, string> {
  const sentAt = clock.now();
  const open = ({ version, sealed }: EndpointSecret) =>
    vault.open(sealed, webhookSecretLabel(endpoint, version)).toString('utf8');
  const { formerSecret } = endpoint;
  const signature = signWebhook({
    rawBody,
    deliveryId,
    sentAt,
    secret: open(endpoint.secret),
    formerSecret: formerSecret && formerSecret.until > sentAt ? open(formerSecret) : null,
  });
  return {
    'user-agent': userAgent,
    ...signature,
    ...(headerPrefix
      ? {
          [`${headerPrefix}-signature`]: signature['x-service-signature'] ?? '',
          [`${headerPrefix}-timestamp`]: signature['x-service-timestamp'] ?? '',
        }
      : {}),
  };
}

function judge(
  { delaysMs }: DeliveryDeps,
  { attemptCount }: ClaimedDelivery,
  result: SendingResult | typeof UNREADABLE | typeof UNEXPECTED,
): AttemptOutcome {
  const { status: statusCode } = result;
  if (result.acknowledged) return { statusCode, error: null, status: 'DELIVERED', delayMs: null };
  const error = result.fault ?? `HTTP_${result.status}`;
  const delayMs = delaysMs[attemptCount] ?? null;
  return { statusCode, error, status: delayMs === null ? 'FAILED' : 'PENDING', delayMs };
}
