import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiError, type Client, type ClientOptions, createClient } from 'sri-core/client';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { writeClientTypes } from '../../scripts/client-types.js';
import { describeEverything } from '../all-routes.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, TEST_RUC, type TestServer } from '../testing/test-server.js';
import { registerTenant, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const URLS = { baseUrl: 'http://localhost:3000', docsUrl: 'http://localhost:3000/docs' };
const INVOICE = SIMPLE_INVOICE as Parameters<Client['documents']['create']>[0];

describe('the types of the client', () => {
  it('the types and the table of operations match the description', async () => {
    const table = `${ROOT}/packages/sri-core/src/client/endpoints.ts`;
    const tracked = readFileSync(table, 'utf8');
    await writeClientTypes(describeEverything(URLS));
    expect(readFileSync(table, 'utf8') === tracked, 'it is written now: commit it').toBe(true);
  });

  it('the types compile without any other package', () => {
    const options =
      '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2024 --lib es2024,dom,dom.iterable';
    const { status, stdout } = spawnSync(
      `${ROOT}/node_modules/.bin/tsc`,
      [...options.split(' '), '--types', '', '--ignoreConfig', 'packages/sri-core/src/client.ts'],
      { cwd: ROOT, encoding: 'utf8' },
    );
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });
});

describe('a request that cannot be made', () => {
  it('an impossible request is an error of the caller, and the client does not retry it', async () => {
    let requests = 0;
    const fetch = async () => {
      requests += 1;
      return new Response();
    };
    const client = createClient({ ...URLS, apiKey: 'key', issuerId: 'issuer', fetch, pause: async () => {} });
    const body = { ...INVOICE, copies: 1n } as unknown as typeof INVOICE;
    await expect(client.documents.create(body)).rejects.toThrow(TypeError);
    for (const part of ['', '.', '..']) {
      await expect(client.documents.get(part)).rejects.toThrow('getDocument needs accessKey.');
    }
    await expect(Reflect.apply(client.call, client, ['getDocuments', {}])).rejects.toThrow(
      'There is no operation getDocuments.',
    );
    expect(requests).toBe(0);
  });
});

describeOnDatabases('the client', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let client: Client;
  beforeAll(async () => {
    server = await open();
    // The SRI authorizes only documents signed by the certificate's own RUC.
    tenant = await registerTenant(server, { ruc: TEST_RUC });
    client = clientOf();
  });

  const baseOptions = (): ClientOptions => ({
    apiKey: tenant.apiKey,
    baseUrl: `${URLS.baseUrl}/`,
    issuerId: tenant.issuerId,
    language: 'en',
    fetch: toServer,
  });
  /** A client of the server in this process; its pauses move the clock. */
  const clientOf = (options: Partial<ClientOptions> = {}) =>
    createClient({
      ...baseOptions(),
      async pause(ms) {
        await server.tickAfter(ms);
      },
      ...options,
    });
  const toServer = async (request: Request) => {
    const { method, headers, url } = request;
    const { pathname, search } = new URL(url);
    const body = method === 'GET' ? {} : { body: await request.arrayBuffer() };
    return server.request(pathname + search, { method, headers, ...body });
  };

  it('the client issues a document: creates it, sends it and waits for the SRI', async () => {
    const document = await client.documents.issue(INVOICE);
    expect(document).toMatchObject({ status: 'AUTHORIZED', documentType: '01', total: '11.50' });
    const preview = await client.documents.preview(INVOICE, { ride: true });
    expect(preview).toMatchObject({ document: { total: document.total }, warnings: [] });
    expect(new TextDecoder().decode(preview.ridePdf?.slice(0, 5))).toBe('%PDF-');
    expect((await client.documents.preview(INVOICE)).ridePdf).toBeNull();
    const ride = await client.documents.ride(document.accessKey);
    expect(new TextDecoder().decode(ride.slice(0, 5))).toBe('%PDF-');
    expect(await client.documents.ride(document.accessKey, { format: 'ticket' })).not.toEqual(ride);
    expect(await client.documents.xml(document.accessKey, { variant: 'signed' })).toContain('<factura');
    const events = await client.documents.events(document.accessKey);
    expect(events.length).toBeGreaterThan(2);
    expect((await client.documents.sriResponses(document.accessKey)).length).toBeGreaterThan(0);
    expect(await client.documents.creditNotes(document.accessKey)).toMatchObject({ remaining: '11.50' });
  });

  it('exports the documents of a filter', async () => {
    const { document } = await client.documents.create(INVOICE);
    const file = await client.documents.export({ accessKey: document.accessKey });
    const text = await new Response(file).text();
    expect(text).toContain('Access key');
    expect(text.split('\r\n')).toHaveLength(3);
    const archive = await client.documents.export({ format: 'zip', ride: 'off', issuerId: 'all' });
    expect(await new Response(archive).text()).toMatch(/^PK.*\d{49}\.xml/s);
  });

  it('an infinite timeout sets no limit of time', async () => {
    const patient = clientOf({ timeoutMs: Number.POSITIVE_INFINITY });
    expect(await patient.documents.preview(INVOICE)).toMatchObject({ warnings: [] });
  });

  it('exports through a `fetch` with its own class of answers', async () => {
    const other = clientOf({
      async fetch(request) {
        const { status, ok, headers, body } = await toServer(request);
        return { status, ok, headers, body } as Response;
      },
    });
    expect(await new Response(await other.documents.export()).text()).toContain('Access key');
  });

  describe('the time of an answer', () => {
    /** A fetch whose answer begins at once and ends only when its request is aborted. */
    const endless = async ({ signal }: Request) =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{'));
            signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
          },
        }),
      );
    const options = () => ({ fetch: endless, timeoutMs: 20 });

    it('the client limits the time of a whole answer', async () => {
      await expect(clientOf(options()).tenant.get()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    });

    it('the client limits an export until it begins, and its signal ends it at any time', async () => {
      const stop = new AbortController();
      const file = await clientOf(options()).documents.export({}, { signal: stop.signal });
      const reader = file.getReader();
      expect((await reader.read()).value).toHaveLength(1);
      const rest = reader.read();
      const timeout = new Promise((resolve) => setTimeout(resolve, 60, 'still open'));
      expect(await Promise.race([rest, timeout])).toBe('still open');
      stop.abort(new Error('stopped'));
      await expect(rest).rejects.toThrow('stopped');
      const silent = clientOf({
        maxRetries: 0,
        timeoutMs: 20,
        fetch: ({ signal }) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
      });
      await expect(silent.documents.export()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    });
  });

  it('returns the current document when the wait ends, and waits for it later', async () => {
    const document = await client.documents.issue(INVOICE, { waitMs: 0 });
    expect(document.status).toBe('PENDING_SEND');
    expect(await client.documents.wait(document.accessKey, { waitMs: 0 })).toMatchObject({ status: 'PENDING_SEND' });
    expect(await client.documents.wait(document.accessKey)).toMatchObject({ status: 'AUTHORIZED' });
    expect(await client.documents.wait(document.accessKey, { waitMs: 0 })).toMatchObject({ status: 'AUTHORIZED' });
  });

  it('keeps waiting while the server is away, and returns the current document when the wait ends', async () => {
    let away = 0;
    const awayClient = clientOf({
      maxRetries: 0,
      async fetch(request) {
        if (request.method !== 'GET') return toServer(request);
        away += 1;
        return away > 3 ? toServer(request) : new Response('', { status: 503 });
      },
    });
    const document = await awayClient.documents.issue(INVOICE);
    expect([document.status, away > 3]).toEqual(['AUTHORIZED', true]);
    away = -Infinity;
    const left = await awayClient.documents.issue(INVOICE, { waitMs: 600 });
    expect(left).toMatchObject({ status: 'PENDING_SEND' });
  });

  it('ends a wait when its signal aborts', async () => {
    const { document } = await client.documents.create(INVOICE);
    const stop = new AbortController();
    const waiting = createClient({
      ...baseOptions(),
      async fetch(request) {
        const response = await toServer(request);
        // The pause after this answer never ends by time.
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        return response;
      },
    });
    try {
      const ended = expect(waiting.documents.wait(document.accessKey, { signal: stop.signal })).rejects.toThrow(
        'stopped',
      );
      while (!vi.isFakeTimers() || vi.getTimerCount() === 0) await turn();
      stop.abort(new Error('stopped'));
      await ended;
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['arrived', true, 'PENDING_SEND'],
    ['was lost', false, 'PENDING_SEND'],
  ])('sends a document once if the answer is lost and the request %s', async (_name, arrives, status) => {
    const { document } = await client.documents.create(INVOICE);
    const sends: number[] = [];
    const forgetful = clientOf({
      async fetch(request) {
        const isFirst = request.method === 'POST' && sends.push(sends.length) === 1;
        const response = isFirst && !arrives ? null : await toServer(request);
        if (isFirst || !response) throw new TypeError('socket closed');
        return response;
      },
    });
    expect(await forgetful.documents.sendOnce(document.accessKey)).toMatchObject({ status });
    expect(sends).toHaveLength(arrives ? 1 : 2);
    expect(await forgetful.documents.sendOnce(document.accessKey)).toMatchObject({ status });
    await expect(client.documents.send(document.accessKey)).rejects.toMatchObject({
      reason: 'INVALID_STATE_TRANSITION',
    });
    await expect(client.documents.sendOnce('0'.repeat(49))).rejects.toBeInstanceOf(ApiError);
  });

  it('returns a document that another request sent during the repetition of a lost request', async () => {
    const { document } = await client.documents.create(INVOICE);
    let sends = 0;
    const overtaken = clientOf({
      async fetch(request) {
        if (request.method !== 'POST') return toServer(request);
        sends += 1;
        if (sends === 1) throw new TypeError('socket closed');
        await client.documents.send(document.accessKey);
        return toServer(request);
      },
    });
    expect(await overtaken.documents.sendOnce(document.accessKey)).toMatchObject({ status: 'PENDING_SEND' });
    expect(sends).toBe(2);
  });

  it.each([502, 503, 504])('retries a read that a proxy answers with %d', async (status) => {
    let calls = 0;
    const patient = clientOf({
      fetch: async (request) => {
        calls += 1;
        return calls === 1 ? new Response('<h1>Bad Gateway</h1>', { status }) : toServer(request);
      },
    });
    expect(await patient.tenant.get()).toMatchObject({ id: tenant.tenantId });
    expect(calls).toBe(2);
  });

  it('sends no authorization without a key', async () => {
    const headers: (string | null)[] = [];
    const anonymous = clientOf({
      apiKey: '',
      fetch: (request) => {
        headers.push(request.headers.get('authorization'));
        return toServer(request);
      },
    });
    expect(await anonymous.call('checkVerification', { query: { token: 'f'.repeat(64) } })).toMatchObject({
      valid: false,
    });
    expect(headers).toEqual([null]);
  });

  it.each([
    ['was lost', () => Promise.reject(new TypeError('socket closed'))],
    [
      'breaks off',
      async () =>
        new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) })),
    ],
  ])('creates one document from a call whose answer %s', async (_name, lose) => {
    let lost = 0;
    const forgetful = clientOf({
      async fetch(request) {
        const response = await toServer(request);
        if (request.method !== 'POST' || lost > 0) return response;
        lost += 1;
        return lose();
      },
    });
    const before = (await client.documents.stats()).total;
    const { document, replayed } = await forgetful.documents.create(INVOICE);
    expect([lost, replayed]).toEqual([1, true]);
    expect((await client.documents.stats()).total).toBe(before + 1);
    expect(await client.documents.get(document.accessKey)).toMatchObject({ status: 'SIGNED' });
  });

  it.each([
    ['an empty idempotency key, which the server rejects', '', { created: 0, refusal: 'IDEMPOTENCY_KEY_INVALID' }],
    ['an undefined key, which the client replaces', undefined, { created: 1, refusal: null }],
  ])('sends %s', async (_name, idempotencyKey, { created, refusal }) => {
    let lost = 0;
    const forgetful = clientOf({
      async fetch(request) {
        const response = await toServer(request);
        if (lost === 1) return response;
        lost += 1;
        throw new TypeError('socket closed');
      },
    });
    const before = (await client.documents.stats()).total;
    const options = { idempotencyKey } as { readonly idempotencyKey?: string };
    const error = await forgetful.documents.create(INVOICE, options).then(
      () => null,
      ({ code, reason }: ApiError) => reason ?? code,
    );
    expect([lost, error]).toEqual([1, refusal]);
    expect((await client.documents.stats()).total).toBe(before + created);
  });

  it.each([undefined, '127.0.0.1:3000', 'localhost:3000', 'http://127.0.0.1:3000/v1/'])(
    'names a wrong baseUrl: %s',
    (given) => {
      expect(() => createClient({ apiKey: '', baseUrl: given as string })).toThrow(/^baseUrl has to be/);
    },
  );

  it.each(['127.0.0.1', 'localhost'])('names the cause if no answer came from %s', async (host) => {
    const listener = createServer().listen(0);
    const { port } = listener.address() as AddressInfo;
    await new Promise((resolve) => listener.close(resolve));
    const closed = createClient({ apiKey: '', baseUrl: `http://${host}:${port}`, maxRetries: 0 });
    await expect(closed.tenant.get()).rejects.toThrow(/^No answer came: .*ECONNREFUSED/);
  });

  it('does not retry a request that a retry could do twice', async () => {
    let calls = 0;
    const failing = clientOf({
      fetch: async () => {
        calls += 1;
        throw new TypeError('socket closed');
      },
    });
    await expect(failing.keys.create()).rejects.toMatchObject({ code: 'NETWORK_ERROR', status: 0 });
    expect(calls).toBe(1);
    await expect(failing.tenant.get()).rejects.toBeInstanceOf(ApiError);
    expect(calls).toBe(1 + 4);
  });

  it.each([
    ['a redirect', () => new Response(null, { status: 301, headers: { location: 'https://www.example.com/' } }), 301],
    ['a page', () => new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } }), 200],
    ['a JSON without fields', () => Response.json(null), 200],
  ])('takes %s for the answer of another program, and does not retry', async (_name, answer, status) => {
    let calls = 0;
    const other = clientOf({
      fetch: async ({ redirect }) => {
        calls += 1;
        expect(redirect).toBe('manual');
        return answer();
      },
    });
    await expect(other.tenant.get()).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status });
    await expect(other.documents.create(INVOICE)).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status });
    expect(calls).toBe(2);
  });

  it.each([
    ['seconds', { 'retry-after': '7' }],
    ['a date', { 'retry-after': 'Sat, 21 Nov 2026 15:00:07 GMT', date: 'Sat, 21 Nov 2026 15:00:00 GMT' }],
  ])('waits as long as the server asks, in %s', async (_name, headers) => {
    const waits: number[] = [];
    let calls = 0;
    const patient = clientOf({
      fetch: async (request) => {
        calls += 1;
        if (calls < 3) return Response.json({ code: 'TOO_MANY_REQUESTS' }, { status: 429, headers });
        return toServer(request);
      },
      pause: async (ms) => void waits.push(ms),
    });
    expect(await patient.tenant.get()).toMatchObject({ id: tenant.tenantId });
    expect(waits).toEqual([7000, 7000]);
  });

  it('lists every document page by page', async () => {
    for (let made = 0; made < 3; made += 1) await client.documents.create(INVOICE);
    const keys = new Set<string>();
    let pages = 0;
    const counting = clientOf({
      fetch: (request) => {
        pages += 1;
        return toServer(request);
      },
    });
    for await (const { accessKey } of counting.documents.list({ limit: 2 })) keys.add(accessKey);
    const { total } = await client.documents.stats();
    expect(keys.size).toBe(total);
    expect(pages).toBe(Math.ceil(total / 2));
  });

  it('reports the errors of a body field by field', async () => {
    const broken = { ...INVOICE, buyer: { ...SIMPLE_INVOICE.buyer, id: '' } } as typeof INVOICE;
    const error = await client.documents.create(broken).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', errors: [{ field: 'buyer.id' }] });
    const { detail, message, errors } = error as ApiError;
    expect(message).toBe(`${detail} buyer.id: ${errors[0]?.message}`);
    expect(error).toHaveProperty('requestId', expect.stringMatching(/^req_/));
  });

  it('reaches the remaining routes', async () => {
    expect(await client.issuers.list()).toMatchObject([{ id: tenant.issuerId, documentTypes: ['01'] }]);
    expect(await client.issuers.setCanIssue(tenant.issuerId, true)).toMatchObject({ canIssue: true });
    expect(await client.issuers.sequentials(tenant.issuerId)).toHaveLength(1);
    expect(await client.keys.list()).toHaveLength(1);
    expect(await client.webhooks.list()).toEqual([]);
    expect(await client.notifications.list()).toHaveProperty('unreadCount');
    expect(await client.notifications.preferences()).not.toHaveLength(0);
    expect(await client.tenant.catalogs()).toContain('id-types');
    expect(await client.call('listTiers', {})).toMatchObject({ ok: true });
    await expect(client.webhooks.create({ url: 'https://hooks.example.com/' })).rejects.toMatchObject({
      code: 'EMAIL_VERIFICATION_REQUIRED',
    });
  });
});
