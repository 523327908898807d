import { expect, it } from 'vitest';
import { EngineBusyError, IssuerNotFoundError } from '../errors.js';
import { createBench, invoiceBody, SCOPE } from '../testing/engine-bench.js';
import { mailOf } from './issue.js';

it('a document gets a mail if its counterparty has an address, and otherwise none', () => {
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
