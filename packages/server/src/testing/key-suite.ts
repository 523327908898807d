import { beforeAll, expect } from 'vitest';
import { activeTenant } from './production-tenant.js';
import type { TestServer, TestServerOptions } from './test-server.js';
import type { TestTenant } from './test-tenant.js';

/** A key as answers show it. */
export interface ShownKey {
  readonly id: string;
  readonly label: string | null;
  readonly environment: string;
  readonly scopes: readonly string[];
  readonly active: boolean;
  readonly requestCount: number;
  readonly lastUsedAt: string | null;
}

/** The answer to a list of keys. */
export interface ShownKeys {
  readonly keys: readonly ShownKey[];
  readonly limit: { readonly max: number; readonly used: number };
}

type Headers = Readonly<Record<string, string>>;

/** The header with a key. */
export function bearer(apiKey: string): Headers {
  return { authorization: `Bearer ${apiKey}` };
}

/** A server with an account of the plan with most keys, and the requests that administer keys. */
export function keySuite(open: (options?: TestServerOptions) => Promise<TestServer>) {
  let server: TestServer;
  let tenant: TestTenant;

  /** An account with a verified e-mail, by default of the plan with five keys. */
  async function account(columns: Readonly<Record<string, string>> = {}): Promise<TestTenant> {
    return await activeTenant(server, {}, { subscription_tier: 'STARTER', ...columns });
  }

  function post(body: unknown, headers: Headers = tenant.auth): Promise<Response> {
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
    return server.request('/v1/keys', { ...init, body: JSON.stringify(body) });
  }

  async function create(body: unknown = {}, headers: Headers = tenant.auth) {
    const response = await post(body, headers);
    const text = await response.text();
    expect(response.status, text).toBe(201);
    return JSON.parse(text) as { readonly apiKey: string; readonly key: ShownKey };
  }

  async function list(headers: Headers = tenant.auth): Promise<ShownKeys> {
    const response = await server.request('/v1/keys', { headers });
    expect(response.status).toBe(200);
    return (await response.json()) as ShownKeys;
  }

  function revoke(id: string, headers: Headers = tenant.auth): Promise<Response> {
    return server.request(`/v1/keys/${id}`, { method: 'DELETE', headers });
  }

  async function usage(id: string, query = '', headers: Headers = tenant.auth) {
    const response = await server.request(`/v1/keys/${id}/usage${query}`, { headers });
    expect(response.status).toBe(200);
    return ((await response.json()) as { usage: { date: string; requestCount: number }[] }).usage;
  }

  beforeAll(async () => {
    server = await open();
    tenant = await account({ subscription_tier: 'BUSINESS' });
  });

  return {
    get server() {
      return server;
    },
    /** The account whose key is the default. */
    get tenant() {
      return tenant;
    },
    account,
    post,
    create,
    list,
    revoke,
    usage,
  };
}
