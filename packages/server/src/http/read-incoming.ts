import type { IncomingMessage } from 'node:http';

/** The message of Node behind a web request; null where there is none, as for a request that was made in this process. */
export function incomingOf(request: Request): IncomingMessage | null {
  const { runtime } = request as { readonly runtime?: { readonly node?: { readonly req?: IncomingMessage } } };
  return runtime?.node?.req ?? null;
}

/**
 * Reads a body as it comes from the socket. A web stream around it would cost more than all else that is done with a
 * body of usual size.
 *
 * @returns null, with the rest dropped, when it has more than `limit` bytes.
 * @throws Error when the client went away, or never sent the end.
 */
export function readIncoming(message: IncomingMessage, limit: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = () => {
      message.off('data', take).off('end', end).off('error', fail).off('close', close);
    };
    const take = (chunk: Buffer) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= limit) return;
      settle();
      // Dropped rather than left in the socket: closing that with bytes unread could cost the client its answer.
      message.resume();
      resolve(null);
    };
    const end = () => {
      settle();
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks, size));
    };
    const fail = (error: Error) => {
      settle();
      // What is told of a connection that is gone is heard by nobody else.
      message.on('error', () => {});
      reject(error);
    };
    const close = () => fail(new Error('The connection ended before the body did.'));
    if (message.destroyed || message.readableEnded) {
      reject(new Error('The body is gone.'));
      return;
    }
    message.on('data', take).on('end', end).on('error', fail).on('close', close);
  });
}
