import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { invoicesOf, sampleBatch } from './testing/sample-batches.js';
import { findPostgres, SQLITE, type TestDatabase } from './testing/test-databases.js';

describe.each([SQLITE, await findPostgres()])('several processes on one $name', ({ missing, create }) => {
  describe.skipIf(missing)('creates of one issuer', () => {
    let database: TestDatabase;
    afterEach(() => database.remove());

    it('several processes give each number once, without a gap', async () => {
      database = await create();
      const counter = invoicesOf();
      const processes = [1, 2, 3].map(() => startCreating(database.place, counter.issuerId, 30));
      const given = (await Promise.all(processes.map(({ numbers }) => numbers))).flat();
      expect(given.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 90 }, (_, index) => index + 1));
      const storage = await database.open();
      expect(await storage.nextSequential(counter)).toBe(91);
    });

    it('killed processes lose no acknowledged document and no number', async () => {
      database = await create();
      const counter = invoicesOf();
      const given: number[] = [];
      for (const patience of [3, 12]) {
        const steady = startCreating(database.place, counter.issuerId, 10);
        const killed = startCreating(database.place, counter.issuerId, 1000, patience);
        given.push(...(await steady.numbers), ...(await killed.numbers));
      }
      const storage = await database.open();
      const next = await storage.nextSequential(counter);
      const rows = await storage.kysely
        .selectFrom('sri_documents as document')
        .innerJoin('sri_contents as contents', 'contents.document_id', 'document.id')
        .innerJoin('sri_events as event', 'event.document_id', 'document.id')
        .innerJoin('sri_access_keys as known_key', 'known_key.document_id', 'document.id')
        .select('document.sequential')
        .orderBy('document.sequential')
        .execute();
      const stored = rows.map((row) => row.sequential);
      expect(stored).toEqual(Array.from({ length: next - 1 }, (_, index) => index + 1));
      expect(new Set(given).size).toBe(given.length);
      expect(given.filter((number) => !stored.includes(number))).toEqual([]);
    });
  });
});

describe.each([SQLITE, await findPostgres()])('a process on $name that is killed', ({ missing, create }) => {
  it.skipIf(missing)(
    'a process killed during many changes leaves each document changed or unchanged, and the figures exact',
    async () => {
      const database = await create();
      const storage = await database.open();
      const counter = invoicesOf();
      await storage.storeDocuments(sampleBatch(1, 600, counter));
      const changed: number[] = [];
      for (const patience of [5, 60, 90]) {
        changed.push(...(await start('changing-process', [database.place, counter.issuerId], patience).numbers));
      }
      const rows = await storage.kysely
        .selectFrom('sri_documents as document')
        .innerJoin('sri_events as event', 'event.document_id', 'document.id')
        .select(({ fn }) => ['document.sequential', 'document.status', 'document.revision', fn.countAll().as('events')])
        .where('document.issuer_id', '=', counter.issuerId)
        .groupBy(['document.sequential', 'document.status', 'document.revision'])
        .execute();
      const states = new Set(rows.map(({ status, revision, events }) => `${status} ${revision} ${events}`));
      expect(states).toEqual(new Set(['SIGNED 1 1', 'VOIDED 2 2']));
      const voided = rows.filter(({ status }) => status === 'VOIDED').map(({ sequential }) => sequential);
      expect(changed.filter((number) => !voided.includes(number))).toEqual([]);
      const figures = await storage.documentFigures(counter);
      expect(figures.map(({ status, count }) => [status, count])).toEqual([
        ['SIGNED', 600 - voided.length],
        ['VOIDED', voided.length],
      ]);
      await database.remove();
    },
  );
});

function startCreating(place: string, issuerId: string, share: number, killAfter = Number.POSITIVE_INFINITY) {
  return start('creating-process', [place, issuerId, String(share)], killAfter);
}

/** @param killAfter ends the process with SIGKILL once that many numbers were acknowledged. */
function start(name: string, parameters: readonly string[], killAfter: number) {
  const path = fileURLToPath(new URL(`./testing/${name}.ts`, import.meta.url));
  const options = ['--import', new URL('../../server/src/testing/typescript-hooks.ts', import.meta.url).href];
  const child = spawn(process.execPath, [...options, path, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  async function collect(): Promise<number[]> {
    const complaints = text(child.stderr);
    const exit = once(child, 'exit');
    const numbers: number[] = [];
    for await (const line of createInterface(child.stdout)) {
      numbers.push(Number(line));
      if (numbers.length === killAfter) child.kill('SIGKILL');
    }
    const [code] = await exit;
    if (killAfter === Number.POSITIVE_INFINITY && code !== 0) throw new Error(await complaints);
    return numbers;
  }
  return { numbers: collect() };
}
