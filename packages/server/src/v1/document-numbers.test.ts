import { beforeAll, expect, it } from 'vitest';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import { registerTenant, type TestTenant } from '../testing/test-tenant.js';

/** Documents of each creator. */
const EACH = 4;

describeOnDatabases('numbers', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await open();
    tenant = await registerTenant(server);
  });

  it('[R221] [R226] 50 creators at once, while the counter is moved: none twice, and no gap but the moves', async () => {
    const { engine } = server.services;
    const counter = { issuerId: tenant.issuerId, environment: 'sandbox', documentType: '01' } as const;
    const documents = documentsOf(server, tenant);
    /** Numbers the counter was moved to. */
    const moves: number[] = [];
    const move = async () => {
      const next = (await engine.nextSequential(counter)) + 7;
      try {
        await engine.setNextSequential(counter, next);
        moves.push(next);
      } catch (error) {
        // The creators were faster.
        expect(error).toMatchObject({ code: 'SEQUENTIAL_CANNOT_DECREASE' });
      }
    };
    const creators = Array.from({ length: 50 }, async (_, index) => {
      const numbers: number[] = [];
      for (let count = 0; count < EACH; count += 1) {
        if (index % 10 === count) await move();
        numbers.push(Number((await documents.create()).sequential));
      }
      return numbers;
    });
    const numbers = (await Promise.all(creators)).flat().toSorted((a, b) => a - b);

    expect(new Set(numbers).size).toBe(50 * EACH);
    expect(moves.length).toBeGreaterThan(0);
    const ends = [...numbers, await engine.nextSequential(counter)];
    const afterGaps = ends.filter((number, index) => number !== (ends[index - 1] ?? 0) + 1);
    expect(moves).toEqual(expect.arrayContaining(afterGaps));
    expect(afterGaps.length).toBeGreaterThan(0);
  });
});
