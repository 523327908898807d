import { type Environment, ecuadorDate, type Random } from 'sri-core';
import { lockTenant, type Plans, SCOPES, type Scope, type Tenant, type TenantContext } from '../accounts/index.js';
import type { Tables } from '../platform/database/tables.js';
import type { WriteDeps } from '../platform/database/write-deps.js';
import { Refusal, unauthorized } from '../platform/errors/refusal.js';
import { createApiToken, hashToken } from './api-token.js';
import type { KeyUsage } from './key-usage.js';
import {
  type ApiKeyRecord,
  findKey,
  insertApiKey,
  listActiveKeys,
  readKeyUse,
  revokeKey as revokeStoredKey,
} from './rows.js';

/** Dependencies of administering keys. */
export interface KeyDeps extends WriteDeps {
  readonly random: Random;
  readonly apiKeyBrand: string;
  readonly plans: Plans;
  readonly keyUsage: KeyUsage;
}

/** A key to make. */
export interface KeyRequest {
  readonly label: string | null;
  readonly environment: Environment;
  /** Null: the scopes of the caller's key. */
  readonly scopes: readonly Scope[] | null;
}

/** A new key. */
export interface NewKey {
  readonly key: ApiKeyRecord;
  /** Its token, which exists in clear only here. */
  readonly apiKey: string;
}

/** The account's active keys, newest first, with all earlier requests counted, and the limit of the plan. */
export async function listKeys(
  { database, keyUsage, plans }: KeyDeps,
  context: TenantContext,
): Promise<{ readonly keys: readonly ApiKeyRecord[]; readonly max: number }> {
  await keyUsage.flush();
  const keys = await database.read((tables) => listActiveKeys(tables, context));
  return { keys, max: plans[context.tenant.subscriptionTier].maxApiKeys };
}

/**
 * Creates a key. It never has more scopes than the caller's key.
 *
 * @throws Refusal EMAIL_VERIFICATION_REQUIRED, PRODUCTION_KEY_REQUIRES_PROMOTION, SCOPE_ESCALATION_FORBIDDEN,
 *   API_KEY_LIMIT_REACHED; UNAUTHORIZED when the caller's key has been revoked.
 */
export async function createKey(parts: KeyDeps, context: TenantContext, request: KeyRequest): Promise<NewKey> {
  const { database, clock, random, newId, apiKeyBrand, plans } = parts;
  const now = clock.now();
  const apiKey = createApiToken(random, apiKeyBrand, request.environment);
  const key = await database.transaction(async (tables) => {
    const { tenant, caller } = await lockKeys(tables, context);
    if (tenant.status === 'PENDING_VERIFICATION') throw new Refusal('EMAIL_VERIFICATION_REQUIRED');
    if (request.environment === 'production' && tenant.environment !== 'production') {
      throw new Refusal('PRODUCTION_KEY_REQUIRES_PROMOTION');
    }
    const wanted = request.scopes ?? caller.scopes;
    if (!wanted.every((scope) => caller.scopes.includes(scope))) throw new Refusal('SCOPE_ESCALATION_FORBIDDEN');
    const used = (await listActiveKeys(tables, context)).length;
    if (used >= plans[tenant.subscriptionTier].maxApiKeys) throw new Refusal('API_KEY_LIMIT_REACHED');
    const made = {
      id: newId(now),
      tenantId: tenant.id,
      last4: apiKey.slice(-4),
      label: request.label,
      environment: request.environment,
      scopes: SCOPES.filter((scope) => wanted.includes(scope)),
      listed: true,
      createdAt: now,
    };
    await insertApiKey(tables, { ...made, tokenHash: hashToken(apiKey) });
    return { ...made, active: true, requestCount: 0, lastUsedAt: null, revokedAt: null };
  });
  return { key, apiKey };
}

/**
 * Revokes a key for good.
 *
 * @throws Refusal BAD_REQUEST for the caller's key; NOT_FOUND when it is unknown, revoked, or the web application's;
 *   UNAUTHORIZED when the caller's key has been revoked.
 */
export async function revokeKey({ database, clock }: KeyDeps, context: TenantContext, id: string): Promise<void> {
  if (id === context.keyId) throw new Refusal('BAD_REQUEST', { reason: 'SELF_REVOCATION_FORBIDDEN' });
  await database.transaction(async (tables) => {
    await lockKeys(tables, context);
    if (!(await revokeStoredKey(tables, context, id, clock.now()))) throw new Refusal('NOT_FOUND');
  });
}

/**
 * Requests of a key on each of the last days, ascending, today in Ecuador last. A revoked key has its history too.
 *
 * @throws Refusal NOT_FOUND
 */
export async function readUsage(
  { database, clock, keyUsage }: KeyDeps,
  context: TenantContext,
  { id, days }: { readonly id: string; readonly days: number },
): Promise<readonly { readonly date: string; readonly requestCount: number }[]> {
  await keyUsage.flush();
  const today = clock.now().getTime();
  // Ecuador has no summer time, so that each of its days has 24 hours.
  const dayBefore = (count: number) => ecuadorDate(new Date(today - count * DAY_MS));
  const dates = Array.from({ length: days }, (_, index) => dayBefore(days - 1 - index));
  return database.read(async (tables) => {
    const key = await findKey(tables, context, id);
    if (!key?.listed) throw new Refusal('NOT_FOUND');
    const counts = await readKeyUse(tables, id, dayBefore(days - 1));
    return dates.map((date) => ({ date, requestCount: counts.get(date) ?? 0 }));
  });
}

// --- internal ---

/**
 * Locks the keys of the account until the transaction ends, and checks the caller's key as it is now. So no key
 * survives a concurrent recovery or revocation. Two keys cannot revoke each other, and the last free place is taken
 * once.
 */
async function lockKeys(
  tables: Tables,
  context: TenantContext,
): Promise<{ readonly tenant: Tenant; readonly caller: ApiKeyRecord }> {
  const tenant = await lockTenant(tables, context.tenant.id);
  const caller = context.keyId === null ? null : await findKey(tables, context, context.keyId);
  if (tenant && caller?.active) return { tenant, caller };
  throw unauthorized();
}

const DAY_MS = 24 * 60 * 60_000;
