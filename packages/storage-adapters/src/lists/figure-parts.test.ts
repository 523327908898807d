import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { DocumentChange, StoredDocument } from 'sri-core';
import { expect, it } from 'vitest';
import { invoicesOf, sampleBatch } from '../testing/sample-batches.js';
import { findPostgres } from '../testing/test-databases.js';
import { findListFaults } from './faults.js';
import { createFigureParts } from './figure-parts.js';

const UPDATES = 64;
const SIGNED = { status: 'SIGNED', total: '115.00' } as const;
const RECEIVED = { status: 'RECEIVED', total: '100.00' } as const;
const postgres = await findPostgres();

it('a figure moves to its next part after 64 updates, in a circle', () => {
  const parts = createFigureParts(4);
  const chosen = Array.from({ length: 5 * UPDATES }, () => parts.of('often'));
  const turns = Array.from({ length: 5 }, (_, turn) => chosen.slice(turn * UPDATES, (turn + 1) * UPDATES));
  expect(turns.map((turn) => new Set(turn.map(({ part }) => part)).size)).toEqual([1, 1, 1, 1, 1]);
  const used = turns.map(([begun]) => begun?.part);
  expect(used[0]).toBe(0);
  expect(new Set(used.slice(1, 4))).toEqual(new Set([1, 2, 3]));
  expect(used[4]).toBe(used[1]);
  // The first update of a part names the part before it, but never the first part.
  expect(turns.map(([begun]) => begun?.full)).toEqual([null, null, used[1], used[2], used[3]]);
  expect(turns.flatMap(([, ...later]) => later).every(({ full }) => full === null)).toBe(true);
  expect(parts.of('rarely')).toEqual({ part: 0, full: null });
});

it('the parts of 10,000 figures are remembered, and the oldest is dropped for one more', () => {
  const parts = createFigureParts(4);
  for (let update = 0; update < UPDATES; update += 1) parts.of('first');
  for (let count = 1; count < 10_000; count += 1) parts.of(`other ${count}`);
  expect(parts.of('first').part).not.toBe(0);
  expect(parts.occupancy()).toEqual({ used: 10_000, limit: 10_000 });
  for (let count = 1; count <= 10_000; count += 1) parts.of(`other ${count}`);
  expect(parts.of('first').part).toBe(0);
  expect(parts.occupancy()).toEqual({ used: 10_000, limit: 10_000 });
});

it('a figure has one part where earlier versions of a row cost nothing', () => {
  const parts = createFigureParts(1);
  expect(new Set(Array.from({ length: 2 * UPDATES }, () => parts.of('often').part))).toEqual(new Set([0]));
});

it.skipIf(postgres.missing)('parts add up to exact figures, lists and counts', async () => {
  const database = await postgres.create();
  try {
    const storage = await database.open();
    const counter = invoicesOf();
    const { documents } = sampleBatch(1, 2, counter);
    await storage.storeDocuments({ counter, firstSequential: 1, documents });
    const [first] = documents.map(({ document }) => document) as [StoredDocument];
    // Each commit moves one document to another status.
    for (let revision = 1; revision <= 5 * UPDATES; revision += 1) {
      const [before, after] = revision % 2 === 0 ? [RECEIVED, SIGNED] : [SIGNED, RECEIVED];
      const event = { id: randomUUID(), eventType: 'CHANGED', fromStatus: null, toStatus: null, detail: null };
      const at = first.createdAt;
      const change: DocumentChange = {
        document: { ...first, ...before, revision },
        set: after,
        events: [{ ...event, createdAt: at }],
        responses: [],
        at,
      };
      expect(await storage.changeDocument(change)).toBe('applied');
    }
    // The first part, and the part that takes updates: the other parts were moved into the first.
    for (const key of ['status from sri_figures', 'block from sri_blocks', 'name from sri_names']) {
      const [column = ''] = key.split(' ');
      const parts = sql<{ parts: number }>`select cast(count(*) as integer) as parts, ${sql.raw(key)}
        group by ${sql.raw(column)} order by 1 desc limit 1`;
      expect((await parts.execute(storage.kysely)).rows[0]?.parts, key).toBe(key.startsWith('name') ? 1 : 2);
    }
    expect(await storage.documentFigures(counter)).toMatchObject([{ status: 'SIGNED', count: 2, total: '230.00' }]);
    const { total } = await storage.listDocuments(counter, { status: 'SIGNED', page: 1, limit: 1 });
    expect(total).toBe(2);
    expect((await storage.listDocuments(counter, { status: 'RECEIVED', page: 1, limit: 1 })).total).toBe(0);
    expect(await findListFaults(storage.kysely, 10)).toEqual([]);
    await sql`update sri_documents set status_group = null where id = ${first.id}`.execute(storage.kysely);
    const misgrouped = { object: `document ${first.id}`, explanation: 'it is SIGNED, in the group of AUTHORIZED' };
    expect(await findListFaults(storage.kysely, 10)).toEqual([misgrouped]);
    await sql`update sri_documents set status_group = 'OPEN'`.execute(storage.kysely);
    await sql`update sri_names set authorized = authorized + 1`.execute(storage.kysely);
    const fault = { object: expect.stringContaining('documents of a counterparty') };
    expect(await findListFaults(storage.kysely, 10)).toEqual([expect.objectContaining(fault)]);
    await sql`update sri_blocks set documents = documents + 1`.execute(storage.kysely);
    expect(await findListFaults(storage.kysely, 4)).toHaveLength(4);
  } finally {
    await database.remove();
  }
});
