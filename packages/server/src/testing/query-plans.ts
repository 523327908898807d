import BetterSqlite from 'better-sqlite3';
import type { TestServer } from './test-server.js';

/** The statements that some work prepares on SQLite, each once, and the steps of their plans. */
export async function queryPlans(
  server: TestServer,
  work: () => Promise<unknown>,
): Promise<{ readonly statements: readonly string[]; readonly steps: readonly string[] }> {
  const statements = new Set<string>();
  const { prepare } = BetterSqlite.prototype;
  BetterSqlite.prototype.prepare = function watched(this: BetterSqlite.Database, text: string) {
    statements.add(text);
    return Reflect.apply(prepare, this, [text]);
  } as typeof prepare;
  try {
    await work();
  } finally {
    BetterSqlite.prototype.prepare = prepare;
  }
  const file = new BetterSqlite(`${server.dataDir}/app.db`, { readonly: true });
  const steps = [...statements].flatMap((text) => {
    const bound = Array.from({ length: text.split('?').length - 1 }, () => 0);
    const rows = file.prepare(`explain query plan ${text}`).all(...bound) as { readonly detail: string }[];
    return rows.map(({ detail }) => detail);
  });
  file.close();
  return { statements: [...statements], steps };
}
