import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { CommandFailure } from './failure.js';

/**
 * Starts a server of a command on 127.0.0.1.
 *
 * @param port 0 for any free one. @returns its port. @throws CommandFailure PORT_NOT_USABLE
 */
export async function listenHere(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure('PORT_NOT_USABLE', {
      es: `El puerto ${port} no se puede usar (${error.code}); nombre otro con --port.`,
      en: `Port ${port} cannot be used (${error.code}); name another one with --port.`,
    });
  });
  return (server.address() as AddressInfo).port;
}
