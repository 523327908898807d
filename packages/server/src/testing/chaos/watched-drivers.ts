import BetterSqlite from 'better-sqlite3';
import { Client } from 'pg';
import type { Reached } from './reach.js';

/** Called just before and just after each statement. */
export type OnStatement = (reached: Extract<Reached, { readonly statement: string }>) => void;

/** Watches every statement that this process sends to SQLite files. */
export function watchSqlite(onStatement: OnStatement): void {
  const statements: object = Object.getPrototypeOf(new BetterSqlite(':memory:').prepare('select 1'));
  const database = (self: unknown) => Reflect.get(self as object, 'database') as object;
  const source = (self: unknown) => String(Reflect.get(self as object, 'source'));
  for (const method of ['run', 'all', 'get', 'iterate']) {
    watchCalls(onStatement, statements, method, (self) => ({ connection: database(self), statement: source(self) }));
  }
  watchCalls(onStatement, BetterSqlite.prototype, 'exec', (self, [text]) => ({
    connection: self as object,
    statement: String(text),
  }));
}

/** Watches every statement that this process sends to PostgreSQL. */
export function watchPostgres(onStatement: OnStatement): void {
  watchCalls(onStatement, Client.prototype, 'query', (self, [query]) => ({
    connection: self as object,
    statement: String(typeof query === 'string' ? query : (query as { text?: string }).text),
  }));
}

// --- internal ---

interface Sending {
  readonly connection: object;
  readonly statement: string;
}

/** The statements sent so far by the transaction of each connection. */
const sent = new WeakMap<object, string[]>();

/** Reports the calls of a method; `describe` returns the statement of a call. */
function watchCalls(
  onStatement: OnStatement,
  of: object,
  method: string,
  describe: (self: unknown, parameters: readonly unknown[]) => Sending,
): void {
  const original = Reflect.get(of, method) as (...parameters: unknown[]) => unknown;
  function call(this: unknown, ...parameters: unknown[]): unknown {
    const { connection, statement } = describe(this, parameters);
    const before = /^begin/.test(statement) ? [] : (sent.get(connection) ?? []);
    onStatement({ moment: 'before', statement, sent: before });
    before.push(statement);
    if (/^(commit|rollback)/.test(statement)) sent.delete(connection);
    else sent.set(connection, before);
    const result = Reflect.apply(original, this, parameters);
    const after = <T>(value: T): T => {
      onStatement({ moment: 'after', statement, sent: before });
      return value;
    };
    return result instanceof Promise ? result.then(after) : after(result);
  }
  Reflect.set(of, method, call);
}
