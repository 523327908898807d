import type { LocalizedText, Random } from 'sri-core';
import { createWebhookSecret } from 'sri-core/webhooks';
import { lockTenant, type TenantContext } from '../accounts/index.js';
import { type NotificationType, writeNotification } from '../notifications/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { Refusal } from '../platform/errors/refusal.js';
import { openSealer } from '../platform/secrets/sealing.js';
import { webhookSecretLabel } from '../platform/secrets/secret-label.js';
import type { Vault } from '../platform/secrets/vault.js';
import type { WebhookDelivery } from './delivery.js';
import { abandonDeliveries, insertMessages, requeueDelivery } from './delivery-rows.js';
import type { EndpointSecret, WebhookEndpoint } from './endpoint.js';
import { findEndpoint, insertEndpoint, listEndpoints, replaceEndpointSecret, updateEndpoint } from './endpoint-rows.js';

/** Dependencies of administering webhooks. */
export interface WebhookDeps extends WriteDeps {
  readonly vault: Vault;
  readonly random: Random;
  /** The endpoint limit of an account. */
  readonly maxEndpoints: (context: TenantContext) => number;
  /** Wakes the delivery worker. */
  readonly wakeDeliveries: () => void;
}

/** The address and event types of an endpoint. */
export interface EndpointContent {
  readonly url: string;
  /** Empty for every type. */
  readonly eventTypes: readonly NotificationType[];
}

/** An endpoint with its secret, which is shown once. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/**
 * Registers an endpoint.
 *
 * @param listed false for an endpoint of the web application: neither listed nor counted.
 * @throws Refusal EMAIL_VERIFICATION_REQUIRED, WEBHOOK_ENDPOINT_LIMIT_REACHED
 */
export async function registerEndpoint(
  parts: WebhookDeps,
  context: TenantContext,
  { url, eventTypes, listed }: EndpointContent & { readonly listed: boolean },
): Promise<EndpointWithSecret> {
  const now = parts.clock.now();
  const id = parts.newId(now);
  const tenantId = context.tenant.id;
  const secret = createWebhookSecret(parts.random);
  const endpoint = await parts.database.transaction(async (tables) => {
    const locked = await lockEndpoints(tables, context);
    requireVerified(locked);
    if (listed) await requireFreeSlot(parts, tables, locked);
    const made: WebhookEndpoint = {
      id,
      tenantId,
      url,
      eventTypes,
      active: true,
      listed,
      secret: await sealSecret(parts, tables, { id, tenantId, secret, version: 1 }),
      formerSecret: null,
      createdAt: now,
      updatedAt: now,
    };
    await insertEndpoint(tables, made);
    return made;
  });
  return { endpoint, secret };
}

/**
 * Changes an endpoint. Switching it off abandons its pending deliveries. Switching it on has the same conditions as
 * registering.
 *
 * @throws Refusal NOT_FOUND, EMAIL_VERIFICATION_REQUIRED, WEBHOOK_ENDPOINT_LIMIT_REACHED
 */
export async function changeEndpoint(
  parts: WebhookDeps,
  context: TenantContext,
  { id, change }: { readonly id: string; readonly change: Partial<EndpointContent> & { readonly active?: boolean } },
): Promise<WebhookEndpoint> {
  const now = parts.clock.now();
  return parts.database.transaction(async (tables) => {
    const locked = await lockEndpoints(tables, context);
    const endpoint = await requireEndpoint(tables, context, id);
    if (Object.keys(change).length === 0) return endpoint;
    const isReactivated = change.active === true && !endpoint.active;
    if (isReactivated || change.url !== undefined || change.eventTypes !== undefined) requireVerified(locked);
    if (isReactivated && endpoint.listed) await requireFreeSlot(parts, tables, locked);
    const changed = { ...endpoint, ...change, updatedAt: now };
    await updateEndpoint(tables, changed);
    if (!changed.active) await abandonDeliveries(tables, id, ENDPOINT_INACTIVE);
    return changed;
  });
}

/** Removes an endpoint: deliveries stop, and past ones stay on record. @throws Refusal NOT_FOUND */
export async function removeEndpoint(parts: WebhookDeps, context: TenantContext, id: string): Promise<void> {
  await parts.database.transaction(async (tables) => {
    await lockEndpoints(tables, context);
    const endpoint = await requireEndpoint(tables, context, id);
    if (!endpoint.active) throw new Refusal('NOT_FOUND');
    await updateEndpoint(tables, { ...endpoint, active: false, updatedAt: parts.clock.now() });
    await abandonDeliveries(tables, id, ENDPOINT_INACTIVE);
  });
}

/** Replaces the secret of an endpoint. The former secret also signs for a day. @throws Refusal NOT_FOUND */
export async function rotateSecret(
  parts: WebhookDeps,
  context: TenantContext,
  id: string,
): Promise<EndpointWithSecret> {
  const now = parts.clock.now();
  const secret = createWebhookSecret(parts.random);
  const endpoint = await parts.database.transaction(async (tables) => {
    await lockEndpoints(tables, context);
    const known = await requireActive(tables, context, id);
    const until = new Date(now.getTime() + FORMER_SECRET_MS);
    const rotated: WebhookEndpoint = {
      ...known,
      secret: await sealSecret(parts, tables, { ...known, secret, version: known.secret.version + 1 }),
      formerSecret: { ...known.secret, until },
      updatedAt: now,
    };
    await replaceEndpointSecret(tables, rotated, until);
    return rotated;
  });
  return { endpoint, secret };
}

/** Sends a test to an endpoint. @returns the delivery's id. @throws Refusal NOT_FOUND */
export async function testEndpoint(parts: WebhookDeps, context: TenantContext, id: string): Promise<string> {
  const now = parts.clock.now();
  const tenantId = context.tenant.id;
  const deliveryId = parts.newId(now);
  const messageId = parts.newId(now);
  await parts.database.transaction(async (tables) => {
    await requireActive(tables, context, id);
    await insertMessages(tables, [
      {
        id: messageId,
        tenantId,
        notificationId: null,
        event: 'TEST',
        data: JSON.stringify({
          id: messageId,
          type: 'TEST',
          severity: 'INFO',
          ...writeNotification('TEST', context.tenant.language, {}),
          metadata: null,
          issuerId: null,
          readAt: null,
          expiresAt: null,
          createdAt: now.toISOString(),
        }),
        deliveries: [{ id: deliveryId, endpointId: id }],
        now,
      },
    ]);
  });
  parts.wakeDeliveries();
  return deliveryId;
}

/** Restarts the attempts of a delivery. @throws Refusal NOT_FOUND */
export async function redeliver(
  parts: WebhookDeps,
  context: TenantContext,
  { endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string },
): Promise<WebhookDelivery> {
  const now = parts.clock.now();
  const delivery = await parts.database.transaction(async (tables) => {
    await requireActive(tables, context, endpointId);
    return requeueDelivery(tables, { endpointId, id: deliveryId, now });
  });
  if (!delivery) throw new Refusal('NOT_FOUND');
  parts.wakeDeliveries();
  return delivery;
}

/** An endpoint of the account, active or not. @throws Refusal NOT_FOUND */
export async function requireEndpoint(tables: Tables, context: TenantContext, id: string): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(tables, context, id);
  if (!endpoint) throw new Refusal('NOT_FOUND');
  return endpoint;
}

// --- internal ---

/** How long a replaced secret still signs. */
const FORMER_SECRET_MS = 24 * 3_600_000;

const IS_OFF: LocalizedText = {
  es: 'El webhook está desactivado: actívelo con `{"active": true}`.',
  en: 'The webhook is switched off: switch it on with `{"active": true}`.',
};

/** The reason of deliveries abandoned with their endpoint. */
const ENDPOINT_INACTIVE = 'ENDPOINT_INACTIVE';

/**
 * Locks the endpoints of the account until the transaction ends. The request may have read the account before a recovery
 * or a change of its plan.
 */
async function lockEndpoints(tables: Tables, context: TenantContext): Promise<TenantContext> {
  return { ...context, tenant: (await lockTenant(tables, context.tenant.id)) ?? context.tenant };
}

async function requireActive(tables: Tables, context: TenantContext, id: string): Promise<WebhookEndpoint> {
  const endpoint = await requireEndpoint(tables, context, id);
  if (!endpoint.active) throw new Refusal('NOT_FOUND', { found: IS_OFF });
  return endpoint;
}

function requireVerified({ tenant }: TenantContext): void {
  if (tenant.status === 'PENDING_VERIFICATION') throw new Refusal('EMAIL_VERIFICATION_REQUIRED');
}

async function requireFreeSlot(parts: WebhookDeps, tables: Tables, context: TenantContext): Promise<void> {
  const used = (await listEndpoints(tables, context)).length;
  if (used >= parts.maxEndpoints(context)) throw new Refusal('WEBHOOK_ENDPOINT_LIMIT_REACHED');
}

async function sealSecret(
  { vault, clock }: WebhookDeps,
  tables: Tables,
  entry: Pick<WebhookEndpoint, 'id' | 'tenantId'> & { readonly secret: string; readonly version: number },
): Promise<EndpointSecret> {
  const { secret, version } = entry;
  const sealer = await openSealer(tables, vault, clock.now());
  return { version, sealed: sealer.seal(Buffer.from(secret, 'utf8'), webhookSecretLabel(entry, version)) };
}
