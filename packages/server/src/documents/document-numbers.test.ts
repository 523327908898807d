import { setImmediate } from 'node:timers/promises';
import { DOCUMENT_TYPES, type DocumentType } from 'sri-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { everyDatabaseKind } from '../testing/test-databases.js';
import { documentsOf } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import {
  postJson,
  registerTenant,
  type ShownDocument,
  SIMPLE_INVOICE,
  type TestTenant,
} from '../testing/test-tenant.js';
import { ALL_TYPES, BY_SEED, bodyOf } from '../testing/type-bodies.js';

/** Documents of each creator. */
const EACH = 4;

describeOnDatabases('numbers', await everyDatabaseKind(), (open) => {
  let server: TestServer;
  let second: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    server = await open();
    second = await open({ beside: server });
    tenant = await registerTenant(server, { documentTypes: '["01","04"]' });
  });

  it('[R221] [R226] 50 concurrent creators use no number twice while the counter is moved, and leave no other gap', async () => {
    const { engine } = server.services;
    const counter = { issuerId: tenant.issuerId, environment: 'sandbox', documentType: '01' } as const;
    const documents = documentsOf(server, tenant);
    /** The numbers to which the counter was moved. */
    const moves: number[] = [];
    const move = async () => {
      const next = (await engine.nextSequential(counter)) + 7;
      try {
        await engine.setNextSequential(counter, next);
        moves.push(next);
      } catch (error) {
        // A creator took a higher number first.
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

  it('a counter that another caller moves in a loop does not block creates', async () => {
    const busy = await registerTenant(server);
    const counter = { issuerId: busy.issuerId, environment: 'sandbox', documentType: '01' } as const;
    const moves = new Set<number>();
    let done = false;
    const giveUpAt = performance.now() + 20_000;
    const mover = async () => {
      while (!done && performance.now() < giveUpAt) {
        const next = (await second.services.engine.nextSequential(counter)) + 10;
        moves.add(next);
        await second.services.engine.setNextSequential(counter, next).catch(() => {});
        // SQLite answers synchronously, and such a loop would block this process.
        await setImmediate();
      }
    };
    const moving = Promise.all([mover(), mover()]);
    const documents = documentsOf(server, busy);
    const made = await Promise.all(Array.from({ length: 20 }, () => documents.create())).finally(() => {
      done = true;
    });
    await moving;
    expect(performance.now()).toBeLessThan(giveUpAt);
    const numbers = made.map(({ sequential }) => Number(sequential)).toSorted((a, b) => a - b);
    expect(new Set(numbers).size).toBe(20);
    expect(numbers.filter((number, index) => number !== (numbers[index - 1] ?? 0) + 1 && !moves.has(number))).toEqual(
      [],
    );
  });

  describe.each([
    { where: 'one server', pick: () => server },
    { where: 'two servers', pick: (index: number) => (index % 2 ? server : second) },
  ])('one idempotency key at $where', ({ where, pick }) => {
    /** Sends the bodies concurrently, alternating, under one key. */
    async function createAtOnce(key: string, bodies: readonly unknown[]) {
      const owner = await registerTenant(server, { documentTypes: ALL_TYPES });
      const headers = { ...owner.headers, 'idempotency-key': key };
      const answers = await Promise.all(
        bodies.map(async (body, index) => {
          const response = await postJson(pick(index >> 1), '/v1/documents', headers, body);
          const { document, ...problem } = (await response.json()) as {
            document?: ShownDocument;
            code?: string;
            reason?: string;
          };
          const replayed = response.headers.get('idempotent-replayed');
          return { index, status: response.status, replayed, document, ...problem };
        }),
      );
      const { engine } = server.services;
      const scope = { issuerId: owner.issuerId, environment: 'sandbox' } as const;
      const taken = async (documentType: DocumentType) => (await engine.nextSequential({ ...scope, documentType })) - 1;
      return {
        answers,
        made: answers.filter(({ status }) => status === 201),
        stored: (await engine.list(scope, { page: 1, limit: 10 })).total,
        numbersTaken: (await Promise.all(DOCUMENT_TYPES.map(taken))).reduce((sum, numbers) => sum + numbers, 0),
      };
    }

    it.each([
      { of: '01', body: SIMPLE_INVOICE },
      { of: BY_SEED.name, body: bodyOf(BY_SEED.type) },
    ])('[R224] [R226] 50 concurrent identical requests create one document and take one number: $of', async (each) => {
      const bodies = Array.from({ length: 50 }, () => each.body);
      const { answers, made, stored, numbersTaken } = await createAtOnce(`same ${each.of} at ${where}`, bodies);
      expect(made).toHaveLength(1);
      expect(made[0]?.replayed).toBeNull();
      const others = answers.filter(({ status, replayed }) => status === 200 && replayed === 'true');
      expect(others).toHaveLength(49);
      expect(new Set(answers.map(({ document }) => document?.accessKey)).size).toBe(1);
      expect({ stored, numbersTaken }).toEqual({ stored: 1, numbersTaken: 1 });
    });

    it.each([
      { other: 'another buyer', body: { ...SIMPLE_INVOICE, buyer: { ...SIMPLE_INVOICE.buyer, name: 'Otra' } } },
      { other: `another type, ${BY_SEED.name}`, body: bodyOf(BY_SEED.type) },
    ])(
      '[R225] [R226] 50 concurrent requests, half with $other, create one document, and one half conflicts',
      async ({ other, body }) => {
        const bodies = Array.from({ length: 50 }, (_, index) => (index % 2 ? body : SIMPLE_INVOICE));
        const { answers, made, stored, numbersTaken } = await createAtOnce(`${other} at ${where}`, bodies);
        expect(made).toHaveLength(1);
        const winner = (made[0]?.index ?? 0) % 2;
        for (const answer of answers.filter(({ status }) => status !== 201)) {
          expect(answer).toMatchObject(
            answer.index % 2 === winner
              ? { status: 200, replayed: 'true', document: { accessKey: made[0]?.document?.accessKey } }
              : { status: 409, code: 'CONFLICT', reason: 'IDEMPOTENCY_KEY_REUSED' },
          );
        }
        expect({ stored, numbersTaken }).toEqual({ stored: 1, numbersTaken: 1 });
      },
    );
  });
});
