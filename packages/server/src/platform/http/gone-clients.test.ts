import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { Exchange } from './exchange.js';
import type { Services } from './services.js';

/** A request over a given socket. */
function exchangeOver(socket: { readonly destroyed: boolean }): Exchange {
  const request = Object.assign(new Request('http://localhost/'), { runtime: { node: { req: { socket } } } });
  const services = { newRequestId: () => 'id' } as unknown as Services;
  return new Exchange({ request, path: '/', search: '', params: {}, socketAddress: null }, services);
}

it('the queued work of a disconnected client is skipped', async () => {
  const socket = connect({ port: 1 }).on('error', () => {});
  const exchange = exchangeOver(socket);
  let done = 0;
  const work = async () => {
    done += 1;
    return done;
  };
  expect(await exchange.unlessGone(work)).toBe(1);
  socket.destroy();
  await expect(exchange.unlessGone(work)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(done).toBe(1);
});
