import { requireIsoDays } from './calendar.js';
import { requireChoice, requireOptions } from './choice.js';
import { DOCUMENT_TYPES } from './documents/registry.js';
import { DOCUMENT_STATUSES } from './lifecycle/status.js';
import { type DocumentFilter, type DocumentQuery, type FigureQuery, SORT_KEYS } from './storage.js';

/** Rejects a misspelt option, and a key in place of the options: a repeated call would issue again. @throws TypeError */
export function requireCreateOptions(options: {
  readonly idempotencyKey?: string | undefined;
  readonly timeoutMs?: number;
}): void {
  requireOptions(['idempotencyKey', 'timeoutMs', 'issuer'], options, 'create or issue');
  const { timeoutMs = 0 } = options;
  // A text would be appended to the time of day, and no number would end the wait at once.
  if (typeof timeoutMs !== 'number' || Number.isNaN(timeoutMs)) throw new TypeError('timeoutMs has to be a number.');
}

/** Rejects a page or an order that no list has, as untyped programs and addresses give them. @throws TypeError */
export function requirePage({
  page,
  limit,
  sortBy = 'createdAt',
  sortDirection = 'desc',
}: Partial<DocumentQuery> = {}): void {
  for (const [what, count] of Object.entries({ page, limit })) {
    if (!Number.isInteger(count) || Number(count) < 1) throw new TypeError(`${what} has to be a whole number from 1.`);
  }
  requireChoice(SORT_KEYS, sortBy, 'sortBy');
  requireChoice(['asc', 'desc'], sortDirection, 'sortDirection');
}

/** Rejects days in another form, and a status that no document has: the list would be empty. @throws TypeError */
export function requireFilter(filter: DocumentFilter): void {
  requireIsoDays(filter);
  if (filter.status !== undefined) requireChoice(DOCUMENT_STATUSES, filter.status, 'status');
  requireType(filter);
}

/** @throws TypeError */
export function requireType({ documentType }: FigureQuery): void {
  if (documentType !== undefined) requireChoice(DOCUMENT_TYPES, documentType, 'documentType');
}
