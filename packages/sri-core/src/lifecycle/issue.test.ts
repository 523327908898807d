import { expect, it } from 'vitest';
import { EngineBusyError, IssuerNotFoundError, StorageUnavailableError } from '../errors.js';
import { type Bench, createBench, invoiceBody, SCOPE } from '../testing/engine-bench.js';
import { createMemoryStorage } from '../testing/memory-storage.js';
import { mailOf } from './issue.js';

it('a document gets a mail if and only if its counterparty has an address', () => {
  const counterparty = { idType: '05', id: '1710034065', name: 'Ana', email: 'ana@ejemplo.ec' };
  const rest = { total: '0.00', copies: [], modifies: null };
  expect(mailOf({ ...rest, counterparty })).toEqual({ status: 'PENDING', sentAt: null, error: null });
  const unknown = { ...counterparty, email: null };
  expect(mailOf({ ...rest, counterparty: unknown })).toEqual({ status: 'SKIPPED', sentAt: null, error: null });
});

it('an engine runs 10,000 creates at a time, and rejects one more', async () => {
  const { promise: found, resolve } = Promise.withResolvers<null>();
  const { engine } = await createBench({ issuers: { find: () => found } });
  const create = () => engine.create(SCOPE, invoiceBody());
  const running = Promise.allSettled(Array.from({ length: 10_000 }, create));
  expect(engine.occupancies.creates?.()).toEqual({ used: 10_000, limit: 10_000 });
  await expect(create()).rejects.toThrow(EngineBusyError);
  resolve(null);
  expect((await running).every(({ status }) => status === 'rejected')).toBe(true);
  expect(engine.occupancies.creates?.().used).toBe(0);
  await expect(create()).rejects.toThrow(IssuerNotFoundError);
});

it('an issued document leaves for the SRI after one commit', async () => {
  const calls: string[] = [];
  const memory = createMemoryStorage();
  const names = ['storeDocuments', 'changeDocument', 'changeAndClaim', 'claimJobs', 'claimJobOf'] as const;
  const watched = names.map((name) => {
    const call = memory[name] as (...given: unknown[]) => unknown;
    const watch = (...given: unknown[]) => {
      calls.push(name);
      return call(...given);
    };
    return [name, watch];
  });
  const bench: Bench = await createBench({
    storage: { ...memory, ...Object.fromEntries(watched) },
    transport(request) {
      calls.push('SRI');
      return bench.simulator.handle(request);
    },
  });
  const { document } = await bench.during(bench.engine.issue(SCOPE, invoiceBody()));
  expect(calls).toEqual(['storeDocuments', 'SRI', 'changeDocument', 'claimJobOf', 'SRI', 'changeDocument']);
  const events = await bench.engine.events(SCOPE, document.accessKey);
  expect(events.slice(0, 2)).toMatchObject([
    { eventType: 'CREATED', toStatus: 'SIGNED' },
    { fromStatus: 'SIGNED', toStatus: 'PENDING_SEND' },
  ]);
});

it('`issue` sends a created document under its idempotency key', async () => {
  const bench = await createBench();
  const options = { idempotencyKey: 'order-1' };
  await bench.engine.create(SCOPE, invoiceBody(), options);
  const issue = () => bench.engine.issue(SCOPE, invoiceBody(), options);
  const issued = await bench.during(Promise.all([issue(), issue()]));
  expect(issued.map(({ document, replayed }) => [document.status, replayed])).toEqual(
    Array(2).fill(['AUTHORIZED', true]),
  );
});

it('`issue` without a wait queues a created document before it returns', async () => {
  const bench = await createBench();
  const options = { idempotencyKey: 'order-1', timeoutMs: 0 };
  await bench.engine.create(SCOPE, invoiceBody(), { idempotencyKey: 'order-1' });
  const { document } = await bench.engine.issue(SCOPE, invoiceBody(), options);
  expect(document.status).toBe('PENDING_SEND');
});

it('`issue` without a wait creates and queues once, for two calls under one idempotency key too', async () => {
  const bench = await createBench();
  const issue = () => bench.engine.issue(SCOPE, invoiceBody(), { idempotencyKey: 'order-1', timeoutMs: 0 });
  const issued = await Promise.all([issue(), issue()]);
  expect(issued.map(({ document }) => [document.sequential, document.status])).toEqual(
    Array(2).fill([1, 'PENDING_SEND']),
  );
});

it.each([new StorageUnavailableError('away'), new Error('a fault of an own storage')])(
  '`issue` of a created document returns it unchanged when the storage fails: %s',
  async (fault) => {
    const changeDocument = async () => Promise.reject(fault);
    const bench = await createBench({ storage: { ...createMemoryStorage(), changeDocument } });
    const options = { idempotencyKey: 'order-1' };
    const { document } = await bench.engine.create(SCOPE, invoiceBody(), options);
    const issued = await bench.during(bench.engine.issue(SCOPE, invoiceBody(), options));
    expect(issued).toMatchObject({ document: { accessKey: document.accessKey, status: 'SIGNED' }, replayed: true });
  },
);
