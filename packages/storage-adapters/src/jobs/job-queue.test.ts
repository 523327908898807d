import { expect, it } from 'vitest';
import { invoicesOf, sampleBatch } from '../testing/sample-batches.js';
import { SQLITE } from '../testing/test-databases.js';

it('a claim takes jobs of more issuers than one statement of SQLite can name', async () => {
  const database = await SQLITE.create();
  try {
    const storage = await database.open();
    const now = new Date('2026-11-28T15:00:00Z');
    const job = { operation: 'SEND', status: 'PENDING', attemptCount: 0, lastError: null } as const;
    const batches = Array.from({ length: 501 }, () => {
      const batch = sampleBatch(1, 1, invoicesOf());
      const documents = batch.documents.map((added) => ({
        ...added,
        document: { ...added.document, job: { ...job, dueAt: now, unconfirmed: false, running: false } },
      }));
      return { ...batch, documents };
    });
    await Promise.all(batches.map((batch) => storage.storeDocuments(batch)));
    const claimed = await storage.claimJobs({ now, limit: 600, leaseMs: 60_000 });
    expect(new Set(claimed.map(({ document }) => document.issuerId)).size).toBe(501);
  } finally {
    await database.remove();
  }
});
