import type { Language } from '../catalogs/catalog.js';
import { inLanguage } from '../documents/describe-error.js';
import { requireEnvironment } from '../environment.js';

/** What is done in a scope, or to a counter: its first argument names the environment. */
type Operations = Readonly<Record<string, (where: never, ...rest: never[]) => Promise<unknown>>>;

/**
 * The same operations, each rejecting with a TypeError when its scope has another environment than there are. Programs
 * without types would read, number or sign in the wrong one. What an operation rejects with has its message in the language.
 */
export function inKnownEnvironment<T extends object>(operations: T, language: Language): T {
  const entries = Object.entries(operations as Operations).map(([name, operation]) => [
    name,
    async (where: { readonly environment?: unknown } | undefined, ...rest: never[]) => {
      requireEnvironment(where?.environment, 'scope.environment');
      try {
        return await operation(where as never, ...rest);
      } catch (error) {
        throw inLanguage(error, language);
      }
    },
  ]);
  // Each entry takes and gives what the operation of its name does.
  return Object.fromEntries(entries) as T;
}
