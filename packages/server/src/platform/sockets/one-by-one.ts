import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PacedConnection } from './paced-connection.js';
import { createWorkQueue } from './work-queue.js';

/** The requests of connections without a complete answer. */
export interface RequestLines {
  /** Accepts requests, and passes on each request in its turn. */
  readonly listener: RequestListener;
  /** The last unanswered request of a connection, and the request before. */
  lastOf(connection: Duplex): { readonly last: ServerResponse | null; readonly before: ServerResponse | null };
}

/**
 * Handles the requests of one connection in order of arrival: the next one starts when the client has read the answer
 * before. While one waits, its connection is held. Of all waiting requests, one starts in each turn of the event loop,
 * so that clients with single requests come between.
 * @param onBusy called with whether requests of a connection are running.
 */
export function createRequestLines(
  handle: RequestListener,
  onBusy: (connection: PacedConnection, isBusy: boolean) => void,
): RequestLines {
  const lines = new WeakMap<Duplex, Waiting[]>();
  const next = createWorkQueue(1);

  function begin(connection: PacedConnection, line: Waiting[]): void {
    const [first] = line;
    if (line.length <= 1) connection.release();
    if (!first) {
      onBusy(connection, false);
      return;
    }
    const goOn = () => {
      if (connection.writable) begin(connection, line);
    };
    first.response.once('close', () => {
      line.shift();
      if (line.length === 0) goOn();
      else next(goOn);
    });
    handle(first.request, first.response);
  }

  return {
    listener(request, response) {
      // The server gets only such connections.
      const connection = request.socket as unknown as PacedConnection;
      const line = lines.get(connection) ?? [];
      lines.set(connection, line);
      line.push({ request, response });
      connection.expectBody(Number(request.headers['content-length'] ?? 0));
      if (line.length > 1) {
        connection.hold();
        return;
      }
      onBusy(connection, true);
      begin(connection, line);
    },
    lastOf(connection) {
      const line = lines.get(connection) ?? [];
      return { last: line.at(-1)?.response ?? null, before: line.at(-2)?.response ?? null };
    },
  };
}

// --- internal ---

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
