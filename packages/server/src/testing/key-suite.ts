import type { ApiKey, OperationAnswer } from 'sri-core/client';
import { beforeAll, expect } from 'vitest';
import { activeTenant } from './production-tenant.js';
import type { TestServer, TestServerOptions } from './test-server.js';
import { postJson, type TestTenant } from './test-tenant.js';

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
    return postJson(server, '/v1/keys', headers, body);
  }

  async function create(body: unknown = {}, headers: Headers = tenant.auth) {
    const response = await post(body, headers);
    const text = await response.text();
    expect(response.status, text).toBe(201);
    return JSON.parse(text) as { readonly apiKey: string; readonly key: ApiKey };
  }

  async function list(headers: Headers = tenant.auth): Promise<OperationAnswer<'listKeys'>> {
    const response = await server.request('/v1/keys', { headers });
    expect(response.status).toBe(200);
    return (await response.json()) as OperationAnswer<'listKeys'>;
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
