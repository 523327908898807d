import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeReplicas } from '../testing/replicas.js';
import { everyDatabaseKind } from '../testing/test-databases.js';
import type { TestServer } from '../testing/test-server.js';
import {
  createDocument,
  postJson,
  registerTenant,
  type ShownDocument,
  SIMPLE_INVOICE,
} from '../testing/test-tenant.js';

describeReplicas('a counter that another server moves without a pause', await everyDatabaseKind(), (openReplica) => {
  /** Moves the counter until the returned function is called, which resolves to the number of moves. */
  function startMoving({ storage }: TestServer, issuerId: string) {
    const counter = { issuerId, environment: 'sandbox', documentType: '01' } as const;
    let isMoving = true;
    async function move(): Promise<number> {
      let moves = 0;
      for (; isMoving; moves += 1) {
        await storage.setNextSequential(counter, (await storage.nextSequential(counter)) + 1);
        // In production another process moves the counter, and does not block this process.
        await setImmediate();
      }
      return moves;
    }
    const moving = move();
    return () => {
      isMoving = false;
      return moving;
    };
  }

  it('an endless move of a counter blocks neither creates nor the resequence of a returned document', {
    timeout: 120_000,
  }, async () => {
    const [server, other] = [await openReplica(), await openReplica()];
    const tenant = await registerTenant(server);
    const buyer = { ...SIMPLE_INVOICE.buyer, id: 'SRI-RETURNED-45' };
    const { accessKey } = await createDocument(server, tenant, { ...SIMPLE_INVOICE, buyer });
    await postJson(server, `/v1/documents/${accessKey}/send`, tenant.headers, {});
    await server.tick();

    const stop = startMoving(other, tenant.issuerId);
    const [response, ...made] = await Promise.all([
      postJson(server, `/v1/documents/${accessKey}/rebuild`, tenant.headers, { resequence: true }),
      ...Array.from({ length: 10 }, () => createDocument(server, tenant)),
    ]).finally(stop);
    const moves = await stop();

    expect(response.status).toBe(200);
    const { document } = (await response.json()) as { document: ShownDocument };
    const numbers = [...made, document].map(({ sequential }) => Number(sequential));
    expect(new Set(numbers).size).toBe(11);
    expect(Math.min(...numbers)).toBeGreaterThan(1);
    expect(moves).toBeGreaterThan(0);
  });
});
