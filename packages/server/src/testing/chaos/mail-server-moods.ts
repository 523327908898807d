import { createSimulator } from 'sri-core/simulator';
import { createTestClock } from 'sri-core/testing';
import { openSmtpSink, type SinkMode } from '../smtp-sink.js';
import { TEST_NOW, type TestServer } from '../test-server.js';
import { authorizeInvoice, type ChaosAccount, openChaosAccount } from './chaos-account.js';
import { takeAllForVerified } from './chaos-tenant.js';
import { traceMails } from './document-fate.js';
import type { Fault, FaultContext, FaultCount } from './fault.js';
import { openInProcessServer } from './in-process-server.js';
import { createSeededRandom } from './seeded-random.js';

/** A mail server that randomly rejects, hangs, disconnects or is down. A run is the mail of one document. */
export const mailServerMoods: Fault = {
  name: 'mail-server-moods',
  about: 'a mail server that is away, refuses now or for good, hangs or breaks off after the mail, refuses our login',
  databases: ['sqlite', 'postgres'],
  shortRuns: 20,
  longRuns: 300,
  run,
};

// --- internal ---

const MODES: readonly SinkMode[] = ['4xx', '5xx', 'drop', 'hang', 'noRecipient', 'noLogin', 'ok'];

/** Five attempts take 81 minutes; then the test requests an abandoned mail once more. */
const ROUGH_MINUTES = [1, 5, 15, 60, 60];

async function run(context: FaultContext): Promise<FaultCount> {
  const clock = createTestClock(TEST_NOW);
  const random = createSeededRandom(context.seed);
  const sink = await openSmtpSink();
  const { handle: transport } = createSimulator({ clock, capacity: 1_000_000 });
  const settings = {
    SMTP_URL: sink.url,
    SMTP_TIMEOUT: '300ms',
    MAIL_TO_BUYERS: 'on',
    SANDBOX_MAILS_PER_DAY: '1000000',
    SRI_CONCURRENCY: '32',
  };
  const server = await openInProcessServer(context, { clock, transport, settings });
  try {
    const account = await openChaosAccount(server);
    await server.services.database.transaction(takeAllForVerified);
    const accessKeys: string[] = [];
    for (let number = 0; number < context.runs; number += 1) {
      accessKeys.push(await authorizeInvoice(server, account, addressOf(number)));
    }

    const met = new Set<string>();
    for (const minutes of ROUGH_MINUTES) {
      const isAway = random.chance(0.2);
      met.add(isAway ? 'away' : 'there');
      if (isAway) await sink.down();
      for (let number = 0; number < context.runs; number += 1)
        sink.modeByRecipient.set(addressOf(number), random.pick(MODES));
      sink.mode = random.chance(0.2) ? 'noLogin' : 'ok';
      await server.tick();
      if (isAway) await sink.up();
      await clock.advance(minutes * 60_000);
    }
    sink.modeByRecipient.clear();
    sink.mode = 'ok';
    sink.hangUp();
    await server.tick();
    const given = await statuses(server, account, accessKeys);
    for (const [index, accessKey] of accessKeys.entries()) {
      if (given[index]?.mail === 'SENT') continue;
      const init = { method: 'POST', headers: account.headers, body: '{}' };
      await server.request(`/v1/documents/${accessKey}/email-retry`, init);
    }
    await server.tick();

    const after = await statuses(server, account, accessKeys);
    const traces = accessKeys.map((_, number) => traceMails(sink, addressOf(number)));
    context.say(
      `${given.filter(({ mail }) => mail === 'SENT').length} sent within the schedule, ` +
        `${given.filter(({ mail }) => mail === 'FAILED').length} given up and asked for again; ` +
        `${sink.mails.length} mails taken, the mail server was ${[...met].join(' and ')}`,
    );
    return {
      runs: context.runs,
      lost:
        traces.filter(({ sent }) => sent === 0).length + after.filter(({ status }) => status !== 'AUTHORIZED').length,
      duplicated: traces.filter(({ ids }) => ids > 1).length,
      stuck: after.filter(({ mail }) => mail !== 'SENT').length,
    };
  } finally {
    await server.close();
    await sink.down();
  }
}

const addressOf = (number: number) => `buyer${number}@ejemplo.ec`;

async function statuses({ services }: TestServer, { issuerId }: ChaosAccount, accessKeys: readonly string[]) {
  const scope = { issuerId, environment: 'sandbox' } as const;
  const documents = await Promise.all(accessKeys.map((key) => services.engine.get(scope, key)));
  return documents.map(({ status, mail }) => ({ status, mail: mail.status }));
}
