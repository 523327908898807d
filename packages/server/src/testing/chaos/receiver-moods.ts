import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createSimulator } from 'sri-core/simulator';
import { createTestClock } from 'sri-core/testing';
import { verifyWebhook } from 'sri-core/webhooks';
import { TEST_NOW, type TestServer } from '../test-server.js';
import { authorizeInvoice, type ChaosAccount, openChaosAccount } from './chaos-account.js';
import { addEndpoint, takeAllForVerified } from './chaos-tenant.js';
import type { Fault, FaultContext, FaultCount } from './fault.js';
import { openInProcessServer } from './in-process-server.js';
import { createSeededRandom, type SeededRandom } from './seeded-random.js';

/** A webhook receiver with every fault, and a healthy one of another account. A run is one notified document. */
export const receiverMoods: Fault = {
  name: 'receiver-moods',
  about: 'a webhook receiver that is away, refuses, redirects inside, hangs, breaks off, floods us or sends a bomb',
  databases: ['sqlite', 'postgres'],
  shortRuns: 20,
  longRuns: 300,
  run,
};

// --- internal ---

const MOODS = ['well', 'well', 'error', 'redirect', 'silence', 'reset', 'garbage', 'flood', 'bomb'] as const;
type Mood = (typeof MOODS)[number];
/** The moods whose status acknowledges, whatever follows it. */
const ACKNOWLEDGING: ReadonlySet<Mood> = new Set(['well', 'flood', 'bomb']);
const BOMB = gzipSync(Buffer.alloc(20_000_000));

async function run(context: FaultContext): Promise<FaultCount> {
  const clock = createTestClock(TEST_NOW);
  const random = createSeededRandom(context.seed);
  const { handle: transport } = createSimulator({ clock, capacity: 1_000_000 });
  const settings = {
    MAIL_TO_BUYERS: 'off',
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_TIMEOUT: '300ms',
  };
  const server = await openInProcessServer(context, { clock, transport, settings });
  const [moody, sound] = [await openMoody(random), await openMoody(null)];
  try {
    const [troubled, other] = [await openChaosAccount(server, 1), await openChaosAccount(server, 2)];
    await server.services.database.transaction(takeAllForVerified);
    moody.secret = await addEndpoint(server, troubled, moody.url);
    sound.secret = await addEndpoint(server, other, sound.url);
    for (let number = 0; number < context.runs; number += 1) {
      await authorizeInvoice(server, troubled);
      await authorizeInvoice(server, other);
      // Documents within a minute share a notification; each raises its count.
      if (random.chance(0.3)) await clock.advance(61_000);
      await server.tick();
    }
    // Time for three attempts, half a minute and two minutes apart, and for the attempts themselves.
    for (let wait = 0; wait < 5 || (wait < 500 && (await waits(server, troubled))); wait += 1) {
      await clock.advance(180_000);
      await server.tick();
    }
    const rough = await deliveriesOf(server, troubled);
    const failed = rough.filter(({ status }) => status === 'FAILED');
    moody.mood = 'well';
    for (const { id, endpointId } of failed) {
      const path = `/v1/webhooks/${endpointId}/deliveries/${id}/redeliver`;
      await server.request(path, { method: 'POST', headers: troubled.headers, body: '{}' });
      await server.tick();
    }

    const all = [...(await deliveriesOf(server, troubled)), ...(await deliveriesOf(server, other))];
    const risesOf = async (account: ChaosAccount) => (await countsOf(server, account)).flatMap(risesTo);
    const wanted = [...(await risesOf(troubled)), ...(await risesOf(other))];
    const delivered = new Map([...moody.delivered, ...sound.delivered]);
    context.say(
      `${failed.length} given up after three attempts and delivered again when asked; ${moody.attempts} attempts at ` +
        `the moody one, ${sound.attempts} at the other; inside addresses reached by redirects: ${moody.followed}`,
    );
    return {
      runs: context.runs,
      lost: wanted.filter((rise) => !delivered.has(rise)).length + Math.abs(wanted.length - 2 * context.runs),
      duplicated:
        [...delivered.values()].filter((ids) => ids.size > 1).length +
        moody.followed +
        sound.attempts -
        sound.delivered.size,
      stuck: all.filter(({ status }) => status === 'PENDING').length,
    };
  } finally {
    await server.close();
    moody.close();
    sound.close();
  }
}

interface MoodyReceiver {
  readonly url: string;
  secret: string;
  /** Its mood; null for a random one at each request. */
  mood: Mood | null;
  /** The acknowledged rises as `notification count`, with the ids of their deliveries. */
  readonly delivered: ReadonlyMap<string, ReadonlySet<string>>;
  readonly attempts: number;
  /** The number of requests that followed a redirect. */
  readonly followed: number;
  close(): void;
}

/** @param random picks its moods; null for a receiver that is always well. */
async function openMoody(random: SeededRandom | null): Promise<MoodyReceiver> {
  const delivered = new Map<string, Set<string>>();
  let attempts = 0;
  let followed = 0;
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== '/') {
      followed += 1;
      response.end();
      return;
    }
    attempts += 1;
    const rawBody = Buffer.concat(await request.toArray());
    const mood = receiver.mood ?? random?.pick(MOODS) ?? 'well';
    // The server's clock was moved, so the age of a message means nothing here.
    const toleranceMs = Number.POSITIVE_INFINITY;
    const { headers } = request;
    const { deliveryId, data } = verifyWebhook({ rawBody, headers, secret: receiver.secret, toleranceMs });
    const { count } = (data.metadata ?? { count: 1 }) as { readonly count: number };
    const rise = `${data.id} ${count}`;
    if (ACKNOWLEDGING.has(mood)) delivered.set(rise, (delivered.get(rise) ?? new Set()).add(deliveryId));
    answer(mood, response);
  }
  const server = createServer((request, response) => void receive(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  function answer(mood: Mood, response: ServerResponse): void {
    response.on('error', () => {});
    if (mood === 'error') response.writeHead(500).end('no');
    else if (mood === 'redirect') response.writeHead(301, { location: `${url}inside` }).end();
    else if (mood === 'reset') response.socket?.resetAndDestroy();
    else if (mood === 'garbage') response.socket?.end('220 mail.example ESMTP\r\n');
    else if (mood === 'bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB);
    else if (mood === 'flood') flood(response);
    else if (mood === 'well') response.writeHead(204).end();
  }
  const receiver: MoodyReceiver = {
    url,
    secret: '',
    mood: random ? null : 'well',
    delivered,
    get attempts() {
      return attempts;
    },
    get followed() {
      return followed;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return receiver;
}

/** Sends bytes without end while the client reads them. */
function flood(response: ServerResponse): void {
  response.writeHead(200);
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536)));
  };
  response.on('drain', more);
  more();
}

function deliveriesOf({ services }: TestServer, { tenantId }: ChaosAccount) {
  return services.database.read(async (tables) => {
    const rows = await tables
      .selectFrom('jobs')
      .select(['id', 'lane', 'status'])
      .where('kind', '=', 'WEBHOOK')
      .where('tenant_id', '=', tenantId)
      .execute();
    return rows.map(({ id, lane, status }) => ({ id, endpointId: lane, status }));
  });
}

async function waits(server: TestServer, account: ChaosAccount): Promise<boolean> {
  return (await deliveriesOf(server, account)).some(({ status }) => status === 'PENDING');
}

/** The document counts of an account's notifications. */
function countsOf({ services }: TestServer, { tenantId }: ChaosAccount) {
  return services.database.read(async (tables) => {
    const rows = await tables
      .selectFrom('notifications')
      .select(['id', 'metadata'])
      .where('tenant_id', '=', tenantId)
      .where('type', '=', 'DOCUMENT_AUTHORIZED')
      .execute();
    return rows.map(({ id, metadata }) => ({ id, count: (JSON.parse(metadata ?? '{}') as { count: number }).count }));
  });
}

/** Every value of a count so far; each one was notified. */
function risesTo({ id, count }: { readonly id: string; readonly count: number }): string[] {
  return Array.from({ length: count }, (_, before) => `${id} ${before + 1}`);
}
