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
export function requireListQuery(query: DocumentQuery): void {
  const { page, limit, sortBy = 'createdAt', sortDirection = 'desc', ...filter } = query ?? {};
  for (const [what, count] of Object.entries({ page, limit })) {
    if (!Number.isInteger(count) || Number(count) < 1) throw new TypeError(`${what} has to be a whole number from 1.`);
  }
  requireChoice(SORT_KEYS, sortBy, 'sortBy');
  requireChoice(['asc', 'desc'], sortDirection, 'sortDirection');
  requireFilter(filter, 'list');
}

/**
 * Rejects an unknown name, which would be ignored and list every document, and a value that no document has.
 *
 * @param call names the operation in the message.
 * @throws TypeError
 */
export function requireFilter(filter: DocumentFilter, call: string): void {
  requireFigureQuery(filter, call, Object.keys(FORMS));
  if (filter.status !== undefined) requireChoice(DOCUMENT_STATUSES, filter.status, 'status');
  for (const [name, value] of Object.entries(filter) as [keyof DocumentFilter, unknown][]) {
    // A database would fail at the number of a document.
    if (FORMS[name] === 'text' && value !== undefined && typeof value !== 'string')
      throw new TypeError(`${name} has to be a text.`);
  }
}

/** @throws TypeError */
export function requireFigureQuery(query: FigureQuery, call: string, known: readonly string[] = FIGURE_QUERY): void {
  requireOptions(known, query, call);
  requireIsoDays(query);
  if (query.documentType !== undefined) requireChoice(DOCUMENT_TYPES, query.documentType, 'documentType');
}

// --- internal ---

const FIGURE_QUERY = ['from', 'to', 'documentType'] satisfies (keyof FigureQuery)[];
const FORMS = {
  from: 'day',
  to: 'day',
  documentType: 'choice',
  status: 'choice',
  sequential: 'text',
  buyerName: 'text',
  buyerId: 'text',
  accessKey: 'text',
  totalFrom: 'amount',
  totalTo: 'amount',
  q: 'text',
} satisfies Record<keyof DocumentFilter, string>;
