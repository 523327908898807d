import { type Selectable, sql } from 'kysely';
import type { Environment } from 'sri-core';
import { isScope, type Scope, TENANT_COLUMNS, type Tenant, type TenantContext, toTenant } from '../accounts/index.js';
import { byCode } from '../platform/by-code.js';
import type { Tables } from '../platform/database/tables.js';
import { revokeActiveKeys } from './revocation-rows.js';
import type { ApiKeysTable } from './tables.js';

/** A key as stored: everything but its token. */
export interface ApiKey {
  readonly id: string;
  readonly tenantId: string;
  readonly last4: string;
  readonly label: string | null;
  readonly environment: Environment;
  readonly scopes: readonly Scope[];
  /** False for a key of the web application: neither listed nor counted. */
  readonly listed: boolean;
  readonly createdAt: Date;
}

/** A key with its status and use. */
export interface ApiKeyRecord extends ApiKey {
  readonly active: boolean;
  /** All its requests so far. */
  readonly requestCount: number;
  /** Null until its first request. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Stores a new, active key. */
export async function insertApiKey(tables: Tables, key: ApiKey & { readonly tokenHash: string }): Promise<void> {
  await tables
    .insertInto('api_keys')
    .values({
      id: key.id,
      tenant_id: key.tenantId,
      token_hash: key.tokenHash,
      last4: key.last4,
      label: key.label,
      environment: key.environment,
      scopes: JSON.stringify(key.scopes),
      active: 1,
      listed: key.listed ? 1 : 0,
      request_count: 0,
      last_used_at: null,
      created_at: key.createdAt.getTime(),
      revoked_at: null,
      set_aside_by: null,
    })
    .execute();
}

/** An active key with its account. */
export interface ActiveKey {
  readonly id: string;
  readonly environment: Environment;
  readonly scopes: readonly Scope[];
  readonly tenant: Tenant;
}

/** The active keys with those digests, by digest. */
export async function findActiveKeys(
  tables: Tables,
  tokenHashes: readonly string[],
): Promise<ReadonlyMap<string, ActiveKey>> {
  const rows = await tables
    .selectFrom('api_keys')
    .innerJoin('tenants', 'tenants.id', 'api_keys.tenant_id')
    .select(TENANT_COLUMNS)
    .select(['api_keys.id as key_id', 'api_keys.environment as key_environment', 'api_keys.scopes as key_scopes'])
    .select('api_keys.token_hash')
    .where('api_keys.token_hash', 'in', tokenHashes)
    .where('api_keys.active', '=', 1)
    .execute();
  return new Map(
    rows.map((row) => [
      row.token_hash,
      {
        id: row.key_id,
        environment: row.key_environment as Environment,
        scopes: toScopes(row.key_scopes),
        tenant: toTenant(row),
      },
    ]),
  );
}

/**
 * The account's active keys, the newest first.
 *
 * @param withUnlisted also those of the web application.
 */
export async function listActiveKeys(
  tables: Tables,
  context: TenantContext,
  { withUnlisted = false } = {},
): Promise<readonly ApiKeyRecord[]> {
  const rows = await tables
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', context.tenant.id)
    .where('active', '=', 1)
    .$if(!withUnlisted, (query) => query.where('listed', '=', 1))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toRecord);
}

/** A key of the account, revoked or not; or null. */
export async function findKey(tables: Tables, context: TenantContext, id: string): Promise<ApiKeyRecord | null> {
  const row = await tables
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where('tenant_id', '=', context.tenant.id)
    .executeTakeFirst();
  return row ? toRecord(row) : null;
}

/** Revokes an active, listed key of the account. @returns false when there is no such key. */
export async function revokeKey(tables: Tables, context: TenantContext, id: string, now: Date): Promise<boolean> {
  const revoked = await revokeActiveKeys(tables, { tenantId: context.tenant.id, id, listed: true }, now);
  return revoked.length > 0;
}

/** Requests of a key by day, from that day on; days without requests are omitted. */
export async function readKeyUse(tables: Tables, keyId: string, from: string): Promise<ReadonlyMap<string, number>> {
  const rows = await tables
    .selectFrom('api_key_usage')
    .select(['day', 'request_count'])
    .where('key_id', '=', keyId)
    .where('day', '>=', from)
    .execute();
  return new Map(rows.map((row) => [row.day, row.request_count]));
}

/** Requests of a key on one day that are not stored yet. */
export interface KeyUse {
  readonly keyId: string;
  /** `YYYY-MM-DD` in Ecuador. */
  readonly day: string;
  readonly count: number;
  readonly lastUsedAt: Date;
}

/** The most days that a caller may ask for, today among them. */
export const MOST_USAGE_DAYS = 365;

/** Adds to the stored use of keys. The first use of a key on a day drops its days that no caller can ask for. */
export async function addKeyUse(tables: Tables, uses: readonly KeyUse[]): Promise<void> {
  // A fixed order prevents deadlocks between servers that store the use of the same keys.
  const sorted = uses.toSorted((a, b) => byCode(a.keyId + a.day, b.keyId + b.day));
  for (const batch of toBatches(sorted)) {
    const stored = await tables
      .insertInto('api_key_usage')
      .values(batch.map(({ keyId, day, count }) => ({ key_id: keyId, day, request_count: count })))
      .onConflict((conflict) =>
        conflict
          .columns(['key_id', 'day'])
          .doUpdateSet({ request_count: sql`api_key_usage.request_count + excluded.request_count` }),
      )
      .returning(['key_id', 'day', 'request_count'])
      .execute();
    const counts = new Map(batch.map(({ keyId, day, count }) => [`${keyId} ${day}`, count]));
    await dropOldDays(
      tables,
      stored.filter(({ key_id, day, request_count }) => request_count === counts.get(`${key_id} ${day}`)),
    );
  }
  for (const batch of toBatches(sorted)) {
    const rows = batch.map(
      ({ keyId, count, lastUsedAt }) =>
        sql`select ${keyId}, cast(${count} as bigint), cast(${lastUsedAt.getTime()} as bigint)`,
    );
    // A key that was used on two days has two rows, and an update would apply only one.
    await sql`
      with single (key_id, uses, last_at) as (
          -- Gives the ids their type.
          select id, request_count, last_used_at from api_keys where 1 = 0 union all ${sql.join(rows, sql` union all `)}),
        gathered as (select key_id, sum(uses) as uses, max(last_at) as last_at from single group by key_id)
      update api_keys
      set request_count = api_keys.request_count + gathered.uses,
        last_used_at = case when api_keys.last_used_at > gathered.last_at then api_keys.last_used_at else gathered.last_at end
      from gathered where api_keys.id = gathered.key_id`.execute(tables);
  }
}

// --- internal ---

/** The row counts of a statement. Few sizes, since each is a prepared statement of its own. */
const BATCH_SIZES = [100, 10, 1] as const;

const DAY_MS = 86_400_000;

/** One day more than callers may ask for stays, since the day of another process may not have ended. */
async function dropOldDays(
  tables: Tables,
  begun: readonly { readonly key_id: string; readonly day: string }[],
): Promise<void> {
  const [first] = begun.map(({ day }) => day).toSorted();
  if (first === undefined) return;
  const oldest = new Date(Date.parse(first) - MOST_USAGE_DAYS * DAY_MS).toISOString().slice(0, 10);
  await tables
    .deleteFrom('api_key_usage')
    .where(
      'key_id',
      'in',
      begun.map(({ key_id }) => key_id),
    )
    .where('day', '<', oldest)
    .execute();
}

function toBatches<T>(list: readonly T[]): readonly (readonly T[])[] {
  const batches: (readonly T[])[] = [];
  let rest = list;
  for (const size of BATCH_SIZES) {
    for (; rest.length >= size; rest = rest.slice(size)) batches.push(rest.slice(0, size));
  }
  return batches;
}

function toScopes(text: string): readonly Scope[] {
  const scopes: readonly string[] = JSON.parse(text);
  return scopes.filter(isScope);
}

function toRecord(row: Selectable<ApiKeysTable>): ApiKeyRecord {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    last4: row.last4,
    label: row.label,
    environment: row.environment as Environment,
    scopes: toScopes(row.scopes),
    listed: row.listed === 1,
    createdAt: new Date(row.created_at),
    active: row.active === 1,
    requestCount: row.request_count,
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
    revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at),
  };
}
