import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { StoredDocument } from 'sri-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { KyselyStorage } from '../kysely-storage.js';
import { runMigrations } from '../migrator.js';
import { invoicesOf, sampleBatch } from '../testing/sample-batches.js';
import { findPostgres, SQLITE, type TestDatabase } from '../testing/test-databases.js';
import { CORE_MIGRATIONS } from './index.js';

const EARLIER = { ...CORE_MIGRATIONS, migrations: CORE_MIGRATIONS.migrations.slice(0, 5) };
const COUNTER = invoicesOf('01990000-0000-7000-8000-00000000000c');
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const AT = new Date('2026-11-21T12:00:00Z');

describe.each([SQLITE, await findPostgres()])('006-compact on $name', ({ missing, create }) => {
  describe.skipIf(missing)('documents, and their histories', () => {
    const made: TestDatabase[] = [];
    afterEach(async () => {
      for (const database of made.splice(0)) await database.remove();
    });
    async function openEarlier(): Promise<KyselyStorage> {
      const database = await create();
      made.push(database);
      const storage = await database.open({ migrate: false });
      await runMigrations(storage.kysely, storage.traits, EARLIER);
      return storage;
    }

    it('of before are read as they were written, in the form of then', async () => {
      const storage = await openEarlier();
      const document = await storeAuthorized(storage);
      const before = await readAll(storage, document);
      expect(before.document).toMatchObject({ payloadHash: HASH, authorization: { number: document.accessKey } });
      expect(before.events).toHaveLength(2);
      await writeAsBefore(storage, document, before);
      expect(await readAll(storage, document)).toEqual(before);
      await storage.migrate();
      expect(await readAll(storage, document)).toEqual(before);
    });

    it('are written and listed after it', async () => {
      const storage = await openEarlier();
      await storage.migrate();
      const document = await storeAuthorized(storage);
      const { events, responses } = await readAll(storage, document);
      expect(events.map(({ toStatus }) => toStatus)).toEqual(['SIGNED', 'AUTHORIZED']);
      expect(responses.map(({ status }) => status)).toEqual(['AUTORIZADO', 'EN PROCESO']);
      const query = { status: 'AUTHORIZED', from: '2026-11-21', to: '2026-11-21', page: 1, limit: 5 } as const;
      for (const sortBy of ['issueDate', 'buyerName', 'createdAt'] as const) {
        const { documents, total } = await storage.listDocuments(COUNTER, { ...query, sortBy, buyerName: 'nú' });
        expect([total, documents.map(({ id }) => id)]).toEqual([1, [document.id]]);
      }
    });

    it('keep the number of an authorization that is not the access key, also when that changes', async () => {
      const storage = await openEarlier();
      await storage.migrate();
      const document = await storeAuthorized(storage, '1234567890');
      expect((await readAll(storage, document)).document?.authorization?.number).toBe('1234567890');

      const other = await storeAuthorized(storage);
      const accessKey = `${other.accessKey.slice(0, -1)}x` as StoredDocument['accessKey'];
      const change = { document: other, set: { accessKey }, events: [], responses: [], at: AT };
      expect(await storage.changeDocument(change)).toBe('applied');
      const changed = await storage.findDocument(COUNTER, accessKey);
      expect(changed?.authorization?.number).toBe(other.accessKey);
    });
  });
});

async function storeAuthorized(storage: KyselyStorage, number?: string): Promise<StoredDocument> {
  const batch = sampleBatch(await storage.nextSequential(COUNTER), 1, COUNTER);
  const documents = batch.documents.map((one) => ({ ...one, document: { ...one.document, payloadHash: HASH } }));
  expect(await storage.storeDocuments({ ...batch, documents })).toEqual({ kind: 'stored' });
  const [document] = documents.map((one) => one.document);
  if (!document) throw new Error('No document was made.');
  const set = {
    status: 'AUTHORIZED' as const,
    authorization: { number: number ?? document.accessKey, date: '2026-11-21T07:00:00-05:00' },
  };
  const toResponse = (status: string) => ({
    id: randomUUID(),
    operationType: 'AUTHORIZATION' as const,
    status,
    messages: [],
    createdAt: AT,
  });
  const outcome = await storage.changeDocument({
    document,
    set,
    events: [
      {
        id: randomUUID(),
        eventType: 'STATUS_CHANGED',
        fromStatus: 'SIGNED',
        toStatus: 'AUTHORIZED',
        detail: null,
        createdAt: AT,
      },
    ],
    responses: [toResponse('EN PROCESO'), toResponse('AUTORIZADO')],
    at: AT,
  });
  expect(outcome).toBe('applied');
  return { ...document, ...set, revision: document.revision + 1 };
}

async function readAll(storage: KyselyStorage, { accessKey }: StoredDocument) {
  return {
    document: await storage.findDocument(COUNTER, accessKey),
    events: await storage.documentEvents(COUNTER, accessKey),
    responses: await storage.sriResponses(COUNTER, accessKey),
  };
}

/** Puts rows into the form in which earlier versions wrote them. */
async function writeAsBefore(
  { kysely }: KyselyStorage,
  { id, accessKey }: StoredDocument,
  { events, responses }: Awaited<ReturnType<typeof readAll>>,
): Promise<void> {
  await sql`update sri_documents set authorization_number = ${accessKey}, payload_hash = ${HASH} where id = ${id}`.execute(
    kysely,
  );
  for (const [revision, event] of events.entries()) {
    await sql`update sri_events set id = ${event.id} where document_id = ${id} and revision = ${revision + 1}`.execute(
      kysely,
    );
  }
  for (const [position, response] of responses.toReversed().entries()) {
    await sql`update sri_responses set id = ${response.id} where document_id = ${id} and position = ${position}`.execute(
      kysely,
    );
  }
}
