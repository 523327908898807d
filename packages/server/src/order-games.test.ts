import { beforeAll, describe, expect, it } from 'vitest';
import { faultOfText, type Seen, see } from './testing/bad-input/refusal.js';
import { TRIES_ALL } from './testing/bad-input/sample.js';
import { changeTenant } from './testing/change-rows.js';
import { verifiedTenant, WEB_SETTINGS } from './testing/production-tenant.js';
import { databaseKinds } from './testing/test-databases.js';
import { documentsOf } from './testing/test-documents.js';
import { describeOnDatabases, type TestServer } from './testing/test-server.js';
import { createDocument, postJson, registerTenant, SIMPLE_INVOICE, type TestTenant } from './testing/test-tenant.js';

// A hundred concurrent requests about one object (on PostgreSQL forty, where each costs more and tests nothing new).
// Each game has the number of winners, and the answer to the others. Other areas test their own games.

/** A game: the requests, and their result. */
interface Game {
  readonly name: string;
  /** Prepares the game. @returns the request of a player. */
  readonly begin: (server: TestServer) => Promise<() => Promise<Response>>;
  /** The number of answers of each kind: `201` or `400 BAD_REQUEST INVALID_STATE_TRANSITION`. */
  readonly answers: Readonly<Record<string, number>>;
}

const INVALID_STATE = '400 BAD_REQUEST INVALID_STATE_TRANSITION';

async function withPlan(server: TestServer, tier: string): Promise<TestTenant> {
  const tenant = await verifiedTenant(server);
  await changeTenant(server, tenant, { subscription_tier: tier });
  return tenant;
}

const gamesOf = (players: number): readonly Game[] => [
  {
    name: 'sending a document',
    answers: { '202': 1, [INVALID_STATE]: players - 1 },
    async begin(server) {
      const tenant = await registerTenant(server);
      const { accessKey } = await createDocument(server, tenant);
      return () => postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
    },
  },
  {
    name: 'the last webhooks of a plan',
    answers: { '201': 2, '402 WEBHOOK_ENDPOINT_LIMIT_REACHED': players - 2 },
    async begin(server) {
      const { auth } = await withPlan(server, 'STARTER');
      return () => postJson(server, '/v1/webhooks', auth, { url: 'https://hooks.ejemplo.ec/' });
    },
  },
];

describeOnDatabases('many concurrent requests about one object', await databaseKinds(), (open, database) => {
  const players = database === 'SQLite' || TRIES_ALL ? 100 : 40;
  let server: TestServer;

  beforeAll(async () => {
    server = await open({ settings: { ...WEB_SETTINGS, QUOTA_ENFORCEMENT: 'all', ONBOARDING_RATE: '10000/1h' } });
  });

  async function play(ask: (player: number) => Promise<Response>): Promise<readonly Seen[]> {
    // Connections are opened first, so that the requests do coincide.
    await Promise.all(Array.from({ length: 10 }, () => server.request('/health')));
    return Promise.all(Array.from({ length: players }, (_, player) => see(ask(player))));
  }

  it.each(gamesOf(players))(
    'many concurrent requests have the expected winners: $name',
    { timeout: 60_000 },
    async ({ begin, answers }) => {
      const seen = await play(await begin(server));
      const counts = new Map<string, number>();
      for (const answer of seen) counts.set(reported(answer), (counts.get(reported(answer)) ?? 0) + 1);
      expect(Object.fromEntries(counts)).toEqual(answers);
      for (const { text } of seen) expect(faultOfText(text)).toBeNull();
    },
  );

  describe('games with several winners', () => {
    it('concurrent requests about one document keep one number and a consistent history, without a failure', async () => {
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
      const moves = (await documents.events(accessKey)).filter(({ toStatus }) => toStatus !== null);
      for (const [index, { fromStatus }] of moves.entries()) {
        if (index > 0 && fromStatus !== null) expect(fromStatus).toBe(moves[index - 1]?.toStatus);
      }
    });

    it('each 201 has a document while requests pause the issuer and create', async () => {
      const tenant = await registerTenant(server);
      const path = `/v1/issuers/${tenant.issuerId}/can-issue`;
      const headers = { ...tenant.auth, 'content-type': 'application/json' };
      const pause = (canIssue: boolean) =>
        server.request(path, { method: 'PATCH', headers, body: JSON.stringify({ canIssue }) });
      const seen = await play((player) =>
        player % 5 === 0 ? pause(player % 2 === 0) : postJson(server, '/v1/documents', tenant.headers, SIMPLE_INVOICE),
      );
      const created = seen.filter(({ status }) => status === 201).length;
      const others = new Set(seen.map(reported).filter((answer) => answer !== '201' && answer !== '200'));
      expect([...others].filter((answer) => answer !== '403 ISSUER_ISSUING_PAUSED')).toEqual([]);
      const list = await server.request('/v1/documents', { headers: tenant.headers });
      expect(await list.json()).toMatchObject({ pagination: { total: created } });
    });
  });
});

// --- internal ---

function reported({ status, text }: Seen): string {
  if (status < 400) return String(status);
  const { code, reason } = JSON.parse(text) as { code: string; reason?: string };
  return [status, code, reason].filter((part) => part !== undefined).join(' ');
}
