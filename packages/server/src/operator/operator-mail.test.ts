import { expect, it } from 'vitest';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { registerTenant } from '../testing/test-tenant.js';

const OPERATOR = 'ops@operator.example';

describeOnDatabases('an outage of the SRI', await databaseKinds(), (open) => {
  const openAway = async (settings: Readonly<Record<string, string>>) => {
    const sri = { isAway: true };
    const server: TestServer = await open({
      settings,
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
    return { server, sri, failMany };
  };
  const toOperator = async (server: TestServer) =>
    (await server.mails()).filter((mail) => mail.includes(`To: ${OPERATOR}`));
  const subjects = (mails: readonly string[]) => mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]);

  it('mails the operator when it begins and when it ends', async () => {
    const { server, sri, failMany } = await openAway({ OPERATOR_EMAIL: OPERATOR });
    await failMany();
    const [begin = ''] = await toOperator(server);
    expect(begin).toContain('503');
    sri.isAway = false;
    await server.clock.advance(30_000);
    await server.tick();
    await server.services.background.idle();
    expect(subjects(await toOperator(server))).toEqual([
      'El SRI no responde (pruebas)',
      'El SRI responde de nuevo (pruebas)',
    ]);
    sri.isAway = true;
    await failMany();
    expect(await toOperator(server)).toHaveLength(2);
  });

  it('sends no mail without an address of the operator', async () => {
    const { server, failMany } = await openAway({});
    await failMany();
    expect((await server.mails()).filter((mail) => mail.includes('El SRI no responde'))).toEqual([]);
  });
});
