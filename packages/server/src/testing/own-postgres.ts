import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Port at which a test gets a PostgreSQL of its own, for as long as the connection stands. */
    ownPostgresPort: number;
  }
}

/** A PostgreSQL that one test file may do to what it likes. */
export interface OwnPostgres {
  readonly url: string;
  /** Ends it at once, as a power cut would. */
  crash(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts one. @returns null where this machine has none. */
export async function openOwnPostgres(): Promise<OwnPostgres | null> {
  const socket = connect(inject('ownPostgresPort'), '127.0.0.1');
  const lines = createInterface(socket)[Symbol.asyncIterator]();
  const nextLine = async () => String((await lines.next()).value);
  const answer: { readonly url?: string } = JSON.parse(await nextLine());
  if (answer.url === undefined) {
    socket.destroy();
    return null;
  }
  const order = async (word: string) => {
    socket.write(`${word}\n`);
    if ((await nextLine()) !== word) throw new Error(`PostgreSQL did not ${word}.`);
  };
  return {
    url: answer.url,
    crash: () => order('crash'),
    start: () => order('start'),
    async remove() {
      socket.end();
      await once(socket, 'close');
    },
  };
}
