import { type Environment, isWritableText, normalizeText, textLength } from 'sri-core';
import { invalid, Refusal, type RuleFailure, ruleFailure } from '../errors.js';
import { json } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { QueryReader } from '../http/parse-query.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import { toUuid } from '../http/uuid.js';
import type { ApiKeyRecord } from '../store/api-keys.js';
import { createKey, type KeyRequest, listKeys, readUsage, revokeKey } from '../tenancy/key-administration.js';
import { isScope, SCOPES, type Scope } from '../tenancy/scopes.js';

/** `GET /v1/keys` */
export const getKeys = defineHandler({
  answer: async ({ exchange, context }: TenantCall) => {
    const { keys, max } = await listKeys(exchange.services.keys, context);
    return json(200, { ok: true, keys: keys.map(toKeyBody), limit: { max, used: keys.length } });
  },
});

/** `POST /v1/keys` */
export const postKey = defineHandler({
  parse: readKeyRequest,
  answer: async ({ exchange, context }: TenantCall, request) => {
    const { key, apiKey } = await createKey(exchange.services.keys, context, request);
    return json(201, { ok: true, apiKey, scopes: key.scopes, key: toKeyBody(key) });
  },
});

/** `DELETE /v1/keys/:id` */
export const deleteKey = defineHandler({
  parse: (exchange) => {
    const id = toUuid(exchange.params['id'] ?? '');
    if (!id) throw new Refusal('NOT_FOUND');
    return id;
  },
  answer: async ({ exchange, context }: TenantCall, id) => {
    await revokeKey(exchange.services.keys, context, id);
    return json(200, { ok: true });
  },
});

/** `GET /v1/keys/:id/usage` */
export const getKeyUsage = defineHandler({
  parse: (exchange) => {
    const query = new QueryReader(exchange.search);
    const id = toUuid(exchange.params['id'] ?? '');
    const days = query.integer('days', { min: 1, max: 365, fallback: 30 });
    query.done(id ? [] : [ruleFailure('path:id', 'uuid')]);
    return { id: id ?? '', days };
  },
  answer: async ({ exchange, context }: TenantCall, asked) => {
    const usage = await readUsage(exchange.services.keys, context, asked);
    return json(200, { ok: true, usage });
  },
});

// --- internal ---

const MAX_LABEL = 100;
const ALL_SCOPES = SCOPES.join(', ');

/** A key as answers show it; its token is in none of them but that of its creation. */
function toKeyBody(key: ApiKeyRecord) {
  return {
    id: key.id,
    label: key.label,
    environment: key.environment,
    scopes: key.scopes,
    active: key.active,
    createdAt: key.createdAt.toISOString(),
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    requestCount: key.requestCount,
    last4: key.last4,
  };
}

/** Reads the body of `POST /v1/keys`, in which everything may be left out; null counts as left out. */
async function readKeyRequest(exchange: Exchange): Promise<KeyRequest> {
  const body = (await exchange.optionalJson()) ?? {};
  const failures: RuleFailure[] = [];
  const request: KeyRequest = {
    label: readLabel(body['label'] ?? null, failures),
    environment: readEnvironment(body['environment'] ?? null, failures),
    scopes: readScopes(body['scopes'] ?? null, failures),
  };
  if (failures.length > 0) throw invalid(failures);
  return request;
}

/** A line of text; a blank one is no label. */
function readLabel(value: unknown, failures: RuleFailure[]): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') {
    failures.push(ruleFailure('label', 'type', { expected: 'string' }));
    return null;
  }
  const label = normalizeText(value);
  if (!isWritableText(label)) failures.push(ruleFailure('label', 'text'));
  else if (textLength(label) > MAX_LABEL) failures.push(ruleFailure('label', 'maxLength', { max: MAX_LABEL }));
  return label === '' ? null : label;
}

function readEnvironment(value: unknown, failures: RuleFailure[]): Environment {
  if (value === 'production') return 'production';
  if (value !== null && value !== 'sandbox') {
    failures.push(ruleFailure('environment', 'choice', { allowed: 'sandbox, production' }));
  }
  return 'sandbox';
}

function readScopes(value: unknown, failures: RuleFailure[]): readonly Scope[] | null {
  if (value === null) return null;
  if (!Array.isArray(value)) {
    failures.push(ruleFailure('scopes', 'type', { expected: 'array' }));
    return null;
  }
  if (value.length === 0) failures.push(ruleFailure('scopes', 'minItems', { min: 1 }));
  const scopes: Scope[] = [];
  for (const [index, entry] of value.entries()) {
    if (typeof entry === 'string' && isScope(entry)) scopes.push(entry);
    else failures.push(ruleFailure(`scopes[${index}]`, 'choice', { allowed: ALL_SCOPES }));
  }
  return scopes;
}
