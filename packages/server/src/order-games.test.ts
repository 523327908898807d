import { beforeAll, describe, expect, it } from 'vitest';
import { faultOfText, type Seen, see } from './testing/bad-input/refusal.js';
import { TRIES_ALL } from './testing/bad-input/sample.js';
import { askPromotion, readyTenant, verifiedTenant, WEB_SETTINGS } from './testing/production-tenant.js';
import { databaseKinds } from './testing/test-databases.js';
import { documentsOf } from './testing/test-documents.js';
import { describeOnDatabases, type TestServer } from './testing/test-server.js';
import { createDocument, postJson, registerTenant, SIMPLE_INVOICE, type TestTenant } from './testing/test-tenant.js';

// A hundred concurrent requests about one object (on PostgreSQL forty, where each costs more and tests nothing new).
// Each game says how many may win, and what answer the others get.

/** A game: the requests, and their result. */
interface Game {
  readonly name: string;
  /** Prepares it. @returns the request of a player, and the check afterwards. */
  readonly begin: (server: TestServer) => Promise<{
    readonly ask: (player: number) => Promise<Response>;
    readonly after?: (seen: readonly Seen[]) => Promise<void>;
  }>;
  /** The number of answers of each kind: `201` or `400 BAD_REQUEST INVALID_STATE_TRANSITION`. */
  readonly answers: Readonly<Record<string, number>>;
}

const INVALID_STATE = '400 BAD_REQUEST INVALID_STATE_TRANSITION';
const request = (server: TestServer, method: string, path: string, headers: Readonly<Record<string, string>>) =>
  server.request(path, { method, headers });

async function withPlan(server: TestServer, tier: string): Promise<TestTenant> {
  const tenant = await verifiedTenant(server);
  await server.services.database.transaction((tables) =>
    tables.updateTable('tenants').set({ subscription_tier: tier }).where('id', '=', tenant.tenantId).execute(),
  );
  return tenant;
}

const gamesOf = (players: number): readonly Game[] => [
  {
    name: 'sending a document',
    answers: { '202': 1, [INVALID_STATE]: players - 1 },
    async begin(server) {
      const tenant = await registerTenant(server);
      const { accessKey } = await createDocument(server, tenant);
      return { ask: () => postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {}) };
    },
  },
  {
    name: 'annulling a document',
    answers: { '200': 1, '400 DOCUMENT_NOT_AUTHORIZED': players - 1 },
    async begin(server) {
      const documents = documentsOf(server, await verifiedTenant(server));
      const { accessKey } = await documents.authorized();
      return { ask: () => documents.post(`${accessKey}/void`, { confirmedSriVoid: true, reason: 'Anulada' }) };
    },
  },
  {
    name: 'rebuilding a document that was returned, under the next number',
    answers: { '200': 1, [INVALID_STATE]: players - 1 },
    async begin(server) {
      const documents = documentsOf(server, await verifiedTenant(server));
      const { accessKey } = await documents.create(SIMPLE_INVOICE, 'SRI-RETURNED-35');
      await documents.send(accessKey);
      return {
        ask: () => documents.post(`${accessKey}/rebuild`, { resequence: true }),
        async after() {
          expect((await documents.create()).sequential).toBe('000000003');
        },
      };
    },
  },
  {
    name: 'restarting a failed document',
    answers: { '202': 1, '409 NOTHING_TO_RETRY': players - 1 },
    async begin(server) {
      const documents = documentsOf(server, await verifiedTenant(server));
      const { accessKey } = await documents.failed('SRI-HTTP-500');
      return { ask: () => documents.post(`${accessKey}/send/retry`, {}) };
    },
  },
  {
    name: 'one idempotency key',
    answers: { '201': 1, '200': players - 1 },
    async begin(server) {
      const tenant = await registerTenant(server);
      const headers = { ...tenant.headers, 'idempotency-key': 'pedido-1' };
      return {
        ask: () => postJson(server, '/v1/documents', headers, SIMPLE_INVOICE),
        async after(seen) {
          const keys = seen.map(
            ({ text }) => (JSON.parse(text) as { document: { accessKey: string } }).document.accessKey,
          );
          expect(new Set(keys).size).toBe(1);
        },
      };
    },
  },
  {
    name: 'the last five documents of a quota',
    answers: { '201': 5, '402 QUOTA_EXCEEDED': players - 5 },
    async begin(server) {
      const tenant = await registerTenant(server);
      const counted = { tenant_id: tenant.tenantId, environment: 'sandbox', period: '2026-11-01', document_count: 95 };
      await server.services.database.transaction((tables) =>
        tables.insertInto('document_usage').values(counted).execute(),
      );
      return { ask: () => postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE) };
    },
  },
  {
    name: 'the last keys of a plan',
    answers: { '201': 4, '402 API_KEY_LIMIT_REACHED': players - 4 },
    async begin(server) {
      const { auth } = await withPlan(server, 'STARTER');
      return { ask: () => postJson(server, '/v1/keys', auth, {}) };
    },
  },
  {
    name: 'the last webhooks of a plan',
    answers: { '201': 2, '402 WEBHOOK_ENDPOINT_LIMIT_REACHED': players - 2 },
    async begin(server) {
      const { auth } = await withPlan(server, 'STARTER');
      return { ask: () => postJson(server, '/v1/webhooks', auth, { url: 'https://hooks.ejemplo.ec/' }) };
    },
  },
  {
    name: 'revoking a key',
    answers: { '200': 1, '404 NOT_FOUND': players - 1 },
    async begin(server) {
      const { auth } = await withPlan(server, 'STARTER');
      const { key } = (await (await postJson(server, '/v1/keys', auth, {})).json()) as { key: { id: string } };
      return { ask: () => request(server, 'DELETE', `/v1/keys/${key.id}`, auth) };
    },
  },
  {
    name: 'confirming an address',
    answers: { '200': 1, '400 INVALID_OR_EXPIRED_TOKEN': players - 1 },
    async begin(server) {
      const before = (await server.mails()).length;
      await registerTenant(server);
      await server.tick();
      const token = /\n([0-9a-f]{64})\n/.exec((await server.mails())[before] ?? '')?.[1];
      return { ask: () => postJson(server, '/v1/verify-email', {}, { token }) };
    },
  },
  {
    name: 'moving to production',
    answers: { '200': 1, '409 CONFLICT ALREADY_IN_PRODUCTION': players - 1 },
    async begin(server) {
      const tenant = await readyTenant(server);
      return { ask: () => askPromotion(server, tenant) };
    },
  },
  {
    name: 'removing all issuers but the last',
    answers: { '200': 1, '400 LAST_ISSUER_CANNOT_BE_REMOVED': players / 2, '404 ISSUER_NOT_FOUND': players / 2 - 1 },
    async begin(server) {
      const tenant = await verifiedTenant(server);
      const made = await postJson(server, '/v1/issuers', tenant.auth, { branchCode: '001', issuePointCode: '044' });
      const { issuer } = (await made.json()) as { issuer: { id: string } };
      const ids = [tenant.issuerId, issuer.id];
      return { ask: (player) => request(server, 'DELETE', `/v1/issuers/${ids[player % 2]}`, tenant.auth) };
    },
  },
];

describeOnDatabases('many concurrent requests about one object', await databaseKinds(), (open, database) => {
  const players = database === 'SQLite' || TRIES_ALL ? 100 : 40;
  let server: TestServer;

  beforeAll(async () => {
    server = await open({ settings: { ...WEB_SETTINGS, QUOTA_ENFORCEMENT: 'all', ONBOARDING_RATE: '10000/1h' } });
  });

  async function play(ask: (player: number) => Promise<Response>, count = players): Promise<readonly Seen[]> {
    // Connections are opened first, so that the requests do coincide.
    await Promise.all(Array.from({ length: 10 }, () => server.request('/health')));
    return Promise.all(Array.from({ length: count }, (_, player) => see(ask(player))));
  }

  it.each(gamesOf(players))('$name', { timeout: 60_000 }, async ({ begin, answers }) => {
    const { ask, after } = await begin(server);
    const seen = await play(ask);
    const counts = new Map<string, number>();
    for (const answer of seen) counts.set(told(answer), (counts.get(told(answer)) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual(answers);
    for (const { text } of seen) expect(faultOfText(text)).toBeNull();
    await after?.(seen);
  });

  describe('with several winners', () => {
    it('moving a counter: it ends at the highest, and each 200 moved it forward', async () => {
      const tenant = await registerTenant(server);
      const path = `/v1/issuers/${tenant.issuerId}/sequentials`;
      const headers = { ...tenant.auth, 'content-type': 'application/json' };
      // The limit of a key per minute.
      const count = 60;
      const numbers = Array.from({ length: count }, (_, index) => 1 + ((index * 37) % count));
      const seen = await play((player) => {
        const body = JSON.stringify({ environment: 'sandbox', nextSequential: numbers[player] });
        return server.request(`${path}/01`, { method: 'PATCH', headers, body });
      }, count);
      const won = numbers.filter((_, player) => seen[player]?.status === 200);
      expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200, 400]));
      expect(won).toContain(count);
      expect((await createDocument(server, tenant)).sequential).toBe(count.toString().padStart(9, '0'));
    });

    it('all requests about one document: no failure, one number, a consistent history', async () => {
      const tenant = await verifiedTenant(server);
      const documents = documentsOf(server, tenant);
      const { accessKey, sequential } = await documents.create();
      const asks: readonly (() => Promise<Response>)[] = [
        () => documents.post(`${accessKey}/send`, {}),
        () => documents.post(`${accessKey}/rebuild`, SIMPLE_INVOICE),
        () => documents.post(`${accessKey}/void`, { confirmedSriVoid: true, reason: 'Anulada' }),
        () => documents.get(`${accessKey}/authorize`),
        () => documents.post(`${accessKey}/send/retry`, {}),
        () => documents.post(`${accessKey}/email-retry`, {}),
        () => documents.get(accessKey),
        () => documents.get(`${accessKey}/xml`),
        () => documents.get(`${accessKey}/events`),
        () => postJson(server, '/v1/tenants/retry-failed-documents', tenant.auth, {}),
      ];
      const work = server.tick();
      const seen = await play((player) => (asks[player % asks.length] as () => Promise<Response>)());
      await work;
      expect(seen.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([]);
      expect(seen.map(({ status }) => status)).toContain(202);
      for (let round = 0; round < 4; round += 1) {
        await server.tick();
        await server.clock.advance(300_000);
      }
      const end = await documents.show(accessKey);
      expect([end.status, end.sequential]).toEqual(['AUTHORIZED', sequential]);
      const answered = await documents.get(`${accessKey}/events`);
      const { events } = (await answered.json()) as {
        events: { fromStatus: string | null; toStatus: string | null }[];
      };
      const moves = events.filter(({ toStatus }) => toStatus !== null);
      for (const [index, { fromStatus }] of moves.entries()) {
        if (index > 0 && fromStatus !== null) expect(fromStatus).toBe(moves[index - 1]?.toStatus);
      }
    });

    it('pausing an issuer and creating: each 201 has a document', async () => {
      const tenant = await registerTenant(server);
      const path = `/v1/issuers/${tenant.issuerId}/can-issue`;
      const headers = { ...tenant.auth, 'content-type': 'application/json' };
      const pause = (canIssue: boolean) =>
        server.request(path, { method: 'PATCH', headers, body: JSON.stringify({ canIssue }) });
      const seen = await play((player) =>
        player % 5 === 0 ? pause(player % 2 === 0) : postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE),
      );
      const created = seen.filter(({ status }) => status === 201).length;
      const others = new Set(seen.map(told).filter((answer) => answer !== '201' && answer !== '200'));
      expect([...others].filter((answer) => answer !== '403 ISSUER_ISSUING_PAUSED')).toEqual([]);
      const list = await server.request('/v1/documents', { headers: tenant.headers });
      expect(await list.json()).toMatchObject({ pagination: { total: created } });
    });
  });
});

// --- internal ---

function told({ status, text }: Seen): string {
  if (status < 400) return String(status);
  const { code, reason } = JSON.parse(text) as { code: string; reason?: string };
  return [status, code, reason].filter((part) => part !== undefined).join(' ');
}
