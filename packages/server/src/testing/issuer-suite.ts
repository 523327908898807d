import type { Issuer } from 'sri-core/client';
import { createTestP12 } from 'sri-core/testing';
import { beforeAll, expect } from 'vitest';
import { formOf } from './form-of.js';
import { ownHistory } from './own-account.js';
import { activeTenant } from './production-tenant.js';
import type { TestServer, TestServerOptions } from './test-server.js';
import { postJson, sendJson, type TestTenant } from './test-tenant.js';

/** An issuer that does not exist. */
export const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

/** A server with two verified accounts, and the requests that administer issuers. */
export function issuerSuite(open: (options?: TestServerOptions) => Promise<TestServer>) {
  let server: TestServer;
  let tenant: TestTenant;
  let other: TestTenant;

  /** Registers an account with a verified address, and changes some of its columns. */
  async function verified(columns: Readonly<Record<string, string>> = {}): Promise<TestTenant> {
    return await activeTenant(server, {}, { ...columns });
  }

  async function get(path: string, of = tenant): Promise<Response> {
    return server.request(path, { headers: of.auth });
  }

  /** Sends JSON; undefined sends no body. */
  async function send(method: string, path: string, body: unknown, of = tenant): Promise<Response> {
    return sendJson(server, method, path, of.auth, body);
  }

  /** Sends a form; bytes become a file. */
  async function sendForm(
    method: string,
    path: string,
    fields: Readonly<Record<string, string | Uint8Array>>,
    of = tenant,
  ): Promise<Response> {
    return server.request(path, { method, headers: of.auth, body: formOf(fields) });
  }

  /** Adds an issuer, 001-009 by default. */
  async function add(of: TestTenant, body: Readonly<Record<string, unknown>> = {}): Promise<Issuer> {
    const whole = { branchCode: '001', issuePointCode: '009', ...body };
    const response = await postJson(server, '/v1/issuers', of.auth, whole);
    const text = await response.text();
    expect(response.status, text).toBe(201);
    return (JSON.parse(text) as { issuer: Issuer }).issuer;
  }

  async function listed(of: TestTenant): Promise<readonly Issuer[]> {
    const response = await get('/v1/issuers', of);
    return ((await response.json()) as { issuers: Issuer[] }).issuers;
  }

  /** Another certificate than that of the registration, with the password `nueva`. */
  function newP12(options: Parameters<typeof createTestP12>[0] = {}): Promise<Uint8Array> {
    return createTestP12({ password: 'nueva', validFrom: new Date('2026-06-01T00:00:00Z'), ...options });
  }

  beforeAll(async () => {
    server = await open();
    tenant = await verified();
    other = await verified();
  });

  return {
    get server() {
      return server;
    },
    /** The default account of requests. */
    get tenant() {
      return tenant;
    },
    get other() {
      return other;
    },
    verified,
    get,
    send,
    sendForm,
    add,
    listed,
    events: (of: TestTenant) => ownHistory(server, of),
    newP12,
  };
}
