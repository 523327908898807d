import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The port that gives a test its own PostgreSQL while the connection is open. */
    ownPostgresPort: number;
  }
}

/** A PostgreSQL that one test file may stop or break. */
export interface OwnPostgres {
  readonly url: string;
  /** Kills it at once, like a power cut. */
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
