import { once } from 'node:events';
import { createServer } from 'node:net';

/** The first port of Linux's range for outgoing connections, which may use any port above it at any time. */
const FIRST_OUTGOING = 32_768;

/**
 * A port of this machine that no program listens on, below the ports that outgoing connections take.
 *
 * @throws when a hundred ports in a row cannot be listened on.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < 100; tried++) {
    const port = 10_000 + Math.floor(Math.random() * (FIRST_OUTGOING - 10_000));
    const probe = createServer();
    const isFree = await once(probe.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
  throw new Error('A hundred ports in a row are taken.');
}
