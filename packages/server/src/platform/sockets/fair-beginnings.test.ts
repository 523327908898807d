import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { beginFairly } from './fair-beginnings.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server whose event loop turns are made by the test. */
async function listen(mostATurn: number) {
  const begun: string[] = [];
  const turns: (() => void)[] = [];
  let arrived = 0;
  let gone = 0;
  const begin = beginFairly(
    (incoming, response) => {
      begun.push(incoming.url ?? '');
      response.end();
    },
    { mostATurn, nextTurn: (work) => turns.push(work) },
  );
  const server = createServer((incoming, response) => {
    arrived += 1;
    response.once('close', () => {
      gone += 1;
    });
    begin(incoming, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return {
    begun,
    /** Sends a request over a new connection, and waits until it has arrived. */
    async send(path: string, key?: string) {
      const before = arrived;
      const sent = request({ port, path, agent: false, headers: key ? { authorization: key } : {} });
      sent.on('error', () => {}).on('response', (response) => response.resume());
      sent.end();
      await expect.poll(() => arrived).toBe(before + 1);
      return sent;
    },
    turn() {
      for (const work of turns.splice(0)) work();
    },
    get gone() {
      return gone;
    },
    get isIdle() {
      return turns.length === 0;
    },
  };
}

it('starts as many requests at once as a turn has room for, and the rest in later turns', async () => {
  const server = await listen(2);
  for (const path of ['/1', '/2', '/3', '/4', '/5']) await server.send(path, 'a');
  expect(server.begun).toEqual(['/1', '/2']);
  server.turn();
  expect(server.begun).toEqual(['/1', '/2', '/3', '/4']);
  server.turn();
  expect(server.begun).toEqual(['/1', '/2', '/3', '/4', '/5']);
  server.turn();
  expect(server.isIdle).toBe(true);
  await server.send('/6', 'a');
  expect(server.begun.at(-1)).toBe('/6');
});

it('serves callers in turn, by key, or by address without a key', async () => {
  const server = await listen(1);
  for (const path of ['/begun', '/a1', '/a2', '/a3', '/a4']) await server.send(path, 'a');
  for (const path of ['/b1', '/b2']) await server.send(path, 'b');
  for (const path of ['/n1', '/n2']) await server.send(path);
  for (let turn = 0; turn < 9; turn += 1) server.turn();
  expect(server.begun).toEqual(['/begun', '/a1', '/b1', '/n1', '/a2', '/b2', '/n2', '/a3', '/a4']);
});

it('starts a few health checks per turn at once', async () => {
  const server = await listen(1);
  for (const path of ['/1', '/2', '/healthz', '/readyz', '/3', '/healthz', '/readyz']) await server.send(path);
  expect(server.begun).toEqual(['/1', '/healthz', '/readyz', '/healthz', '/readyz']);
  await server.send('/healthz');
  expect(server.begun).toHaveLength(5);
  server.turn();
  await server.send('/readyz');
  expect(server.begun.slice(5)).toEqual(['/2', '/readyz']);
});

it('forgets a request whose client has disconnected', async () => {
  const server = await listen(1);
  await server.send('/1');
  await expect.poll(() => server.gone).toBe(1);
  const gone = await server.send('/2');
  await server.send('/3');
  const before = server.gone;
  gone.destroy();
  await expect.poll(() => server.gone).toBeGreaterThan(before);
  server.turn();
  expect(server.begun).toEqual(['/1', '/3']);
});
