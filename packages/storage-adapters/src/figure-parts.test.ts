import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { DocumentChange, StoredDocument } from 'sri-core';
import { expect, it } from 'vitest';
import { createFigureParts } from './figure-parts.js';
import { findListFaults } from './list-faults.js';
import { invoicesOf, sampleBatch } from './testing/sample-batches.js';
import { findPostgres } from './testing/test-databases.js';

const UPDATES = 256;
const SIGNED = { status: 'SIGNED', total: '115.00' } as const;
const RECEIVED = { status: 'RECEIVED', total: '100.00' } as const;
const postgres = await findPostgres();

it('a figure goes on to its next part after 256 updates, and round', () => {
  const parts = createFigureParts(4);
  const chosen = Array.from({ length: 5 * UPDATES }, () => parts.of('hot'));
  const turns = Array.from({ length: 5 }, (_, turn) => new Set(chosen.slice(turn * UPDATES, (turn + 1) * UPDATES)));
  expect(turns.map((turn) => turn.size)).toEqual([1, 1, 1, 1, 1]);
  const [rare, ...frequent] = turns.map((turn) => [...turn][0]);
  expect(rare).toBe(0);
  expect(new Set(frequent.slice(0, 3))).toEqual(new Set([1, 2, 3]));
  expect(frequent[3]).toBe(frequent[0]);
  expect(parts.of('rare')).toBe(0);
});

it('of 10,000 figures each is remembered, of 10,001 the one updated longest ago is not', () => {
  const parts = createFigureParts(4);
  const often = (figure: string) => Array.from({ length: UPDATES }, () => parts.of(figure));
  often('first');
  for (let count = 1; count < 10_000; count += 1) parts.of(`other ${count}`);
  expect(parts.of('first')).not.toBe(0);
  for (let count = 1; count <= 10_000; count += 1) parts.of(`other ${count}`);
  expect(parts.of('first')).toBe(0);
});

it('has one part where a database has at most one', () => {
  const parts = createFigureParts(1);
  expect(new Set(Array.from({ length: 2 * UPDATES }, () => parts.of('hot')))).toEqual(new Set([0]));
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
    for (let revision = 1; revision <= UPDATES + 50; revision += 1) {
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
    const { rows } = await sql<{ part: number }>`select distinct part from sri_figures`.execute(storage.kysely);
    expect(rows.length).toBe(2);
    expect(await storage.documentFigures(counter)).toMatchObject([{ status: 'SIGNED', count: 2, total: '230.00' }]);
    const { total } = await storage.listDocuments(counter, { status: 'SIGNED', page: 1, limit: 1 });
    expect(total).toBe(2);
    expect((await storage.listDocuments(counter, { status: 'RECEIVED', page: 1, limit: 1 })).total).toBe(0);
    expect(await findListFaults(storage.kysely, 10)).toEqual([]);
  } finally {
    await database.remove();
  }
});
