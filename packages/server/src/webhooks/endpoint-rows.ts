import type { Selectable } from 'kysely';
import type { TenantContext } from '../accounts/index.js';
import type { NotificationType } from '../notifications/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { SealedSecret } from '../platform/secrets/vault.js';
import type { EndpointSecret, WebhookEndpoint } from './endpoint.js';
import type { WebhookEndpointsTable } from './tables.js';

/** Adds an endpoint. */
export async function insertEndpoint(tables: Tables, endpoint: WebhookEndpoint): Promise<void> {
  await tables
    .insertInto('webhook_endpoints')
    .values({
      id: endpoint.id,
      tenant_id: endpoint.tenantId,
      created_at: endpoint.createdAt.getTime(),
      ...contentOf(endpoint),
      ...secretOf(endpoint),
      former_secret: null,
      former_until: null,
    })
    .execute();
}

/** Stores the new content of an endpoint. A change of the master key may have moved its secrets since: they stay. */
export async function updateEndpoint(tables: Tables, endpoint: WebhookEndpoint): Promise<void> {
  await tables
    .updateTable('webhook_endpoints')
    .set(contentOf(endpoint))
    .where('id', '=', endpoint.id)
    .where('tenant_id', '=', endpoint.tenantId)
    .execute();
}

/** Stores the new secret of an endpoint. The stored one becomes the former secret. */
export async function replaceEndpointSecret(
  tables: Tables,
  endpoint: WebhookEndpoint,
  formerUntil: Date,
): Promise<void> {
  await tables
    .updateTable('webhook_endpoints')
    .set(({ ref }) => ({
      ...secretOf(endpoint),
      former_secret: ref('secret'),
      former_until: formerUntil.getTime(),
      updated_at: endpoint.updatedAt.getTime(),
    }))
    .where('id', '=', endpoint.id)
    .where('tenant_id', '=', endpoint.tenantId)
    .execute();
}

/** An endpoint of the account, active or not; or null. */
export async function findEndpoint(
  tables: Tables,
  context: TenantContext,
  id: string,
): Promise<WebhookEndpoint | null> {
  const row = await tables
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    .where('tenant_id', '=', context.tenant.id)
    .executeTakeFirst();
  return row ? toEndpoint(row) : null;
}

/** The account's own active endpoints, oldest first. */
export async function listEndpoints(tables: Tables, context: TenantContext): Promise<readonly WebhookEndpoint[]> {
  const rows = await tables
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('tenant_id', '=', context.tenant.id)
    .where('active', '=', 1)
    .where('listed', '=', 1)
    .orderBy('id')
    .execute();
  return rows.map(toEndpoint);
}

/** The ids of an account's active endpoints that select a type, including the web application's. */
export async function listSubscribers(tables: Tables, tenantId: string, event: string): Promise<readonly string[]> {
  const rows = await tables
    .selectFrom('webhook_endpoints')
    .select(['id', 'event_types'])
    .where('tenant_id', '=', tenantId)
    .where('active', '=', 1)
    .orderBy('id')
    .execute();
  return rows
    .filter((row) => {
      const wanted: readonly string[] = JSON.parse(row.event_types);
      return wanted.length === 0 || wanted.includes(event);
    })
    .map(({ id }) => id);
}

/** The endpoints of claimed deliveries, by their ids. */
export async function readEndpoints(
  tables: Tables,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, WebhookEndpoint>> {
  if (ids.size === 0) return new Map();
  const rows = await tables
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, toEndpoint(row)]));
}

// --- internal ---

function contentOf({ url, eventTypes, active, listed, updatedAt }: WebhookEndpoint) {
  return {
    url,
    event_types: JSON.stringify(eventTypes),
    active: active ? 1 : 0,
    listed: listed ? 1 : 0,
    updated_at: updatedAt.getTime(),
  };
}

function secretOf({ secret }: WebhookEndpoint) {
  return { secret_version: secret.version, secret: JSON.stringify(secret.sealed) };
}

function toEndpoint(row: Selectable<WebhookEndpointsTable>): WebhookEndpoint {
  const secret: EndpointSecret = { version: row.secret_version, sealed: JSON.parse(row.secret) as SealedSecret };
  return {
    id: row.id,
    tenantId: row.tenant_id,
    url: row.url,
    eventTypes: JSON.parse(row.event_types) as readonly NotificationType[],
    active: row.active === 1,
    listed: row.listed === 1,
    secret,
    formerSecret:
      row.former_secret !== null && row.former_until !== null
        ? { version: row.secret_version - 1, sealed: JSON.parse(row.former_secret), until: new Date(row.former_until) }
        : null,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}
