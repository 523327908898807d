import type { Language } from '../catalogs/catalog.js';
import { inLanguage } from '../documents/describe-error.js';
import { requireEnvironment } from '../environment.js';

/** An operation on a scope or a counter: its first argument names the environment. */
type Operations = Readonly<Record<string, (where: never, ...rest: never[]) => Promise<unknown>>>;

/**
 * Wraps operations: each rejects an unknown environment with a TypeError. Untyped programs would otherwise read, number or
 * sign in the wrong one. An issuer's id that is no text is rejected too. A number comes back from a database as text: its
 * documents would be numbered and never found again. Error messages use the given language.
 */
export function inKnownScope<T extends object>(operations: T, language: Language): T {
  const entries = Object.entries(operations as Operations).map(([name, operation]) => [
    name,
    async (where: LooseScope | undefined, ...rest: never[]) => {
      requireEnvironment(where?.environment, 'scope.environment');
      // A text is its letters, one by one: none of them is an issuer.
      for (const id of Array.isArray(where?.issuerIds) ? where.issuerIds : [where?.issuerId])
        if (typeof id !== 'string') throw new TypeError('scope.issuerId has to be a text.');
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

interface LooseScope {
  readonly environment?: unknown;
  readonly issuerId?: unknown;
  readonly issuerIds?: readonly unknown[];
}
