import { toPlainAddress } from './client-address.js';
import type { Exchange } from './exchange.js';

/**
 * Whether the client is on the server's own machine and names this machine: a page from elsewhere may point its own
 * name here. A proxy on it acts for others, so its requests count as from elsewhere, whatever `TRUST_PROXY` says.
 */
export function isFromThisMachine(exchange: Pick<Exchange, 'header' | 'socketAddress'>): boolean {
  const isHandedOn = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some(
    (name) => exchange.header(name) !== null,
  );
  const isOwnName = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(exchange.header('host') ?? '');
  const address = toPlainAddress(exchange.socketAddress ?? '') ?? '';
  return !isHandedOn && isOwnName && (address === '::1' || /^127\./.test(address));
}
