import { drillOutage } from 'sri-core/testing';
import { describe, expect, it } from 'vitest';
import { findPostgres, SQLITE } from './testing/test-databases.js';

describe.each([
  { ...SQLITE, documents: 120, issuers: 12 },
  { ...(await findPostgres()), documents: 40, issuers: 8 },
])('an outage of the SRI for three hours, three processes on $name', ({ missing, create, documents, issuers }) => {
  it.skipIf(missing !== null)(
    'an outage of three hours spends one attempt at most, gives nothing up, and drains under one limit',
    async () => {
      const database = await create();
      try {
        const storages = [await database.open(), await database.open(), await database.open()];
        const outcome = await drillOutage({ storages, issuers, documents, outageMs: 3 * 3_600_000, concurrency: 8 });
        expect(outcome).toMatchObject({
          ends: { AUTHORIZED: documents },
          failed: 0,
          mostAuthorizations: 1,
          limitInTheEnd: null,
        });
        expect(outcome.mostSpent).toBeLessThanOrEqual(1);
        expect(outcome.mostAtOnce).toBeLessThanOrEqual(8);
        expect(outcome.probes).toBeLessThanOrEqual(130);
      } finally {
        await database.remove();
      }
    },
    180_000,
  );
});
