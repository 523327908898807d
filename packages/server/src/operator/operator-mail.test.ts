import { expect, it } from 'vitest';
import { createLogger } from '../platform/ops/logging.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { registerTenant } from '../testing/test-tenant.js';
import { createOperatorMail } from './operator-mail.js';

const OPERATOR = 'ops@operator.example';

describeOnDatabases('an outage of the SRI', await databaseKinds(), (open) => {
  const openAway = async (settings: Readonly<Record<string, string>>) => {
    const sri = { isAway: true };
    const lines: string[] = [];
    const server: TestServer = await open({
      settings,
      logger: createLogger({ logLevel: 'info', logFormat: 'json' }, { write: (line) => void lines.push(line) }),
      transport: async (request) => (sri.isAway ? new Response('', { status: 503 }) : server.simulator.handle(request)),
    });
    const documents = documentsOf(server, await registerTenant(server));
    const failMany = async () => {
      for (let index = 0; index < 6; index += 1) {
        await documents.send((await documents.create()).accessKey);
        await server.tick();
        await server.clock.advance(1_000);
      }
      await server.services.background.idle();
    };
    return { server, sri, failMany, lines };
  };
  const toOperator = async (server: TestServer) =>
    (await server.mails()).filter((mail) => mail.includes(`To: ${OPERATOR}`));
  const subjects = (mails: readonly string[]) => mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]);

  it('an outage mails the operator at its beginning and its end, and the log has its beginning', async () => {
    const { server, sri, failMany, lines } = await openAway({ OPERATOR_EMAIL: OPERATOR });
    await failMany();
    const [begin = ''] = await toOperator(server);
    expect(begin).toContain('503');
    sri.isAway = false;
    await server.tickAfter(30_000);
    await server.services.background.idle();
    expect(subjects(await toOperator(server))).toEqual([
      'El SRI no responde (pruebas)',
      'El SRI responde de nuevo (pruebas)',
    ]);
    const logged = lines.find((line) => line.includes('the SRI answers again')) ?? '{}';
    expect(JSON.parse(logged)).toMatchObject({
      environment: 'sandbox',
      since: expect.stringMatching(/^2026-11-21T15:/),
    });
    sri.isAway = true;
    await failMany();
    expect(await toOperator(server)).toHaveLength(2);
  });

  it('an outage of production is mailed within the hour of an outage of the sandbox', async () => {
    const server = await open();
    const { limits, background, clock, newId, outbox } = server.services;
    const parts = { limits, background, clock, newId, transport: outbox.transport, baseUrl: 'https://api.example.com' };
    const mail = createOperatorMail({ ...parts, address: OPERATOR });
    for (const environment of ['sandbox', 'production', 'sandbox'] as const) {
      mail.sriHeld({ environment, operation: 'SEND', reason: 'HTTP 503' });
    }
    await background.idle();
    expect(await toOperator(server)).toHaveLength(2);
  });

  it('an outage sends no mail without an address of the operator', async () => {
    const { server, failMany } = await openAway({});
    await failMany();
    expect((await server.mails()).filter((mail) => mail.includes('El SRI no responde'))).toEqual([]);
  });
});
