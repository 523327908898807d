import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createBodyBudget } from './body-budget.js';
import { incomingOf, readIncoming } from './read-incoming.js';

describe('a body from the socket', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Sends the pieces one after the other. @returns the reader's result: its bytes, null, or its error. */
  async function read(
    pieces: readonly string[],
    { limit = 100, room = 1000, slowMs = 5000, ends = false } = {},
  ): Promise<unknown> {
    const share = createBodyBudget({ overall: room, perCaller: room }).open(['a']);
    const reported = Promise.withResolvers<unknown>();
    const server = createServer((message: IncomingMessage, response) => {
      readIncoming(message, { limit, share }, slowMs)
        .then(
          (bytes) => reported.resolve(String(bytes)),
          (error) => reported.resolve(error),
        )
        .finally(() => response.end());
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    for (const piece of pieces) await new Promise((sent) => socket.write(piece, sent));
    if (ends) socket.destroy();
    const result = await reported.promise;
    socket.destroy();
    return result;
  }

  const head = (line: string) => `POST / HTTP/1.1\r\nhost: x\r\n${line}\r\n\r\n`;

  it.each([
    { name: 'in one piece', pieces: [`${head('content-length: 3')}ña`], is: 'ña' },
    { name: 'in two', pieces: [head('content-length: 6'), 'abc', 'def'], is: 'abcdef' },
    {
      name: 'in chunks',
      pieces: [head('transfer-encoding: chunked'), '3\r\nabc\r\n', '2\r\nde\r\n0\r\n\r\n'],
      is: 'abcde',
    },
    { name: 'empty', pieces: [head('content-length: 0')], is: '' },
    { name: 'of the largest size', pieces: [head('content-length: 100'), 'x'.repeat(100)], is: 'x'.repeat(100) },
    {
      name: 'longer, in chunks',
      pieces: [head('transfer-encoding: chunked'), `65\r\n${'x'.repeat(101)}\r\n`, '0\r\n\r\n'],
      is: 'tooLarge',
    },
    {
      name: 'longer, in endless chunks',
      pieces: [head('transfer-encoding: chunked'), `65\r\n${'x'.repeat(101)}\r\n`],
      is: 'tooLarge',
    },
    { name: 'longer, as declared', pieces: [head('content-length: 101'), 'x'.repeat(101)], is: 'tooLarge' },
    { name: 'far longer, as declared', pieces: [head(`content-length: ${2 ** 40}`), 'x'], is: 'tooLarge' },
  ])('reads or refuses a body: $name', async ({ pieces, is }) => {
    expect(await read(pieces)).toBe(is);
  });

  it('stops a body when the budget has no room for it', async () => {
    expect(await read([head('content-length: 90'), 'x'.repeat(90)], { room: 80 })).toBe('noRoom');
  });

  it('drops a body that arrives too slowly', async () => {
    expect(await read([head('content-length: 90'), 'x'.repeat(80)], { slowMs: 50 })).toBe('tooSlow');
  });

  it('reports an error if the client disconnects before the end of the body', async () => {
    expect(await read([head('content-length: 10'), 'abc'], { ends: true })).toBeInstanceOf(Error);
  });

  it('returns null for a request that was created in this process', () => {
    expect(incomingOf(new Request('http://x', { method: 'POST', body: 'x' }))).toBeNull();
  });
});
