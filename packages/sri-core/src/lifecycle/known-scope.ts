import type { Language } from '../catalogs/catalog.js';
import { requireOptions } from '../choice.js';
import { inLanguage } from '../documents/describe-error.js';
import { requireEnvironment } from '../environment.js';
import type { DocumentFilter, DocumentQuery, FigureQuery } from '../storage.js';

/** An operation on a scope or a counter: its first argument names the environment. */
type Operations = Readonly<Record<string, (where: never, ...rest: never[]) => Promise<unknown>>>;

/**
 * Wraps operations: each rejects an unknown environment with a TypeError. Untyped programs would otherwise read, number or
 * sign in the wrong one. An issuer's id that is no text is rejected too. A number comes back from a database as text: its
 * documents would be numbered and never found again. An unknown name in a filter is rejected: it would be ignored, and every
 * document would be listed or retried. Error messages use the given language.
 */
export function inKnownScope<T extends object>(operations: T, language: Language): T {
  const entries = Object.entries(operations as Operations).map(([name, operation]) => [
    name,
    async (where: LooseScope | undefined, ...rest: never[]) => {
      requireEnvironment(where?.environment, 'scope.environment');
      // A text is its letters, one by one: none of them is an issuer.
      for (const id of Array.isArray(where?.issuerIds) ? where.issuerIds : [where?.issuerId])
        if (typeof id !== 'string') throw new TypeError('scope.issuerId has to be a text.');
      const known = FILTERS.get(name);
      if (known && rest[0] !== undefined) requireFilter(known, rest[0], name);
      try {
        return await operation(where as never, ...rest);
      } catch (error) {
        throw inLanguage(error, language);
      }
    },
  ]);
  // Each entry has the signature of the operation it wraps.
  return Object.fromEntries(entries) as T;
}

// --- internal ---

/** @throws TypeError for a name that is not known, or a number in place of a text, such as the `sequential` of a document. */
function requireFilter(known: object, filter: object, operation: string): void {
  requireOptions(Object.keys(known), filter, operation);
  for (const [name, value] of Object.entries(filter)) {
    if (TEXTS.includes(name) && value !== undefined && typeof value !== 'string')
      throw new TypeError(`${name} has to be a text.`);
  }
}

const TEXTS: readonly string[] = [
  'sequential',
  'buyerName',
  'buyerId',
  'accessKey',
  'q',
] satisfies (keyof DocumentFilter)[];

const FIGURE_QUERY = { from: true, to: true, documentType: true } satisfies All<FigureQuery>;

const FILTER = {
  ...FIGURE_QUERY,
  status: true,
  sequential: true,
  buyerName: true,
  buyerId: true,
  accessKey: true,
  totalFrom: true,
  totalTo: true,
  q: true,
} satisfies All<DocumentFilter>;

const QUERY = { ...FILTER, sortBy: true, sortDirection: true, page: true, limit: true } satisfies All<DocumentQuery>;

/** The names that the second argument of an operation may have. */
const FILTERS: ReadonlyMap<string, object> = new Map<string, object>([
  ['list', QUERY],
  ['walk', FILTER],
  ['figures', FIGURE_QUERY],
  ['retryAll', { operation: true, limit: true }],
]);

type All<T> = Readonly<Record<keyof T, true>>;

interface LooseScope {
  readonly environment?: unknown;
  readonly issuerId?: unknown;
  readonly issuerIds?: readonly unknown[];
}
