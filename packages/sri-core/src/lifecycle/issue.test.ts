import { expect, it } from 'vitest';
import { mailOf } from './issue.js';

it('a document gets a mail if its counterparty has an address, and otherwise none', () => {
  const counterparty = { idType: '05', id: '1710034065', name: 'Ana', email: 'ana@ejemplo.ec' };
  const rest = { total: '0.00', copies: [], modifies: null };
  expect(mailOf({ ...rest, counterparty })).toEqual({ status: 'PENDING', sentAt: null, error: null });
  const unknown = { ...counterparty, email: null };
  expect(mailOf({ ...rest, counterparty: unknown })).toEqual({ status: 'SKIPPED', sentAt: null, error: null });
});
