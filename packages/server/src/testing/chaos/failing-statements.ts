import BetterSqlite from 'better-sqlite3';
import { Client } from 'pg';

/** When the connection of a statement fails: before it arrives, or after it took effect. */
export type FaultMoment = 'before' | 'after';

/** Fails one statement that this process sends to its database, except rollbacks, which are the remedy. */
export interface FailingStatements {
  /** Fails the statement of the given number, counted from 1 after this call. */
  arm(number: number, moment: FaultMoment): void;
  /** Cancels `arm`. @returns whether the statement was reached. */
  disarm(): boolean;
  /** Restores the drivers. */
  remove(): void;
}

/** Intercepts the database drivers of this process. */
export function failStatements(): FailingStatements {
  let left = 0;
  let moment: FaultMoment = 'before';
  const undo: (() => void)[] = [];

  /** @returns how this statement fails; null if it succeeds. */
  function fault(statement: string): FaultMoment | null {
    if (left === 0 || /^\s*rollback/.test(statement)) return null;
    left -= 1;
    return left === 0 ? moment : null;
  }

  function replace(of: object, method: string, by: (original: Call) => Call): void {
    const original = Reflect.get(of, method) as Call;
    Reflect.set(of, method, by(original));
    undo.push(() => void Reflect.set(of, method, original));
  }

  const statements: object = Object.getPrototypeOf(new BetterSqlite(':memory:').prepare('select 1'));
  for (const method of ['run', 'all', 'get']) {
    replace(statements, method, (original) =>
      failing(original, (self) => String(Reflect.get(self as object, 'source'))),
    );
  }
  replace(BetterSqlite.prototype, 'exec', (original) => failing(original, (_self, [text]) => String(text)));

  /** A call to SQLite, whose disk fails. */
  function failing(original: Call, textOf: (self: unknown, parameters: readonly unknown[]) => string): Call {
    return function call(this: unknown, ...parameters: unknown[]): unknown {
      const how = fault(textOf(this, parameters));
      if (how === 'before') throw brokenDisk();
      const result = Reflect.apply(original, this, parameters);
      if (how === 'after') throw brokenDisk();
      return result;
    };
  }

  replace(
    Client.prototype,
    'query',
    (original) =>
      function query(this: unknown, ...parameters: unknown[]): unknown {
        const [asked] = parameters;
        const text = typeof asked === 'string' ? asked : String((asked as { readonly text?: unknown }).text);
        const how = fault(text);
        const { stream } = (this as unknown as { readonly connection: { readonly stream: { destroy(): void } } })
          .connection;
        if (how === 'before') stream.destroy();
        const result = Reflect.apply(original, this, parameters);
        if (how !== 'after') return result;
        const broken = () => {
          stream.destroy();
          throw new Error('Connection terminated unexpectedly');
        };
        return (result as Promise<unknown>).then(broken, broken);
      },
  );

  return {
    arm(number, when) {
      left = number;
      moment = when;
    },
    disarm() {
      const wasMet = left === 0;
      left = 0;
      return wasMet;
    },
    remove() {
      for (const each of undo) each();
    },
  };
}

// --- internal ---

type Call = (this: unknown, ...parameters: unknown[]) => unknown;

function brokenDisk(): Error {
  return new BetterSqlite.SqliteError('disk I/O error', 'SQLITE_IOERR');
}
