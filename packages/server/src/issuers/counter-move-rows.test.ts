import { expect, it } from 'vitest';
import { checkInvariants } from '../ops/invariants/check-invariants.js';
import { partsOf } from '../testing/invariant-suite.js';
import { promoted, readyTenant, WEB_SETTINGS } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { createDocument, sendJson } from '../testing/test-tenant.js';

describeOnDatabases('moves of counters', await databaseKinds(), (open) => {
  const movesOf = ({ services }: TestServer) =>
    services.database.read((tables) =>
      tables
        .selectFrom('counter_moves')
        .select(['environment', 'document_type', 'next_sequential'])
        .orderBy('environment')
        .orderBy('document_type')
        .orderBy('next_sequential')
        .execute(),
    );
  const move = (environment: string, document_type: string, next_sequential: number) => ({
    environment,
    document_type,
    next_sequential,
  });

  it('every move of a counter is recorded', async () => {
    const server = await open({ settings: WEB_SETTINGS });
    const initialSequentials = JSON.stringify([{ documentType: '01', sequential: 7 }]);
    const sandbox = await readyTenant(server, { initialSequentials });
    await createDocument(server, sandbox);
    for (const nextSequential of [20, 19, 31]) {
      await sendJson(server, 'PATCH', `/v1/issuers/${sandbox.issuerId}/sequentials/01`, sandbox.auth, {
        environment: 'sandbox',
        nextSequential,
      });
    }
    await createDocument(server, sandbox);
    await promoted(server, sandbox);
    const made = [move('production', '01', 7), move('sandbox', '01', 7), move('sandbox', '01', 31)];
    expect(await movesOf(server)).toEqual([...made, move('sandbox', '01', 20)].toSorted(byNumber));
    expect(await checkInvariants(partsOf(server))).toEqual([]);
  });
});

function byNumber(a: { environment: string; next_sequential: number }, b: typeof a): number {
  return a.environment < b.environment ? -1 : a.environment > b.environment ? 1 : a.next_sequential - b.next_sequential;
}
