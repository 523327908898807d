// A storage of your own that keeps every promise of the port: here one that measures each call of another.
// Run: npm run examples -- custom-storage
import Database from 'better-sqlite3';
import type { Storage } from 'sri-core';
import { storageConformance } from 'sri-core/testing';
import { createSqliteStorage } from 'sri-storage-adapters';

/** Does what `inner` does, and hands over what each call took. */
function withTimes(inner: Storage, tell: (call: string, ms: number) => void): Storage {
  return new Proxy(inner, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...words: unknown[]) => {
        const began = performance.now();
        try {
          return await Reflect.apply(member, target, words);
        } finally {
          tell(String(name), performance.now() - began);
        }
      };
    },
  });
}

const [, , folder = '.'] = process.argv.slice(2);
const slowest = new Map<string, number>();
let opened = 0;

for (const { name, run } of storageConformance) {
  opened += 1;
  const path = `${folder}/conformance-${opened}.db`;
  await run(async () => {
    const storage = createSqliteStorage({ database: new Database(path) });
    await storage.migrate();
    return withTimes(storage, (call, ms) => slowest.set(call, Math.max(slowest.get(call) ?? 0, ms)));
  }).catch((error: unknown) => {
    throw new Error(`The storage does not keep its promise: ${name}`, { cause: error });
  });
}
const [call = ''] = [...slowest].toSorted(([, a], [, b]) => b - a)[0] ?? [];
console.log(`${storageConformance.length} promises kept; the slowest call was ${call}`);
